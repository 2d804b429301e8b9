// Parts of the tables of all games. Text enters the page as text only.
"use strict";

const arena = { drawings: {} };

/** Return a new element with attributes, and children: elements, texts, or lists of them. */
arena.el = function (tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined),
  );
  return element;
};

/** Return the name of a slug: `plague-spreader-1` is `Plague spreader 1`. */
arena.called = function (slug) {
  const text = slug.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Return `make(0)`, `make(1)` and so on, `number` of them. */
arena.times = function (number, make) {
  return Array.from({ length: Math.max(0, number) }, (_, at) => make(at));
};

/** Draw the number of a seat in its colour. */
arena.badge = function (seat) {
  const name = `seat ${seat}`;
  return arena.el(
    "span",
    { class: `badge seat-${seat}`, role: "img", "aria-label": name },
    String(seat),
  );
};

/** Draw the badges of several seats. */
arena.badges = function (seats) {
  return arena.el("span", { class: "badges" }, seats.map(arena.badge));
};

/** Draw a card or tile that lies face down. */
arena.back = function (kind) {
  return arena.el("span", { class: `${kind} back`, role: "img", "aria-label": "face down" });
};

/** Draw a value with its name. */
arena.figure = function (name, value) {
  const shown = arena.el("b", {}, String(value));
  return arena.el("span", { class: "figure", "data-name": name }, `${name} `, shown);
};

/** Return the number that a figure shows; NaN if it is none. */
arena.valueOf = function (figure) {
  return Number(figure.querySelector("b").textContent);
};

/** Return a list with the change of a figure since the value `before`, or an empty list. */
arena.changeOf = function (figure, before) {
  const change = arena.valueOf(figure) - before;
  if (!change) {
    return []; // also if there is no number
  }
  const text = change > 0 ? ` +${change}` : ` \u2212${-change}`;
  return [arena.el("span", { class: `change${change > 0 ? "" : " less"}` }, text)];
};

/** Draw a part of the table under a heading. */
arena.section = function (title, className, ...children) {
  return arena.el("section", { class: className }, arena.el("h3", {}, title), ...children);
};

/** Draw the area of a seat; `marks` are short words about it, `figures` what it has. */
arena.area = function (seat, context, marks, figures, ...children) {
  const isNext = context.next === seat;
  return arena.el(
    "section",
    { class: `area seat-${seat}${isNext ? " is-next" : ""}` },
    arena.el(
      "h3",
      {},
      arena.badge(seat),
      arena.el("span", { class: "name" }, context.names[seat]),
      isNext ? arena.el("span", { class: "turn" }, "next") : null,
      marks.filter(Boolean).map((mark) => arena.el("span", { class: "mark" }, mark)),
    ),
    arena.el("p", { class: "figures" }, figures),
    ...children,
  );
};

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

/** Draw any game's table, field by field. */
arena.plain = function (view, context) {
  const rows = Object.entries(view).map(([field, value]) => [field, JSON.stringify(value)]);
  for (const [seat, own] of context.own) {
    for (const [field, value] of Object.entries(own)) {
      if (JSON.stringify(value) !== JSON.stringify(view[field])) {
        rows.push([`${field} of seat ${seat}`, JSON.stringify(value)]);
      }
    }
  }
  return [arena.grid("The table", ["field", "value"], rows)];
};
