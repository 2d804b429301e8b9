// Player of a replay: `window.replay`, written by arena/publish/replays.py.
"use strict";

/** Return a value after a delta of arena/publish/replays.py; the old value is not changed. */
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

/** Return the parts of a move that a viewer, a seat or null for all hands, may see. */
arena.visibleMove = function (move, viewer) {
  const own = viewer === null || move.seat === viewer;
  const text = own || move.told === undefined ? move.text : move.told;
  return {
    isWhole: text === move.text,
    seat: text ? move.seat : null,
    text: text || "a secret decision",
    then: move.then || [],
    note: (own && move.note) || "",
    took: (own && move.took) || "",
    fault: move.fault ? (own ? move.fault : { kind: move.fault.kind, text: "" }) : null,
    could: (own && move.could) || [],
    standIn: Boolean(move.stand_in) && Boolean(text),
  };
};

/** Return the words of actions. With `text`, return only those that occur in this text. */
arena.wordsOf = function (actions, text) {
  const words = actions.flatMap((action) => action.split(" ").slice(1));
  const allowed = text?.toLowerCase().split(/[^a-z0-9-]+/);
  return allowed ? words.filter((word) => allowed.includes(word)) : words;
};

/** Return a replay in which each beat after a move is a step, as the script of the game says. `of`
 * is the place of its move, in which the course of the points is drawn. */
arena.withBeats = function (replay) {
  const beatsOf = arena.beats[replay.game] || ((_, then) => [then]);
  const [moves, changes, starts] = [[], [], []];
  arena.tables(replay).forEach((table, step) => {
    const move = replay.moves[step];
    const [then, ...beats] = beatsOf(table.open, move.then || [], replay.names);
    starts.push(moves.length + Math.min(1, beats.length)); // a chapter begins after the first beat
    moves.push({ ...move, of: step, then, beat: beats.length ? 0 : undefined });
    changes.push(step ? replay.changes[step - 1] : null, ...beats.map(() => null));
    beats.forEach(([text, ...more], at) =>
      moves.push({ at: move.at, of: step, seat: null, text, then: more, beat: at + 1 }),
    );
  });
  const chapters = replay.chapters.map((one) => ({ ...one, step: starts[one.step] }));
  return { ...replay, moves, changes: changes.slice(1), chapters };
};

/** Return the address of a move as a viewer sees it, from `#`: the number of actions, the beat. */
arena.address = function ({ at, beat }, viewer) {
  return `#${at}${beat ? `.${beat}` : ""}${viewer === null ? "" : `&seat=${viewer}`}`;
};

/** Return the place and the viewer of an address; undefined is what it does not say. */
arena.readAddress = function (hash, seats) {
  const [, at, beat, seat] = /^#(\d{1,6})(?:\.(\d{1,2}))?(?:&seat=(\d))?$/.exec(hash) || [];
  const isSeat = seat !== undefined && Number(seat) < seats;
  return {
    at: at === undefined ? undefined : Number(at),
    beat: Number(beat || 0),
    viewer: isSeat ? Number(seat) : undefined,
  };
};

/** Return the seat of the next move, or null if the viewer may not know it. */
arena.nextSeat = function (replay, step, viewer) {
  const move = replay.moves[step + 1];
  return move ? arena.visibleMove(move, viewer).seat : null;
};

/** Return the points of each side at each step; null if the game does not tell. */
arena.courseOf = function (replay) {
  let points = null;
  const course = replay.course.map((now) => (points = now || points));
  return points && course;
};

/** Return the steps at which another side than before has most points. */
arena.leadChanges = function (course) {
  let leader = null;
  return course.flatMap((points, step) => {
    const most = Math.max(...points);
    const first = points.filter((own) => own === most).length === 1 ? points.indexOf(most) : leader;
    const isNew = first !== leader && leader !== null;
    leader = first;
    return isNew ? [step] : [];
  });
};

/** Draw the points of the sides in the course of a game, with lead changes and faults. */
arena.drawCourse = function (replay, faults) {
  const { el, svg, badge } = arena;
  const course = arena.courseOf(replay);
  const last = replay.course.length - 1;
  const left = (step) => `${(100 * step) / last}%`;
  const mark = (step, look, title, ...children) => {
    const found = el("span", { class: look, title }, ...children);
    found.style.left = left(step);
    return found;
  };
  const marks = faults.map((step) =>
    mark(replay.moves[step].of, "at-fault", `fault of ${replay.names[replay.moves[step].seat]}`),
  );
  if (!course) {
    return marks;
  }
  const all = course.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const y = (points) => 100 - (100 * (points - low)) / (high - low);
  const lines = replay.sides.map((side, at) => {
    const d = course.map((points, step) =>
      step ? `H${step}V${y(points[at])}` : `M0 ${y(points[at])}`,
    );
    return svg("path", { class: `line seat-${side[0]}`, d: d.join("") });
  });
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${last} 100`, preserveAspectRatio: "none" },
    svg("path", { class: "zero", d: `M0 ${y(0)}H${last}` }),
    lines,
  );
  const changes = arena.leadChanges(course).map((step) => {
    const points = course[step];
    const side = points.indexOf(Math.max(...points));
    const names = replay.sides[side].map((seat) => replay.names[seat]).join(" and ");
    const found = mark(step, `at-change seat-${replay.sides[side][0]}`, `${names} takes the lead`);
    found.style.top = `${y(Math.max(...points))}%`;
    return found;
  });
  // The badges at the ends of the lines make room for each other.
  const ends = replay.sides
    .map((side, at) => ({ side, top: y(course[last][at]) }))
    .sort((a, b) => a.top - b.top);
  const apart = Math.min(24, 100 / Math.max(1, ends.length - 1));
  ends.forEach((end, at) => at && (end.top = Math.max(end.top, ends[at - 1].top + apart)));
  ends.toReversed().forEach((end, at) => (end.top = Math.min(end.top, 100 - at * apart)));
  const badges = ends.map(({ side, top }) => {
    const found = el("span", { class: "at-end" }, side.map(badge));
    found.style.top = `${top}%`;
    return found;
  });
  return [drawing, changes, marks, badges, el("span", { class: "at-most" }, String(high))].flat();
};

arena.start = function (replay) {
  const { el, badge } = arena;
  const part = (id) => document.getElementById(id);
  const tables = arena.tables(replay);
  const last = tables.length - 1;
  const faults = replay.moves.flatMap((move, step) => (move.fault ? [step] : []));
  part("replay").hidden = false;
  const table = new arena.TableOfGame(part("table"), replay.game);
  const cursor = el("span", { class: "cursor" });
  let step = 0;
  let viewer = null;
  let timer = null;
  let hashTimer = null;
  let hash = location.hash; // the last that was gone to or kept: another one is just being gone to

  // -- the table -----------------------------------------------------------------------------

  /** Return the words of the actions that the next seat may choose from; null if it is secret. */
  function legalWords() {
    const move = replay.moves[step + 1];
    if (!move || (viewer !== null && move.seat !== viewer)) {
      return null;
    }
    const actions = [...(move.did || []), ...(move.could || [])].map((at) => replay.choices[at][0]);
    return new Set(actions.flatMap((action) => action.split(" ")));
  }

  function showTable(isStill) {
    const { view, own } = arena.seen(tables[step], viewer);
    const { variant, names, sides, facts } = replay;
    const next = arena.nextSeat(replay, step, viewer);
    const seats = names.map((_, seat) => seat);
    const move = replay.moves[step];
    const did = (move.did || []).map((at) => replay.choices[at][0]);
    const visible = arena.visibleMove(move, viewer);
    table.show(
      view,
      {
        variant,
        names,
        sides,
        facts,
        own,
        next,
        seats,
        viewer,
        legal: legalWords(),
        did: visible.isWhole ? did : [],
        moved: arena.wordsOf(did, visible.isWhole ? null : visible.text),
        actor: visible.seat,
        beat: move.beat,
        then: move.then,
      },
      isStill,
    );
  }

  // -- the moves -----------------------------------------------------------------------------

  function faultCard(fault) {
    return el(
      "span",
      { class: "fault" },
      el("b", {}, `Fault (${fault.kind})`),
      fault.text && `: ${fault.text}`,
    );
  }

  /** Return the move in a line, or how to step by touch until that was done once. */
  function brief(move) {
    const { seat, text } = arena.visibleMove(move, viewer);
    const isHint = step === 0 && navigator.maxTouchPoints > 0 && memory.get("swiped") !== "yes";
    return isHint
      ? "\u2039 Swipe the table to step \u203a"
      : [seat === null ? null : [badge(seat), el("b", {}, replay.names[seat]), " "], text];
  }

  function line(move) {
    const { seat, text, then, note, fault, standIn } = arena.visibleMove(move, viewer);
    return [
      seat === null ? null : [badge(seat), el("b", { class: "name" }, replay.names[seat]), " "],
      text,
      standIn ? el("span", { class: "mark" }, "stand-in") : null,
      fault ? faultCard(fault) : null,
      then.map((event) => el("span", { class: "then" }, event)),
      note ? el("q", { class: "note" }, note) : null,
    ];
  }

  /** Return what the bot could have done instead, for the panel of the move. */
  function alternatives(move) {
    const { could, took } = arena.visibleMove(move, viewer);
    const time = took && el("p", { class: "took" }, `thought ${took}`);
    if (!could.length) {
      return time || null;
    }
    const all = could.map((at) => el("li", {}, replay.choices[at][1]));
    const others = el(
      "details",
      { class: "could" },
      el("summary", {}, `could also have played: ${could.length}`),
      el("ul", {}, all),
    );
    return time ? el("div", {}, time, others) : others;
  }

  function log(move) {
    const { fault } = arena.visibleMove(move, viewer);
    return fault && fault.log
      ? el(
          "pre",
          { class: "log", tabindex: "0", "aria-label": "what the bot wrote to stderr" },
          fault.log,
        )
      : null;
  }

  function next() {
    const seat = arena.nextSeat(replay, step, viewer);
    return seat === null
      ? null
      : el(
          "p",
          { class: "next" },
          "next: ",
          badge(seat),
          el("span", { class: "name" }, replay.names[seat]),
        );
  }

  /** Return the final places, best first. */
  function ending() {
    const order = replay.names
      .map((_, seat) => seat)
      .sort((a, b) => replay.ranks[a] - replay.ranks[b]);
    return el(
      "div",
      { id: "ending", class: "ending" },
      el("b", {}, "The end"),
      el(
        "ol",
        {},
        order.map((seat) =>
          el(
            "li",
            { value: replay.ranks[seat] },
            badge(seat),
            el("span", { class: "name" }, replay.names[seat]),
            el("b", {}, ` ${replay.points[seat]} points`),
            replay.why[seat] ? el("span", { class: "why" }, replay.why[seat]) : null,
          ),
        ),
      ),
    );
  }

  function listMoves() {
    const lines = replay.moves.map((move, at) => {
      const button = el(
        "button",
        { type: "button", tabindex: "-1" }, // of all moves, only the current one is a tab stop
        el("span", { class: "at" }, move.beat ? null : String(move.at)),
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

  function show(isStill) {
    const move = replay.moves[step];
    const isOpen = part("now").querySelector(".could")?.open;
    part("now").replaceChildren(
      ...[
        el("p", {}, line(move)),
        log(move),
        step === last ? ending() : null,
        next(),
        alternatives(move),
      ].filter(Boolean),
    );
    part("brief").replaceChildren(el("span", {}, brief(move)));
    part("now").scrollTop = 0;
    if (isOpen && part("now").querySelector(".could")) {
      part("now").querySelector(".could").open = true;
    }
    part("step").value = move.of;
    part("step").setAttribute("aria-valuetext", `step ${move.at} of ${replay.moves[last].at}`);
    part("count").textContent = `${move.at} / ${replay.moves[last].at}`;
    part("first").disabled = part("back").disabled = step === 0;
    part("next").disabled = part("last").disabled = step === last;
    part("chapter").value = replay.chapters.findLast((chapter) => chapter.step <= step).step;
    cursor.style.left = `${(100 * move.of) / replay.moves[last].of}%`;
    showTable(isStill);
    markMove();
    part("replay").dispatchEvent(new CustomEvent("step", { detail: { step: move.of, viewer } }));
  }

  /** Keep step and viewer in the address, but not too often, as browsers limit that. */
  function keepAddress() {
    clearTimeout(hashTimer);
    hashTimer = setTimeout(() => {
      if (location.hash === hash) {
        history.replaceState(null, "", arena.address(replay.moves[step], viewer));
        hash = location.hash;
      }
    }, 200);
  }

  function go(to) {
    const target = Math.max(0, Math.min(last, to));
    if (target === last) {
      stop();
    }
    if (target !== step) {
      step = target;
      show();
      keepAddress();
    }
  }

  /** Go to a move: to its first beat, or at the end of the game to the last one. */
  function goToMove(of) {
    go(of < replay.moves[last].of ? replay.moves.findIndex((move) => move.of === of) : last);
  }

  function goToFault() {
    if (faults.length) {
      go(faults.find((at) => at > step) ?? faults[0]);
    }
  }

  function goToAddress(to) {
    const wanted = arena.readAddress(to, replay.names.length);
    if (wanted.viewer !== undefined && wanted.viewer !== viewer) {
      showAs(wanted.viewer);
    }
    if (wanted.at !== undefined) {
      const move = replay.moves.find(({ at }) => at >= wanted.at) || replay.moves[last];
      const isThere = ({ at, beat }) => at === move.at && (beat || 0) <= wanted.beat;
      go(replay.moves.findLastIndex(isThere));
    }
  }

  /** Show what a seat sees, or all hands if it is null. */
  function showAs(seat) {
    viewer = seat;
    part("seat").value = seat === null ? "" : String(seat);
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
    if (timer === null) {
      play();
    } else {
      stop();
    }
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
    if (
      !act ||
      !part("keys-on").checked ||
      presses ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    ) {
      return;
    }
    event.preventDefault();
    act();
  }

  /** Step by swiping the table: to the left is forward. */
  function watchSwipes() {
    let start = null;
    part("table").addEventListener("pointerdown", (event) => {
      start = event.pointerType === "mouse" ? null : [event.clientX, event.clientY];
    });
    part("table").addEventListener("pointerup", (event) => {
      const [dx, dy] = start ? [event.clientX - start[0], event.clientY - start[1]] : [0, 0];
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) {
        memory.set("swiped", "yes");
        go(step - Math.sign(dx));
      }
      start = null;
    });
  }

  // -- the start -----------------------------------------------------------------------------

  const option = (value, text) => el("option", { value: String(value) }, text);
  part("seat").append(...replay.names.map((name, seat) => option(seat, `seat ${seat}, ${name}`)));
  part("chapter").append(...replay.chapters.map((chapter) => option(chapter.step, chapter.title)));
  part("step").max = replay.moves[last].of;
  part("fault").hidden = !faults.length;
  part("graph").append(...arena.drawCourse(replay, faults), cursor);
  part("graph").classList.toggle("is-empty", !arena.courseOf(replay));
  part("keys-on").checked = memory.get("keys") !== "no";

  part("graph").addEventListener("click", (event) => {
    const { left, width } = part("graph").getBoundingClientRect();
    goToMove(Math.round(((event.clientX - left) / width) * replay.moves[last].of));
  });
  part("first").addEventListener("click", () => go(0));
  part("back").addEventListener("click", () => go(step - 1));
  part("play").addEventListener("click", toggle);
  part("next").addEventListener("click", () => go(step + 1));
  part("last").addEventListener("click", () => go(last));
  part("fault").addEventListener("click", goToFault);
  part("help").addEventListener("click", toggleKeys);
  part("keys-on").addEventListener("change", (event) =>
    memory.set("keys", event.target.checked ? "yes" : "no"),
  );
  part("step").addEventListener("input", (event) => goToMove(Number(event.target.value)));
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
  window.addEventListener("hashchange", () => goToAddress((hash = location.hash)));
  part("replay").addEventListener("go", ({ detail }) => goToAddress(detail));
  // `keepAddress` waits, so a link may be to the address of a step that was left just now; then no
  // hash changes.
  document.addEventListener("click", ({ target }) => {
    if (location.hash && target.closest("a")?.getAttribute("href") === location.hash) {
      goToAddress(location.hash);
    }
  });
  watchSwipes();

  listMoves();
  show(true);
  goToAddress(location.hash);
};

arena.start(arena.withBeats(window.replay));
