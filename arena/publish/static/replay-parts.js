// What the tables of all games share. The scene of a game lists pieces with identities and places;
// the board draws them and moves those that are elsewhere in the next scene. Texts stay texts.
"use strict";

const arena = { scenes: {}, faces: {}, beats: {} };

/** How long a piece takes to its new place. */
arena.MOTION_MS = 250;

function builder(create) {
  return (tag, attributes, ...children) => {
    const element = create(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    const isThere = (child) => child !== null && child !== undefined && child !== false;
    element.append(...children.flat(Infinity).filter(isThere));
    return element;
  };
}

/** Return a new element with attributes, and children: elements, texts, or lists of them. */
arena.el = builder((tag) => document.createElement(tag));
/** Return a new element of a drawing, likewise. */
arena.svg = builder((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));

/** Return the name of a slug: `plague-spreader-1` is `Plague spreader 1`. */
arena.called = function (slug) {
  const text = slug.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Return `make(0)`, `make(1)` and so on, `number` of them. */
arena.times = function (number, make) {
  return Array.from({ length: Math.max(0, number) }, (_, at) => make(at));
};

/** Return a number with its sign: `+3`, `−1`. */
arena.signed = (number) => (number < 0 ? `\u2212${-number}` : number ? `+${number}` : "0");

// Each seat has the colour of its bot, which the page knows.
const colored = document.querySelector("[data-colors]");
apart(colored ? colored.dataset.colors.split(" ").map(Number) : []).forEach((color, seat) =>
  document.documentElement.style.setProperty(`--seat-${seat}`, `var(--bot-${color})`),
);

/** Draw the number of a seat in its colour, in the text of a page. */
arena.badge = function (seat) {
  const attributes = { class: `badge seat-${seat}`, role: "img", "aria-label": `seat ${seat}` };
  return arena.el("span", attributes, String(seat));
};

// -- drawing ---------------------------------------------------------------------------------------

const pen = document.createElement("canvas").getContext("2d");

/** Return the width of a text in a drawing. */
arena.widthOf = function (text, size, weight = 400) {
  pen.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
};

/** Return the start of a text that fits a width, with an ellipsis if it is cut. */
arena.cut = function (text, width, size, weight) {
  if (arena.widthOf(text, size, weight) <= width) {
    return text;
  }
  const letters = [...text];
  while (letters.length && arena.widthOf(`${letters.join("")}…`, size, weight) > width) {
    letters.pop();
  }
  return `${letters.join("")}…`;
};

/** Draw a text; `look` names classes, of which `middle` and `end` say where (x, y) is. */
arena.text = function (x, y, text, size = 13, look = "") {
  return arena.svg("text", { x, y, "font-size": size, class: look || null }, String(text));
};

arena.box = function (x, y, width, height, look, radius = 6) {
  return arena.svg("rect", { x, y, width, height, rx: radius, class: look });
};

arena.path = (d, look, attributes) => arena.svg("path", { d, class: look, ...attributes });

/** Draw the badge of a seat, round (x, y). */
arena.token = function (seat, x = 0, y = 0, radius = 9) {
  return arena.svg(
    "g",
    { class: `seat-${seat}`, transform: `translate(${x} ${y})` },
    arena.svg("circle", { r: radius, class: "of-seat" }),
    arena.text(0, radius * 0.5, seat, radius * 1.5, "middle on-seat strong"),
  );
};

/** Draw the badges of a side, from (x, y) to the right. */
arena.tokens = (seats, x, y, radius) =>
  seats.map((seat, at) => arena.token(seat, x + at * radius * 1.7, y, radius));

/** Faces that all games have. Each takes the values that a piece has after the name of its face. */
Object.assign(arena.faces, {
  /** A text at its place. */
  label: (text, size, look) => arena.text(0, 0, text, size, look),
  /** A box with a text in its middle. */
  box: (width, height, text, look, size = 14) => [
    arena.box(-width / 2, -height / 2, width, height, look || "card"),
    arena.text(0, size * 0.36, arena.cut(text, width - 6, size), size, "middle"),
  ],
  /** The back of a card. */
  back: (width, height) => [
    arena.box(-width / 2, -height / 2, width, height, "card", width / 9),
    arena.box(3 - width / 2, 3 - height / 2, width - 6, height - 6, "card-back", width / 12),
  ],
  /** The badge of a seat. */
  seat: (seat, radius) => arena.token(seat, 0, 0, radius),
  /** The name of a seat with what it has, on a plate. */
  plate: (width, seat, name, figures, isNext) => {
    const widths = figures.map(([what, value]) => arena.widthOf(`${what} ${value}`, 14, 600) + 16);
    const room = width - 60 - widths.reduce((sum, one) => sum + one, 0);
    let right = width - 6;
    return [
      arena.box(0, 0, width, 28, `plate${isNext ? " is-next" : ""}`),
      arena.token(seat, 16, 14, 10),
      arena.svg("use", { href: `#emblem-${seat}`, x: 31, y: 5, width: 15, height: 18 }),
      arena.text(52, 19, arena.cut(name, room, 15, 600), 15, "strong"),
      figures.toReversed().map(([what, value], at) => {
        const text = arena.svg("text", { x: right, y: 19, "font-size": 14, class: "end" });
        text.append(`${what} `, arena.svg("tspan", { class: "strong" }, String(value)));
        right -= widths[widths.length - 1 - at];
        return text;
      }),
    ];
  },
});

// -- the board -------------------------------------------------------------------------------------

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** An SVG element on which scenes are shown.
 *
 * A scene has a `size`, width and height, and `pieces` from below to above. A piece has
 * `id`: who it is, in all scenes of a game;
 * `at`: its place [x, y];
 * `face`: the name of a face and its values;
 * and possibly `size` and `turn` (a factor, and degrees), `w`: the width of its face, which says
 * how one face grows into another, `title`: what a pointer is told,
 * `slug`: its name in actions, `lit`: whether an action uses it, `look`: classes,
 * `from`: the place from which it comes if it is new, `to`: where it goes when it leaves,
 * `pool`: pieces that cannot be told apart, of which one that leaves becomes one that is new.
 */
arena.Board = class {
  constructor(element) {
    this.element = element;
    this.pieces = new Map();
  }

  /** Show a scene. Pieces move unless `isStill`. */
  show(scene, isStill) {
    const [width, height] = scene.size;
    const viewBox = `0 0 ${width} ${height}`;
    const moves = !(isStill || still.matches || this.element.getAttribute("viewBox") !== viewBox);
    const before = inheriting(this.pieces, scene.pieces);
    this.element.setAttribute("viewBox", viewBox);
    this.pieces = new Map(scene.pieces.map((piece) => [piece.id, this.placed(piece, before)]));
    const gone = [...before].filter(([id]) => !this.pieces.has(id)).map(([, shown]) => shown);
    this.element.replaceChildren(
      ...[...this.pieces.values()].map((shown) => shown.element),
      ...(moves ? gone.map((shown) => shown.element) : []),
    );
    for (const shown of moves ? this.pieces.values() : []) {
      shown.move?.();
    }
    for (const { element, piece } of moves ? gone : []) {
      const end = piece.to
        ? { transform: transformOf({ ...piece, at: piece.to }) }
        : { opacity: 0 };
      const going = element.animate([{}, end], TIMING);
      going.finished.then(
        () => element.remove(),
        () => element.remove(),
      );
    }
  }

  /** Draw a piece at its place, and return it with what makes it come from where it was. */
  placed(piece, before) {
    const shown = before.get(piece.id) || { element: arena.svg("g") };
    const { element } = shown;
    element.dataset.id = piece.id;
    const face = JSON.stringify([piece.face, piece.title]);
    const was = shown.piece;
    const isMoving = was && element.getAnimations().length;
    const start = isMoving ? getComputedStyle(element).transform : transformOf(origin(piece, was));
    if (shown.face !== face) {
      const [kind, ...values] = piece.face;
      const title = piece.title ? arena.svg("title", {}, piece.title) : null;
      element.replaceChildren(arena.svg("g", {}, title, arena.faces[kind](...values)));
    }
    const look = ["piece", piece.look, piece.lit && "lit", piece.slug && "named"];
    element.setAttribute("class", look.filter(Boolean).join(" "));
    element.toggleAttribute("data-slug", false);
    if (piece.slug) {
      element.dataset.slug = piece.slug;
    }
    const goal = transformOf(piece);
    element.style.transform = goal;
    const frames = [
      { transform: start, opacity: was || piece.from ? 1 : 0 },
      { transform: goal, opacity: 1 },
    ];
    const move = !was || start !== goal ? () => element.animate(frames, TIMING) : null;
    return { element, piece, face, move };
  }
};

const TIMING = { duration: arena.MOTION_MS, easing: "ease-in-out" };

/** Return shown pieces by id, so that new pieces of a pool have been those of it that are gone. */
function inheriting(shown, pieces) {
  const now = new Set(pieces.map((piece) => piece.id));
  const before = new Map(shown);
  const gone = [...shown].filter(([id, { piece }]) => piece.pool && !now.has(id));
  for (const piece of pieces) {
    const heir =
      piece.pool && !shown.has(piece.id)
        ? gone.findIndex(([, old]) => old.piece.pool === piece.pool)
        : -1;
    if (heir >= 0) {
      const [[id, old]] = gone.splice(heir, 1);
      before.delete(id);
      before.set(piece.id, old);
    }
  }
  return before;
}

/** Return a piece where it comes from, as large as it was there. */
function origin(piece, was) {
  if (!was) {
    return { ...piece, at: piece.from || piece.at };
  }
  return {
    ...was,
    size: ((was.size || 1) * (was.w || 1)) / (was.w && piece.w ? piece.w : was.w || 1),
  };
}

function transformOf({ at: [x, y], turn, size }) {
  return `translate(${x}px, ${y}px) rotate(${turn || 0}deg) scale(${size || 1})`;
}

// -- games that are drawn by a table of places, of `PiecePlace` in arena/plugins.py ----------------

Object.assign(arena.faces, {
  card: (value) => arena.faces.box(42, 58, String(value), "card", 20),
  coin: (value) => [
    arena.svg("circle", { r: 18, class: "coin" }),
    arena.text(0, 6, value, 16, "middle strong"),
  ],
  text: (value, label) => arena.text(0, 5, label ? `${label} ${value}` : value, 15, "ink"),
});

function read(view, field) {
  return field
    .split(".")
    .reduce((value, key) => (Array.isArray(value) ? value.at(Number(key)) : value?.[key]), view);
}

/** Return the scene of a game whose pieces are where a table of places says. */
arena.placed =
  ({ size, places }) =>
  (view, context) => {
    const pieces = new Map();
    const said = [];
    const { names, seats, own, next } = context;
    const at = (place, seat, number) => {
      const [x, y] = place.seat_step || [0, 80];
      const [dx, dy] = place.step || [48, 0];
      return [place.at[0] + seat * x + number * dx, place.at[1] + seat * y + number * dy];
    };
    const put = (place, value, seat, number) => {
      const id = place.piece ? `${place.piece}-${value}` : `${place.field}-${seat}-${number}`;
      const where = at(place, seat, number);
      pieces.delete(id); // it lies above what was there before
      if (place.face === "plate") {
        pieces.set(id, {
          id,
          at: where,
          face: ["plate", 220, seat, names[seat], [[place.label || "", value]], next === seat],
        });
      } else {
        pieces.set(id, {
          id,
          at: where,
          face: [place.face || "card", value, place.label || ""],
          slug: String(value),
        });
      }
    };
    for (const place of places) {
      const rows = {
        listed: () => read(view, place.field),
        own: () => seats.map((seat) => own.get(seat) && read(own.get(seat), place.field)),
      }[place.seats];
      (rows ? rows() || [] : [read(view, place.field)]).forEach((row, seat) => {
        const values = [row].flat().filter((value) => value !== null && value !== undefined);
        values.forEach((value, number) => put(place, value, seat, number));
        said.push(
          `${rows ? `${names[seat]}: ` : ""}${place.label || arena.called(place.field)} ${values.join(", ") || "none"}.`,
        );
      });
    }
    const ground = { id: "ground", at: [0, 0], face: ["ground", ...size] };
    return { size, pieces: [ground, ...pieces.values()], said };
  };

arena.faces.ground = (width, height) => arena.box(0, 0, width, height, "panel", 14);

// -- games without a drawing -----------------------------------------------------------------------

/** Draw a small table with a row of headings. */
arena.grid = function (caption, headings, rows) {
  const cells = (tag, row) => row.map((cell) => arena.el(tag, {}, cell));
  return arena.el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    arena.el(
      "table",
      {},
      arena.el("caption", {}, caption),
      arena.el("thead", {}, arena.el("tr", {}, cells("th", headings))),
      arena.el(
        "tbody",
        {},
        rows.map((row) => arena.el("tr", {}, cells("td", row))),
      ),
    ),
  );
};

/** Return a field of a view as text. A text with several lines, such as a board, stays as it is. */
function shownField(value) {
  if (typeof value === "string") {
    return value.includes("\n") ? arena.el("pre", {}, value) : value;
  }
  const isWords = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isWords ? value.join(", ") : JSON.stringify(value);
}

/** Draw any game's table, field by field, without empty texts and lists. */
arena.plain = function (view, context) {
  const fields = Object.entries(view);
  for (const [seat, own] of context.own) {
    for (const [field, value] of Object.entries(own)) {
      if (JSON.stringify(value) !== JSON.stringify(view[field])) {
        fields.push([`${field} of seat ${seat}`, value]);
      }
    }
  }
  const rows = fields
    .filter(([, value]) => value !== "" && value?.length !== 0)
    .map(([field, value]) => [field, shownField(value)]);
  return arena.grid("The table", ["field", "value"], rows);
};

/** Mark the pieces that the last action names; if there are none, the plate of the seat that acted. */
function markLast(pieces, { moved, actor }) {
  const named = pieces.filter(({ id, slug, isLast }) => isLast || moved?.some((word) => word === slug || word === id));
  const plate = pieces.filter(({ id }) => id === `plate-${actor}`);
  (named.length ? named : plate).forEach((piece) => (piece.look = `${piece.look || ""} last`));
}

/** What a page shows of a game: its scene on a board and in words, or its plain table. */
arena.TableOfGame = class {
  constructor(part, game) {
    this.part = part;
    const above = Math.ceil(part.getBoundingClientRect().top + window.scrollY);
    document.documentElement.style.setProperty("--above", `${above}px`); // the rest of the window is for the board
    this.scene = arena.scenes[game];
    if (this.scene) {
      this.drawing = arena.svg("svg", { class: "board-of-game", "aria-hidden": "true" });
      this.words = arena.el("ul", { class: "unseen", "aria-label": "The table in words" });
      this.board = new arena.Board(this.drawing);
      part.replaceChildren(this.drawing, this.words);
      const redraw = () =>
        this.last && this.isNarrow() !== this.last[1].narrow && this.show(...this.last, true);
      new ResizeObserver(redraw).observe(part);
    }
  }

  isNarrow() {
    return this.part.clientWidth < 600;
  }

  show(view, context, isStill) {
    if (!this.scene) {
      this.part.replaceChildren(arena.plain(view, context));
      return;
    }
    context.narrow = this.isNarrow();
    this.last = [view, context];
    const scene = this.scene(view, context);
    markLast(scene.pieces, context);
    this.drawing.style.aspectRatio = scene.size.join(" / ");
    this.part.parentElement.style.setProperty("--ratio", scene.size[0] / scene.size[1]);
    this.board.show(scene, isStill);
    this.words.replaceChildren(...scene.said.map((text) => arena.el("li", {}, text)));
  }
};
