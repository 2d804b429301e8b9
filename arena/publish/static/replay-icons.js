// Pictures of what tiles of Brides & Bribes do: a path of 16 by 16 for each sort of effect.
"use strict";

arena.ICONS = {
  dagger: "M8 0l2 3v6H6V3zM3 10h10v2H9v4H7v-4H3z",
  shield: "M8 0l6 2v6c0 4-3 6-6 8-3-2-6-4-6-8V2z",
  coin: "M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1zM7 4h2v8H7z",
  heart: "M8 15L2 8.5A3.7 3.7 0 0 1 8 4a3.7 3.7 0 0 1 6 4.5z",
  crown: "M1 4l4 3 3-5 3 5 4-3-2 9H3z",
  worker: "M8 1a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2 15c0-4 2-7 6-7s6 3 6 7z",
  eye: "M0 8c3-4 5-5 8-5s5 1 8 5c-3 4-5 5-8 5S3 12 0 8zm8-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  swap: "M4 2v3h8V2l4 4-4 4V7H4v3L0 6zM4 11h8v3H4z",
  bar: "M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1zM3.5 6.5h9v3h-9z",
  down: "M6 1h4v7h4l-6 7-6-7h4z",
  scroll: "M3 1h8a2 2 0 0 1 2 2v12H5a2 2 0 0 1-2-2zM5 4v1.5h6V4zM5 7v1.5h6V7zM5 10v1.5h6V10z",
};

/** By kind of tile: the sort of its effect. */
arena.ICON_OF = {
  antidote: "shield", guard: "shield",
  assassin: "dagger", poison: "dagger",
  gabriele: "coin", groomsman: "coin", lover: "coin", merchant: "coin", raineo: "coin",
  thief: "coin", "two-ducati": "coin",
  bard: "heart", ring: "heart",
  archivist: "crown", suit: "crown",
  "extra-worker": "worker", mediator: "worker", wine: "worker",
  ansaldo: "eye", double: "eye", falconer: "eye",
  antonio: "swap", beguiler: "swap", giovanni: "swap", jester: "swap", rat: "swap", tutor: "swap",
  barker: "bar", charmer: "bar", hag: "bar",
  crook: "down", damsel: "down", defamer: "down", magistrate: "down", "plague-spreader": "down",
  edict: "scroll",
};

/** Draw the picture of a kind of tile, or nothing if it has none. */
arena.icon = function (kind) {
  const sort = arena.ICON_OF[kind];
  if (!sort) {
    return null;
  }
  const space = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("class", `icon icon-${sort}`);
  icon.setAttribute("aria-hidden", "true");
  path.setAttribute("d", arena.ICONS[sort]);
  path.setAttribute("fill-rule", "evenodd");
  icon.append(path);
  return icon;
};
