// Player of a replay: `window.replay`, written by arena/publish/replays.py.
"use strict";

/** Return a value after a delta of arena/publish/json_diff.py; the old value is not changed. */
arena.patched = function (value, delta) {
  if (delta === null) {
    return value;
  }
  if (Array.isArray(delta)) {
    if (delta.length === 1) {
      return delta[0];
    }
    const [at, removed, ...added] = delta;
    return [...value.slice(0, at), ...added, ...value.slice(at + removed)];
  }
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const key of Object.keys(delta)) {
    copy[key] = arena.patched(value[key], delta[key]);
  }
  return copy;
};

/** Return the table at each step. */
arena.tables = function (replay) {
  const tables = [replay.start];
  for (const change of replay.changes) {
    tables.push(arena.patched(tables.at(-1), change));
  }
  return tables;
};

/** Return the view of a table, and the views of the seats whose hands are shown. */
arena.seen = function (table, viewer) {
  const own = table.own
    .map((delta, seat) => [seat, arena.patched(table.open, delta)])
    .filter(([seat]) => viewer === null || seat === viewer);
  return { view: viewer === null ? table.open : own[0][1], own: new Map(own) };
};

/** Return what a viewer, a seat or null for all hands, is told of a move. */
arena.told = function (move, viewer) {
  const own = viewer === null || move.seat === viewer;
  const text = own || move.told === undefined ? move.text : move.told;
  return {
    seat: text ? move.seat : null,
    text: text || "a secret decision",
    then: move.then || [],
    note: (own && move.note) || "",
    fault: move.fault ? { kind: move.fault.kind, text: own ? move.fault.text : "" } : null,
    standIn: Boolean(move.stand_in) && Boolean(text),
  };
};

arena.start = function (replay) {
  const { el, badge } = arena;
  const part = (id) => document.getElementById(id);
  const tables = arena.tables(replay);
  const last = tables.length - 1;
  const faults = replay.moves.flatMap((move, step) => (move.fault ? [step] : []));
  const draw = arena.drawings[replay.game] || arena.plain;
  const keys = new Map();
  let step = 0;
  let viewer = null;
  let timer = null;
  let hashTimer = null;

  // -- the table -----------------------------------------------------------------------------

  function drawn(at) {
    const { view, own } = arena.seen(tables[at], viewer);
    const { variant, names, sides, facts } = replay;
    const actor = at ? arena.told(replay.moves[at], viewer).seat : null;
    const seats = names.map((_, seat) => seat);
    return el("div", {}, draw(view, { variant, names, sides, facts, own, actor, seats }));
  }

  function keyed(table) {
    return [...table.querySelectorAll("[data-key]")];
  }

  /** Return the keys of the items on the table at a step, for this viewer. */
  function keysAt(at, table) {
    if (!keys.has(at)) {
      keys.set(at, new Set(keyed(table || drawn(at)).map((one) => one.dataset.key)));
    }
    return keys.get(at);
  }

  function showTable() {
    const now = drawn(step);
    keysAt(step, now);
    if (step) {
      const before = keysAt(step - 1);
      keyed(now)
        .filter((one) => !before.has(one.dataset.key))
        .forEach((one) => one.classList.add("fresh"));
    }
    part("table").replaceChildren(...now.childNodes);
  }

  // -- the moves -----------------------------------------------------------------------------

  function line(move) {
    const { seat, text, then, note, fault, standIn } = arena.told(move, viewer);
    const who = seat === null ? [] : [badge(seat), el("b", {}, replay.names[seat]), " "];
    return [
      ...who,
      text,
      standIn ? el("span", { class: "mark" }, "stand-in") : null,
      fault
        ? el("span", { class: "fault" }, `Fault (${fault.kind})${fault.text && `: ${fault.text}`}`)
        : null,
      then.map((told) => el("span", { class: "then" }, told)),
      note ? el("q", { class: "note" }, note) : null,
    ];
  }

  function listMoves() {
    const lines = replay.moves.map((move, at) => {
      const button = el(
        "button",
        { type: "button" },
        el("span", { class: "at" }, String(at)),
        line(move),
      );
      button.addEventListener("click", () => go(at));
      return el("li", { class: move.fault ? "faulty" : null }, button);
    });
    part("moves").replaceChildren(...lines);
  }

  function markMove() {
    const list = part("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = list.children[step].firstElementChild;
    current.setAttribute("aria-current", "step");
    const top = current.offsetTop; // in the list: the page must not scroll
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - (list.clientHeight - current.offsetHeight) / 2;
    }
  }

  // -- stepping ------------------------------------------------------------------------------

  function show() {
    part("now").replaceChildren(...el("p", {}, line(replay.moves[step])).childNodes);
    part("step").value = step;
    part("step").setAttribute("aria-valuetext", `step ${step} of ${last}`);
    part("count").textContent = `${step} / ${last}`;
    part("ending").hidden = step !== last;
    part("first").disabled = part("back").disabled = step === 0;
    part("next").disabled = part("last").disabled = step === last;
    part("chapter").value = replay.chapters.findLast((chapter) => chapter.step <= step).step;
    showTable();
    markMove();
  }

  /** Keep the step in the address, but not too often, as browsers limit that. */
  function keepStep() {
    clearTimeout(hashTimer);
    hashTimer = setTimeout(() => history.replaceState(null, "", `#${step}`), 200);
  }

  function go(to) {
    const target = Math.max(0, Math.min(last, to));
    if (target === last) {
      stop();
    }
    if (target !== step) {
      step = target;
      show();
      keepStep();
    }
  }

  function goToFault() {
    go(faults.find((at) => at > step) ?? faults[0]);
  }

  function goToHash(hash) {
    if (/^#\d{1,6}$/.test(hash)) {
      go(Number(hash.slice(1)));
    }
  }

  function play() {
    if (step === last) {
      go(0);
    }
    part("now").setAttribute("aria-live", "off"); // announcements would not keep up
    part("play").setAttribute("aria-pressed", "true");
    timer = setInterval(() => go(step + 1), Number(part("speed").value));
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    part("now").setAttribute("aria-live", "polite");
    part("play").setAttribute("aria-pressed", "false");
  }

  function toggle() {
    (timer === null ? play : stop)();
  }

  function toggleKeys() {
    part("keys").hidden = !part("keys").hidden;
    part("help").setAttribute("aria-expanded", String(!part("keys").hidden));
  }

  const KEYS = {
    ArrowLeft: () => go(step - 1),
    ArrowRight: () => go(step + 1),
    Home: () => go(0),
    End: () => go(last),
    " ": toggle,
    f: goToFault,
    "?": toggleKeys,
  };

  function onKey(event) {
    const own = event.target.closest("select, input"); // these handle keys themselves
    const presses = event.key === " " && event.target.closest("button, a, summary");
    if (own || presses || event.altKey || event.ctrlKey || event.metaKey || !KEYS[event.key]) {
      return;
    }
    event.preventDefault();
    KEYS[event.key]();
  }

  // -- the start -----------------------------------------------------------------------------

  const option = (value, text) => el("option", { value: String(value) }, text);
  part("seat").append(...replay.names.map((name, seat) => option(seat, `seat ${seat}, ${name}`)));
  part("chapter").append(...replay.chapters.map((chapter) => option(chapter.step, chapter.title)));
  part("step").max = last;
  part("fault").disabled = !faults.length;

  part("first").addEventListener("click", () => go(0));
  part("back").addEventListener("click", () => go(step - 1));
  part("play").addEventListener("click", toggle);
  part("next").addEventListener("click", () => go(step + 1));
  part("last").addEventListener("click", () => go(last));
  part("fault").addEventListener("click", goToFault);
  part("help").addEventListener("click", toggleKeys);
  part("step").addEventListener("input", (event) => go(Number(event.target.value)));
  part("chapter").addEventListener("change", (event) => go(Number(event.target.value)));
  part("seat").addEventListener("change", (event) => {
    viewer = event.target.value === "" ? null : Number(event.target.value);
    keys.clear();
    listMoves();
    show();
  });
  part("speed").addEventListener("change", () => {
    if (timer !== null) {
      stop();
      play();
    }
  });
  document.addEventListener("keydown", onKey);
  // Not the current address, which `keepStep` may have changed.
  window.addEventListener("hashchange", (event) => goToHash(new URL(event.newURL).hash));

  part("replay").hidden = false;
  listMoves();
  show();
  goToHash(location.hash);
};

arena.start(window.replay);
