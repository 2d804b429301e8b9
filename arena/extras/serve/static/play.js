// A game against bots: draws the table of arena/extras/serve/play/game_content.py, sends actions without loading the
// whole page again, and takes keys. Without this script the page works by its form.
"use strict";

const POLL_MS = 700;

arena.startPlay = function () {
  const { el } = arena;
  const part = (id) => document.getElementById(id);
  const facts = JSON.parse(part("facts-data").textContent);
  let before = null; // the keys of the items on the table and its figures, as they were drawn last
  let typed = "";

  // -- the table -----------------------------------------------------------------------------

  function figures(table) {
    return [...table.querySelectorAll(".area")].flatMap((area, at) =>
      [...area.querySelectorAll(".figure")].map((one) => [`${at} ${one.dataset.name}`, one]),
    );
  }

  function draw() {
    const { game, view, seat, names, sides, variant, next } = JSON.parse(part("table-data").textContent);
    const drawing = arena.drawings[game] || arena.plain;
    const seats = names.map((_, at) => at);
    const own = new Map([[seat, view]]);
    const shown = el("div", {}, drawing(view, { variant, names, sides, facts, own, next, seats }));
    const items = [...shown.querySelectorAll("[data-key]")];
    const numbers = figures(shown);
    const now = {
      keys: new Set(items.map((one) => one.dataset.key)),
      values: new Map(numbers.map(([name, one]) => [name, arena.valueOf(one)])),
    };
    if (before) {
      items.filter((one) => !before.keys.has(one.dataset.key)).forEach((one) => one.classList.add("fresh"));
      numbers.forEach(([name, one]) => one.append(...arena.changeOf(one, before.values.get(name))));
    }
    before = now;
    part("table").replaceChildren(...shown.childNodes);
    part("table").querySelector(`.area.seat-${seat}`)?.classList.add("own");
    hand()?.querySelectorAll("[data-key]").forEach((card) => {
      card.classList.toggle("playable", buttonsOf(card).length > 0);
    });
  }

  function hand() {
    const { seat } = JSON.parse(part("table-data").textContent);
    return part("table").querySelector(`[aria-label="hand of seat ${seat}"]`);
  }

  // -- actions -------------------------------------------------------------------------------

  function buttons() {
    return [...document.querySelectorAll("#choices button")];
  }

  /** Return the cards, tiles and places that an action names. */
  function slugsOf(button) {
    return button.value.split(" ").slice(1);
  }

  function buttonsOf(card) {
    const slug = card.dataset.key.split(" ")[0];
    return buttons().filter((button) => slugsOf(button).includes(slug));
  }

  /** Mark on the table what a choice names; nothing for null. */
  function point(button) {
    part("table").querySelectorAll(".meant").forEach((one) => one.classList.remove("meant"));
    for (const slug of button ? slugsOf(button) : []) {
      part("table").querySelectorAll(`[data-key^="${slug} "]`).forEach((one) => one.classList.add("meant"));
    }
  }

  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form));
    body.append(button.name, button.value);
    part("game").setAttribute("aria-busy", "true");
    buttons().forEach((one) => (one.disabled = true));
    await load({ method: "POST", body });
  }

  /** Show what the server answers at this address; if it does not, load the whole page. */
  async function load(options) {
    try {
      const answer = await fetch(location.pathname, options);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const game = page.getElementById("game");
      if (answer.ok && game) {
        show(game);
        return;
      }
    } catch {
      // as below
    }
    location.reload();
  }

  function show(game) {
    const had = part("game").contains(document.activeElement) || document.activeElement === document.body;
    const waited = part("game").dataset.state === "waiting";
    game.querySelectorAll("noscript").forEach((one) => one.remove());
    part("game").replaceWith(document.adoptNode(game));
    typed = "";
    start();
    const isWaiting = game.dataset.state === "waiting";
    if (!(waited && isWaiting)) {
      const news = [...game.querySelectorAll(".story .new")].map((one) => one.textContent);
      part("spoken").textContent = [...news, part("task").textContent].join(". ");
      if (had) {
        part("task").focus();
      }
    }
  }

  function start() {
    const box = part("keys-on");
    if (box) {
      box.checked = memory.get("keys") !== "no";
    }
    draw();
    const story = document.querySelector(".story ol");
    story.scrollTop = story.scrollHeight; // on a phone it is low
    if (part("game").dataset.state === "waiting") {
      setTimeout(() => load({}), POLL_MS);
    }
  }

  // -- keys ----------------------------------------------------------------------------------

  function showTyped() {
    const found = typed && buttons()[Number(typed) - 1];
    buttons().forEach((one) => one.classList.toggle("typed", one === found));
    point(found || null);
    part("typed").textContent = typed;
    return found;
  }

  function type(digit) {
    const most = buttons().length;
    typed += digit;
    if (!showTyped()) {
      typed = ""; // there is no such action
      showTyped();
    } else if (Number(typed) * 10 > most) {
      showTyped().click(); // no other number begins so
    }
  }

  function step(by) {
    const all = buttons();
    const at = all.indexOf(document.activeElement);
    const to = at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
    all[to].focus();
  }

  function onKey(event) {
    const { key, target } = event;
    const isField = target.closest("input:not([type=checkbox]), select, textarea");
    if (!buttons().length || !part("keys-on").checked || isField) {
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (/^\d$/.test(key)) {
      event.preventDefault();
      type(key);
    } else if (typed && key === "Enter") {
      event.preventDefault();
      showTyped().click();
    } else if (typed && ["Escape", "Backspace"].includes(key)) {
      typed = key === "Escape" ? "" : typed.slice(0, -1);
      showTyped();
    } else if (["ArrowDown", "ArrowUp"].includes(key) && target.closest(".your-turn")) {
      event.preventDefault();
      step(key === "ArrowDown" ? 1 : -1);
    }
  }

  // -- the start -----------------------------------------------------------------------------

  document.addEventListener("keydown", onKey);
  document.addEventListener("submit", (event) => {
    if (event.target.id === "choices" && event.submitter) {
      event.preventDefault();
      send(event.target, event.submitter);
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "keys-on") {
      memory.set("keys", event.target.checked ? "yes" : "no");
    }
  });
  for (const name of ["mouseover", "focusin"]) {
    document.addEventListener(name, (event) => point(event.target.closest("#choices button")));
  }
  document.addEventListener("click", (event) => {
    const card = event.target.closest("#table .playable");
    const [first, ...more] = card ? buttonsOf(card) : [];
    if (first && more.length) {
      first.focus();
    } else if (first) {
      first.click();
    }
  });
  start();
};

arena.startPlay();
