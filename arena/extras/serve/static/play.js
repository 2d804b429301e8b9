// A game against bots: draws the table of arena/extras/serve/play/game_content.py, and sends actions without loading
// the whole page again.
"use strict";

const POLL_MS = 700;
/** How long a finished trick is shown whole. */
const PAUSE_MS = 1500;

arena.startPlay = function () {
  const part = (id) => document.getElementById(id);
  const facts = JSON.parse(part("facts-data").textContent);
  let table = null; // kept when the rest of the page is replaced, so that its pieces move
  let chosen = []; // the pieces that were clicked, by their names in actions
  let drawn = "";
  let pause = null;

  // -- the table -----------------------------------------------------------------------------

  function draw() {
    const data = part("table-data").textContent;
    const { game, view, seat, names, sides, variant, next } = JSON.parse(data);
    if (table) {
      part("table").replaceWith(table.part);
    } else {
      table = new arena.TableOfGame(part("table"), game);
      table.part.addEventListener("click", (event) => choose(event.target.closest(".playable")));
    }
    const seats = names.map((_, at) => at);
    const words = buttons().flatMap((button) => button.value.split(" "));
    const legal = next === null ? null : new Set(words);
    const own = new Map([[seat, view]]);
    const context = { variant, names, sides, facts, own, next, seats, viewer: seat, legal };
    const beats = arena.beats[game]?.(view, [], names) || [];
    const isNew = drawn && data !== drawn;
    const show = (more) => {
      table.show(view, { ...context, ...more });
      chosen = [];
      point([]);
    };
    drawn = data;
    clearTimeout(pause);
    if (isNew && beats.length > 1) {
      pause = setTimeout(show, PAUSE_MS);
    }
    show(isNew && beats.length > 1 ? { beat: 0, next: null, legal: null } : {});
  }

  // -- actions -------------------------------------------------------------------------------

  function buttons() {
    return [...document.querySelectorAll("#choices button")];
  }

  /** Return whether an action names all of these cards, tiles and places. */
  function isOf(button, slugs) {
    const words = button.value.split(" ");
    return slugs.every((slug) => words.includes(slug));
  }

  /** Mark pieces on the table, and those that go with them in an action. */
  function point(slugs) {
    const open = buttons().filter((button) => isOf(button, chosen));
    const words = new Set(open.flatMap((button) => button.value.split(" ")));
    for (const piece of table.part.querySelectorAll(".piece")) {
      piece.classList.toggle("meant", slugs.includes(piece.dataset.slug));
      piece.classList.toggle("playable", words.has(piece.dataset.slug));
      piece.classList.toggle("fits", chosen.length > 0 && words.has(piece.dataset.slug));
    }
    buttons().forEach((button) => button.classList.toggle("away", !open.includes(button)));
  }

  /** Take the action that names the clicked pieces, if there is just one. */
  function choose(piece) {
    if (!piece) {
      chosen = [];
      point([]);
      return;
    }
    const slugs = [...new Set([...chosen, piece.dataset.slug])];
    chosen = buttons().some((button) => isOf(button, slugs)) ? slugs : [piece.dataset.slug];
    const found = buttons().filter((button) => isOf(button, chosen));
    point(chosen);
    if (found.length === 1) {
      found[0].click();
    }
  }

  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form));
    body.append(button.name, button.value);
    part("game").setAttribute("aria-busy", "true");
    buttons().forEach((button) => (button.disabled = true));
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
    const had =
      part("game").contains(document.activeElement) || document.activeElement === document.body;
    const waited = part("game").dataset.state === "waiting";
    game.querySelectorAll("noscript").forEach((element) => element.remove());
    part("game").replaceWith(document.adoptNode(game));
    start();
    const isWaiting = game.dataset.state === "waiting";
    if (!(waited && isWaiting)) {
      const news = [...game.querySelectorAll(".story .new")].map((line) => line.textContent);
      part("spoken").textContent = [...news, part("task").textContent].join(". ");
      if (had) {
        part("task").focus();
      }
    }
  }

  function start() {
    draw();
    const story = document.querySelector(".story ol");
    story.scrollTop = story.scrollHeight; // on a phone it is low
    if (part("game").dataset.state === "waiting") {
      setTimeout(() => load({}), POLL_MS);
    }
  }

  // -- the start -----------------------------------------------------------------------------

  document.addEventListener("submit", (event) => {
    if (event.target.id === "choices" && event.submitter) {
      event.preventDefault();
      send(event.target, event.submitter);
    }
  });
  for (const name of ["mouseover", "focusin"]) {
    document.addEventListener(name, (event) => {
      const button = event.target.closest("#choices button");
      if (button || event.target.closest("#choices")) {
        point(button ? button.value.split(" ") : chosen);
      }
    });
  }
  start();
};

arena.startPlay();
