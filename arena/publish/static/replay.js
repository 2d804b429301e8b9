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

/** Return the address of a step as a viewer sees it, from `#`. */
arena.address = function (step, viewer) {
  return `#${step}${viewer === null ? "" : `&seat=${viewer}`}`;
};

/** Return the step and the viewer of an address; undefined is what it does not say. */
arena.readAddress = function (hash, seats) {
  const [, step, seat] = /^#(\d{1,6})(?:&seat=(\d))?$/.exec(hash) || [];
  const isSeat = seat !== undefined && Number(seat) < seats;
  return {
    step: step === undefined ? undefined : Number(step),
    viewer: isSeat ? Number(seat) : undefined,
  };
};

/** Return the seat of the next move, or null if the viewer may not know it. */
arena.nextSeat = function (replay, step, viewer) {
  const move = replay.moves[step + 1];
  return move ? arena.told(move, viewer).seat : null;
};

arena.start = function (replay) {
  const { el, badge } = arena;
  const part = (id) => document.getElementById(id);
  const tables = arena.tables(replay);
  const last = tables.length - 1;
  const faults = replay.moves.flatMap((move, step) => (move.fault ? [step] : []));
  const draw = arena.drawings[replay.game] || arena.plain;
  const items = new Map();
  let step = 0;
  let viewer = null;
  let timer = null;
  let hashTimer = null;

  // -- the table -----------------------------------------------------------------------------

  function drawn(at) {
    const { view, own } = arena.seen(tables[at], viewer);
    const { variant, names, sides, facts } = replay;
    const next = arena.nextSeat(replay, at, viewer);
    const seats = names.map((_, seat) => seat);
    return el("div", {}, draw(view, { variant, names, sides, facts, own, next, seats }));
  }

  function keyed(table) {
    return [...table.querySelectorAll("[data-key]")];
  }

  /** Return the figures of the seats with a name of each: the area and what it counts. */
  function figures(table) {
    return [...table.querySelectorAll(".area")].flatMap((area, at) =>
      [...area.querySelectorAll(".figure")].map((one) => [`${at} ${one.dataset.name}`, one]),
    );
  }

  /** Return the keys of the items on the table at a step, and the figures, for this viewer. */
  function itemsAt(at, table) {
    if (!items.has(at)) {
      const shown = table || drawn(at);
      const values = figures(shown).map(([name, one]) => [name, arena.valueOf(one)]);
      const keys = keyed(shown).map((one) => one.dataset.key);
      items.set(at, { keys: new Set(keys), values: new Map(values) });
    }
    return items.get(at);
  }

  function showTable() {
    const now = drawn(step);
    itemsAt(step, now);
    if (step) {
      const before = itemsAt(step - 1);
      keyed(now)
        .filter((one) => !before.keys.has(one.dataset.key))
        .forEach((one) => one.classList.add("fresh"));
      figures(now).forEach(([name, one]) => one.append(...arena.changeOf(one, before.values.get(name))));
    }
    part("table").replaceChildren(...now.childNodes);
  }

  /** Scroll the page so that the first change is seen below what sticks to the top. */
  function showChange() {
    const fresh = step === last ? part("ending") : part("table").querySelector(".fresh");
    if (!fresh) {
      return;
    }
    const stuck = [...document.querySelectorAll("#replay .controls, #replay .steps, #now")];
    const top = Math.max(...stuck.filter(isStuck).map((one) => one.getBoundingClientRect().bottom), 0);
    const { top: from, bottom: to } = fresh.getBoundingClientRect();
    if (step === last) {
      window.scrollBy(0, from - top - 8);
    } else if (from < top || to > window.innerHeight) {
      const middle = (top + window.innerHeight) / 2;
      window.scrollBy(0, Math.min(from - top - 8, (from + to) / 2 - middle));
    }
  }

  function isStuck(element) {
    return getComputedStyle(element).position === "sticky";
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

  function next() {
    const seat = arena.nextSeat(replay, step, viewer);
    return seat === null
      ? null
      : el("span", { class: "next" }, "next: ", badge(seat), replay.names[seat]);
  }

  function listMoves() {
    const lines = replay.moves.map((move, at) => {
      const button = el(
        "button",
        { type: "button", tabindex: "-1" }, // of all moves, only the current one is a tab stop
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
    const before = list.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    const current = list.children[step].firstElementChild;
    current.setAttribute("aria-current", "step");
    current.setAttribute("tabindex", "0");
    if (list.contains(document.activeElement)) {
      current.focus({ preventScroll: true });
    }
    const top = current.offsetTop; // in the list: the page must not scroll
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - (list.clientHeight - current.offsetHeight) / 2;
    }
  }

  // -- stepping ------------------------------------------------------------------------------

  function show() {
    part("now").replaceChildren(...el("p", {}, next(), line(replay.moves[step])).childNodes);
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

  /** Keep step and viewer in the address, but not too often, as browsers limit that. */
  function keepAddress() {
    clearTimeout(hashTimer);
    hashTimer = setTimeout(
      () => history.replaceState(null, "", arena.address(step, viewer)),
      200,
    );
  }

  function go(to) {
    const target = Math.max(0, Math.min(last, to));
    if (target === last) {
      stop();
    }
    if (target !== step) {
      step = target;
      show();
      showChange();
      keepAddress();
    }
  }

  function goToFault() {
    if (faults.length) {
      go(faults.find((at) => at > step) ?? faults[0]);
    }
  }

  function goToAddress(hash) {
    const wanted = arena.readAddress(hash, replay.names.length);
    if (wanted.viewer !== undefined && wanted.viewer !== viewer) {
      showAs(wanted.viewer);
    }
    if (wanted.step !== undefined) {
      go(wanted.step);
    }
  }

  /** Show what a seat sees, or all hands if it is null. */
  function showAs(seat) {
    viewer = seat;
    part("seat").value = seat === null ? "" : String(seat);
    items.clear();
    listMoves();
    show();
    keepAddress();
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

  const STEPS = {
    ArrowLeft: () => go(step - 1),
    ArrowRight: () => go(step + 1),
  };
  const LIST = { ArrowUp: STEPS.ArrowLeft, ArrowDown: STEPS.ArrowRight };
  const KEYS = {
    ...STEPS,
    Home: () => go(0),
    End: () => go(last),
    " ": toggle,
    f: goToFault,
    "?": toggleKeys,
  };

  /** Return the keys that work where the focus is. */
  function keysOf(focused) {
    if (focused.closest("select, input")) {
      return STEPS; // all other keys are its own
    }
    return focused.closest("#moves") ? { ...KEYS, ...LIST } : KEYS;
  }

  function onKey(event) {
    const act = keysOf(event.target)[event.key];
    const presses = event.key === " " && event.target.closest("button, a, summary");
    if (!act || presses || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    act();
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
  part("seat").addEventListener("change", (event) =>
    showAs(event.target.value === "" ? null : Number(event.target.value)),
  );
  part("speed").addEventListener("change", () => {
    if (timer !== null) {
      stop();
      play();
    }
  });
  document.addEventListener("keydown", onKey);
  // Not the current address, which `keepAddress` may have changed.
  window.addEventListener("hashchange", (event) => goToAddress(new URL(event.newURL).hash));

  part("replay").hidden = false;
  listMoves();
  show();
  goToAddress(location.hash);
};

arena.start(window.replay);
