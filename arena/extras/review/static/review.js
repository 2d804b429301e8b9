// Reviews in a replay. Their graphs lie beside that of the points, and a mistake that is shown has what was better.
"use strict";

{
  const page = document.getElementById("replay");
  const last = window.replay.moves.length - 1;
  const reviews = [...document.querySelectorAll(".review")].map((section) => {
    const graph = section.querySelector(".graph");
    const cursor = arena.el("span", { class: "cursor" });
    graph.append(cursor);
    document.getElementById("graph").after(graph);
    return { section, graph, cursor, seat: Number(section.dataset.seat) };
  });

  const goTo = (at) => page.dispatchEvent(new CustomEvent("go", { detail: `#${at}` }));

  /** Return the addresses of the mistakes, in the order of the game. */
  function mistakes() {
    const all = [...document.querySelectorAll(".mistakes .better")];
    return all.map((better) => Number(better.dataset.at)).sort((a, b) => a - b);
  }

  let shown = 0;

  page.addEventListener("step", ({ detail: { step, viewer } }) => {
    shown = window.replay.moves[step].at;
    for (const { section, graph, cursor, seat } of reviews) {
      cursor.style.left = `${(100 * step) / last}%`;
      for (const link of graph.querySelectorAll("a")) {
        link.classList.toggle("is-shown", link.getAttribute("href") === `#${shown}`);
      }
      if (viewer === null || viewer === seat) {
        const better = section.querySelectorAll(`.better[data-at="${shown}"]`);
        const copies = [...better].map((item) => item.cloneNode(true)); // two moves may be one step
        document.getElementById("now").firstElementChild.after(...copies);
      }
    }
  });

  function goToMistake() {
    const all = mistakes();
    goTo(all.find((at) => at > shown) ?? all[0]);
  }

  for (const { graph } of reviews) {
    graph.addEventListener("click", (event) => {
      if (!event.target.closest("a")) {
        const { left, width } = graph.getBoundingClientRect();
        goTo(window.replay.moves[Math.round(((event.clientX - left) / width) * last)].at);
      }
    });
  }

  if (mistakes().length) {
    const text = { type: "button", title: "To the next mistake (m)" };
    const button = arena.el("button", text, "Next mistake");
    button.addEventListener("click", goToMistake);
    document.getElementById("fault").after(button);
    const keys = arena.el("div", {}, arena.el("dt", {}, arena.el("kbd", {}, "m")), arena.el("dd", {}, "to the next mistake"));
    document.getElementById("keys").append(keys);
    document.addEventListener("keydown", (event) => {
      const isTyped = event.target.closest("select, input:not([type=range])");
      const isOther = event.altKey || event.ctrlKey || event.metaKey || isTyped;
      if (event.key === "m" && !isOther && document.getElementById("keys-on").checked) {
        goToMistake();
      }
    });
  }

  // The table is above the list.
  document.addEventListener("click", (event) => {
    if (event.target.closest(".mistakes a")) {
      page.scrollIntoView();
    }
  });
}
