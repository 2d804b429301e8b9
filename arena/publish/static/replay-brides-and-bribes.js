// The table of Brides & Bribes: a map of the city with its boroughs and ships, a strip for the
// borough that is resolved, and for each family its race for influence and its tiles.
"use strict";

(function () {
  const { svg, text, box, path, called, times, faces, token, cut, widthOf } = arena;
  /** By sort of effect a picture of 16 by 16. */
  const ICONS = {
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
    coach: "M1 4h12l2 4v3h-1.5a2 2 0 0 1-4 0h-3a2 2 0 0 1-4 0H1zM3 5.5v2h3v-2zm5 0v2h4l-1-2z",
    house: "M8 1l7 6h-2v8h-4v-5H7v5H3V7H1z",
    star: "M8 0l2.4 5 5.6.800-4 4 1 5.7L8 12.8 3 15.5l1-5.7-4-4L5.6 5z",
  };
  /** By kind of tile the sort of its effect. */
  const ICON_OF = {
    antidote: "shield",
    guard: "shield",
    assassin: "dagger",
    poison: "dagger",
    gabriele: "coin",
    groomsman: "coin",
    lover: "coin",
    merchant: "coin",
    raineo: "coin",
    thief: "coin",
    "two-ducati": "coin",
    bard: "heart",
    ring: "heart",
    archivist: "crown",
    suit: "crown",
    "extra-worker": "worker",
    mediator: "worker",
    wine: "worker",
    ansaldo: "eye",
    double: "eye",
    falconer: "eye",
    antonio: "swap",
    beguiler: "swap",
    giovanni: "swap",
    jester: "swap",
    rat: "swap",
    tutor: "swap",
    barker: "bar",
    charmer: "bar",
    hag: "bar",
    crook: "down",
    damsel: "down",
    defamer: "down",
    magistrate: "down",
    "plague-spreader": "down",
    edict: "scroll",
  };
  const COLOURS = ["yellow", "red", "blue", "green", "black"];
  const TILE = 22;

  const icon = (sort, x, y, size, look) =>
    path(ICONS[sort], `icon icon-${sort} ${look || ""}`, {
      transform: `translate(${x} ${y}) scale(${size / 16})`,
      "fill-rule": "evenodd",
    });
  const short = (slug) => called(slug).replace(/ \d$/, "");

  Object.assign(faces, {
    /** A tile: its effect, its name if there is room, its prestige and, of a loyal, its charm. */
    "bb-tile": (slug, kind, width, prestige, charm) => {
      const look = charm !== null ? "loyal" : prestige !== null ? "common" : "object";
      const isWide = width >= 110;
      const worth =
        prestige === null
          ? ""
          : isWide && look === "loyal"
            ? `${prestige}/${charm}`
            : String(prestige);
      const left = isWide ? 20 : 5;
      const room = width - left - (worth ? widthOf(worth, 12.5, 700) + 7 : 5);
      return svg(
        "g",
        { class: `tile ${look}` },
        box(-width / 2, -TILE / 2, width, TILE, "card", look === "object" ? 11 : 4),
        look === "common"
          ? box(2 - width / 2, 2 - TILE / 2, width - 4, TILE - 4, "inner", 3)
          : null,
        isWide || width < 56
          ? icon(ICON_OF[kind] || "star", (width < 34 ? 3 : 5) - width / 2, -6, 12)
          : null,
        width >= 56 ? text(left - width / 2, 4.5, cut(short(slug), room, 12.5), 12.5) : null,
        text(width / 2 - 4, 4.5, worth, 12.5, "end strong"),
      );
    },
    "bb-back": (width, seat) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        box(-width / 2, -TILE / 2, width, TILE, "card of-seat-back", 4),
        box(3 - width / 2, 3 - TILE / 2, width - 6, TILE - 6, "card-back", 3),
      ),
    "bb-worker": (colour) =>
      svg(
        "g",
        { class: colour },
        path("M0-9a4 4 0 0 1 2.5 7C5-1 7 2 7 7H-7c0-5 2-8 4.5-9A4 4 0 0 1 0-9z", "worker"),
      ),
    "bb-count": (colour, number) => [
      svg(
        "g",
        { class: colour },
        path("M0-9a4 4 0 0 1 2.5 7C5-1 7 2 7 7H-7c0-5 2-8 4.5-9A4 4 0 0 1 0-9z", "worker"),
      ),
      text(8, 5, number, 13, "ink"),
    ],
    "bb-star": () => icon("star", -7, -7, 14, "of-influence"),
    "bb-figure": (sort, value) => [
      icon(sort, -7, -7, 14, sort === "star" ? "of-influence" : ""),
      text(10, 5, value, 14, "ink strong"),
    ],
    /** A bride: her charm in a medallion, her name and dowry beside it; a ring if she is wed. */
    "bb-bride": (slug, charm, dowry, seat, width, isFirst) => {
      const [coins, object] = dowry;
      return svg(
        "g",
        { class: seat === null ? "bride" : `bride wed seat-${seat}` },
        svg("circle", { r: 17, class: "medallion" }),
        path(
          "M0-9a4.5 4.5 0 0 1 2.5 8.2C7 1 8.5 4.5 8.5 9h-17c0-4.5 1.5-8 6-9.8A4.5 4.5 0 0 1 0-9z",
          "figure",
        ),
        isFirst ? path("M-6-15l3 2.5L0-17l3 4.5L6-15l-1 6H-5z", "crown") : null,
        svg("circle", { cx: 13, cy: 12, r: 9.5, class: "charm" }),
        text(13, 16.5, charm, 12.5, "middle on-seat strong"),
        text(24, -4, cut(called(slug), width - 44, 13, 700), 13, "ink strong"),
        coins ? [icon("coin", 26, 1, 12), text(41, 12, coins, 13, "ink")] : null,
        object ? icon(object, coins ? 56 : 28, 1, 12, "of-dowry") : null,
      );
    },
    "bb-no-bride": (width) => [
      svg("circle", { r: 16, class: "vacant" }),
      text(26, 4, cut("no bride", width - 46, 12.5), 12.5, "ink"),
    ],
    /** A borough: its walls in its colour, its name and its lord. */
    "bb-borough": (width, height, colour, name, lord, state) => {
      const battlements = times(Math.floor(width / 16), (at) => `M${at * 16 + 2} 0v-6h8v6`).join(
        "",
      );
      return svg(
        "g",
        { class: `${colour} ${state}` },
        path(battlements, "wall"),
        box(0, 0, width, height, "panel lights", 6),
        path(`M0 6a6 6 0 0 1 6-6h${width - 12}a6 6 0 0 1 6 6v18H0z`, "banner"),
        text(8, 17, name, 15, "banner-text strong"),
        text(width - 8, 17, lord, 13, "end banner-text"),
      );
    },
    "bb-water": (width, height) => {
      const wave = (y) =>
        `M8 ${y}${times(Math.floor((width - 20) / 24), () => "q6-6 12 0t12 0").join("")}`;
      return [
        box(0, 0, width, height, "water", 10),
        times(Math.floor(height / 26), (at) => path(wave(18 + at * 26), "wave")),
      ];
    },
    "bb-ship": (number, width, seat) =>
      svg(
        "g",
        { class: seat === null ? "" : `seat-${seat}` },
        path(`M4 26h${width - 8}l-10 16H14z`, `hull${seat === null ? "" : " of-seat"}`),
        path("M17 24V0c12 4 12 14 0 20z", "sail"),
        text(13, 38, `ship ${number}`, 12.5, "on-felt"),
      ),
    "bb-shop": (width, name, left, influence, workers, object) => {
      let x = 8;
      return [
        box(0, 0, width, 50, "panel lights", 6),
        text(6, 16, cut(name, width - (left ? 32 : 44), 13.5, 700), 13.5, "ink strong"),
        text(width - 6, 16, left ? `+${influence}` : "none", 13.5, "end ink strong"),
        Object.entries(workers).flatMap(([colour, number]) =>
          times(number, () => {
            const at = x;
            x += 14;
            return svg(
              "g",
              { class: colour, transform: `translate(${at + 3} 37) scale(0.85)` },
              path("M0-9a4 4 0 0 1 2.5 7C5-1 7 2 7 7H-7c0-5 2-8 4.5-9A4 4 0 0 1 0-9z", "worker"),
            );
          }),
        ),
        text(width - 6, 41, `${left} left`, 12.5, "end ink"),
      ];
    },
    "bb-felt": (width, height) => box(0, 0, width, height, "ground-of-city", 14),
    "bb-panel": (width, height, seat, isNext) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        box(0, 0, width, height, `panel${isNext ? " is-next" : ""}`, 8),
        box(0, 8, 4, height - 16, "of-seat", 2),
      ),
    /** The way to the end of the game, with a mark at every fifth step. */
    "bb-lane": (width, goal, seat, influence) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        box(0, 3, width, 8, "lane", 4),
        box(0, 3, (width * Math.min(goal, influence)) / goal, 8, "of-seat", 4),
        times(goal / 5 - 1, (at) => path(`M${(width * 5 * (at + 1)) / goal} 3v8`, "tick")),
        path(`M${width} 0v14M${width} 0l-9 3.5 9 3.5z`, "flag"),
      ),
    "bb-strip": (width, height, title) => [
      box(0, 0, width, height, "panel", 8),
      text(8, 19, cut(title, width - 16, 14, 700), 14, "ink strong"),
    ],
    "bb-pill": (words, look) => {
      const width = widthOf(words, 13, 700) + 14;
      return [
        box(0, -10, width, 20, `pill ${look || ""}`, 10),
        text(width / 2, 4.5, words, 13, "middle pill-text strong"),
      ];
    },
    "bb-then": () => path("M0-6l9 6-9 6z", "arrow-head"),
  });

  function layout(n, narrow) {
    if (narrow) {
      const w = 188;
      const rows = Math.ceil(n / 2);
      const boroughH = 214;
      const boroughs = times(n, (at) => [
        5 + (at % 2) * 192,
        66 + Math.floor(at / 2) * (boroughH + 10),
      ]);
      let y = 66 + rows * (boroughH + 10);
      const ships = n % 2 ? [197, y - boroughH - 10, 188, boroughH] : [5, y, 380, 104];
      y += n % 2 ? 0 : 110;
      const shops = [5, y, 127, 3];
      y += 112;
      const strip = [5, y, 380, 58 + 34 * n];
      y += 64 + 34 * n;
      const families = times(n, (at) => [5, y + at * 128]);
      return {
        size: [390, y + n * 128 + 4],
        w,
        boroughH,
        boroughs,
        ships,
        shops,
        strip,
        families,
        familyW: 380,
        familyH: 122,
        columns: 1,
        top: [8, 14],
      };
    }
    const height = n === 5 ? 760 : 680; // so that the tiles of five seats have their names
    const columns = n === 3 ? 2 : 3;
    const w = (694 - 8 * (columns - 1)) / columns;
    const boroughH = n === 5 ? 228 : 196;
    const shopsY = 70 + 2 * boroughH;
    const spot = (at) => [
      8 + (at % columns) * (w + 8),
      48 + Math.floor(at / columns) * (boroughH + 12),
    ];
    const boroughs = times(n, (at) => spot(n === 3 && at === 2 ? 2 : n === 4 && at === 3 ? 3 : at));
    const [x, y] = spot(n === 5 ? 5 : n === 4 ? 4 : 3);
    const familyH = (height - 46 - 6 * (n - 1)) / n;
    return {
      size: [1010, height],
      w,
      boroughH,
      boroughs,
      ships: [x, y - 6, 702 - x, boroughH + 6],
      shops: [8, shopsY, 111, 6],
      strip: [8, shopsY + 56, 694, height - shopsY - 62],
      families: times(n, (at) => [710, 40 + at * (familyH + 6)]),
      familyW: 292,
      familyH,
      top: [12, 20],
    };
  }

  arena.scenes["brides-and-bribes"] = function (view, context) {
    const { names, facts, own, seats, next, legal, viewer, narrow } = context;
    const n = seats.length;
    const place = layout(n, narrow);
    const goal = n === 3 ? 25 : 20;
    const pieces = [];
    const add = (id, at, face, more) => pieces.push({ id, at, face, ...more });
    const order = seats.map((at) => (at + (viewer ?? 0)) % n);
    const familyAt = (seat) => place.families[order.indexOf(seat)];
    const active = view.resolution;
    const legalIs = (slug) => Boolean(legal?.has(slug));

    function tile(slug, at, width, more) {
      const values = [
        slug,
        facts.kind[slug],
        width,
        more?.isWed ? null : (facts.prestige[slug] ?? null), // so that its name has room
        facts.charm[slug] ?? null,
      ];
      add(slug, at, ["bb-tile", ...values], {
        slug,
        title: `${called(slug)}: ${facts.tips[slug]}`,
        w: width,
        ...more,
      });
    }

    /** Put tiles, or backs of `count` tiles of a seat, into a row. */
    function row(id, seat, open, count, [x, y], width, most, more) {
      const all = open || times(count, () => null);
      const w = Math.min(most, width / Math.max(1, all.length) - 2);
      const fits = w >= 56 && all.some(Boolean) ? w : Math.max(28, Math.min(34, w));
      const step = Math.min(fits + 2, (width - fits) / Math.max(1, all.length - 1));
      all.forEach((slug, at) => {
        const where = [x + fits / 2 + step * at, y];
        if (slug) {
          tile(slug, where, fits, {
            pool: `tiles-${seat}`,
            lit: next === seat && more?.isHand && legalIs(slug),
          });
        } else {
          add(`${id}-${at}`, where, ["bb-back", fits, seat], { pool: `tiles-${seat}`, w: fits });
        }
      });
    }

    // -- the map -----------------------------------------------------------------------------

    function borough(one, at) {
      const [x, y] = place.boroughs[at];
      const isActive = active?.borough === one.borough;
      const isDone = one.resolved && !isActive && view.phase === "resolution"; // of this round only
      const lord = active && isActive ? active.lord_prestige : one.lord_prestige;
      add(
        `borough-${one.borough}`,
        [x, y],
        [
          "bb-borough",
          place.w,
          place.boroughH,
          one.colour,
          called(one.borough) + (isDone ? " ✓" : ""),
          cut(
            `lord ${called(one.lord)} ${lord}`,
            place.w - 24 - widthOf(`${called(one.borough)} ✓`, 15, 700),
            13,
          ),
          isActive ? "is-active" : isDone ? "is-done" : "",
        ],
        {
          slug: one.borough,
          title: `${called(one.borough)}: lord ${called(one.lord)} asks for prestige ${lord}`,
        },
      );
      const wide = place.w > 200;
      const half = wide ? (place.w - 8) / 2 : place.w - 8;
      ["first", "second"].forEach((which, number) => {
        const where = wide ? [x + 26 + number * half, y + 50] : [x + 26, y + 48 + number * 40];
        bride(one, which, where, half);
      });
      const base = y + (wide ? 88 : 122);
      let left = x + 14;
      for (const [colour, number] of Object.entries(one.workers)) {
        times(number, (k) => {
          add(`worker-${one.borough}-${colour}-${k}`, [left, base], ["bb-worker", colour], {
            pool: `worker-${colour}`,
            title: `a ${colour} worker`,
          });
          left += Math.min(15, 62 / Object.values(one.workers).reduce((sum, one) => sum + one, 0));
        });
      }
      left = Math.max(left, x + 40);
      const starStep = Math.min(
        14,
        Math.max(5, (x + place.w - 74 - left) / Math.max(1, one.influence_tokens)),
      );
      times(one.influence_tokens, (k) => {
        add(`star-${one.borough}-${k}`, [left + 2, base - 1], ["bb-star"], {
          title: `${one.influence_tokens} influence`,
        });
        left += k === one.influence_tokens - 1 ? 14 : starStep;
      });
      if (one.common) {
        const width = Math.max(34, Math.min(92, x + place.w - left - 34));
        tile(one.common, [x + place.w - 30 - width / 2, base], width, {
          lit: false,
          look: "for-hire",
        });
        add(
          `deck-${one.borough}`,
          [x + place.w - 6, base + 5],
          ["label", `+${one.deck}`, 12.5, "end ink"],
          { title: `${one.deck} more characters lie below` },
        );
      }
      const gates = one.delegations;
      const gateStep = Math.min(24, (y + place.boroughH - base - 38) / (gates.length - 1));
      gates.forEach((gate, number) => {
        const gy = base + 26 + (number && number * gateStep);
        const gx = x + 6;
        add(`gate-${one.borough}-${gate.seat}`, [gx + 9, gy], ["seat", gate.seat, 9]);
        const shown = isActive ? null : own.get(gate.seat)?.own.delegations[one.borough];
        if (!isActive) {
          row(
            `gate-${one.borough}-${gate.seat}`,
            gate.seat,
            shown,
            gate.tiles,
            [gx + 21, gy],
            place.w - 32,
            90,
          );
        }
      });
    }

    function bride(one, which, at, width) {
      const found = one.brides[which];
      if (!found) {
        add(`vacant-${one.borough}-${which}`, at, ["bb-no-bride", width]);
        return;
      }
      const wed = found.married_seat !== null;
      const dowry = wed
        ? [0, null]
        : [found.dowry_coins, found.dowry_object && ICON_OF[facts.kind[found.dowry_object]]];
      add(
        found.tile,
        at,
        ["bb-bride", found.tile, found.charm, dowry, found.married_seat, width, which === "first"],
        {
          slug: found.tile,
          title: `${called(found.tile)}, ${which} bride: ${facts.tips[found.tile]}${wed ? `; wed to ${called(found.married_tile)} of ${names[found.married_seat]}` : ""}`,
        },
      );
      if (wed) {
        tile(
          found.married_tile,
          [at[0] + 26 + Math.min(70, width - 49) / 2, at[1] + 11],
          Math.min(70, width - 49),
          { pool: `tiles-${found.married_seat}`, lit: false, isWed: true },
        );
      }
    }

    function ships() {
      const [x, y, width, height] = place.ships;
      add("water", [x, y], ["bb-water", width, height]);
      const columns = width > 300 && height < 150 ? 4 : width > 400 ? 4 : 2;
      const w = (width - 12) / columns;
      const lines = 4 / columns;
      view.ships.forEach((ship, at) => {
        const sx = x + 6 + (at % columns) * w;
        const sy = y + 8 + Math.floor(at / columns) * ((height - 8) / lines);
        add(
          `ship-${ship.ship}`,
          [sx, sy + 14],
          ["bb-ship", ship.ship, Math.min(86, w - 4), ship.seat],
          {
            slug: `ship-${ship.ship}`,
            title:
              ship.seat === null
                ? `ship ${ship.ship} is free`
                : `ship ${ship.ship} of ${names[ship.seat]}`,
          },
        );
        if (ship.seat !== null) {
          add(`on-ship-${ship.ship}`, [sx + 42, sy + 20], ["seat", ship.seat, 9]);
          row(
            `ship-${ship.ship}`,
            ship.seat,
            own.get(ship.seat)?.own.delegations[`ship-${ship.ship}`],
            ship.tiles,
            [sx + 2, sy + 70],
            w - 6,
            92,
          );
        }
      });
    }

    function shops() {
      const [x, y, step, columns] = place.shops;
      const width = narrow ? step : 694 / 6;
      view.workshops.forEach((shop, at) => {
        const where = [x + (at % columns) * width, y + Math.floor(at / columns) * 54];
        add(
          `shop-${shop.kind}`,
          where,
          [
            "bb-shop",
            width - 4,
            called(shop.kind),
            shop.left,
            shop.influence,
            shop.workers,
            shop.object,
          ],
          {
            slug: shop.kind,
            title: `${called(shop.kind)}: ${shop.influence ?? "no"} influence and ${shop.object} for these workers; ${shop.left} left`,
          },
        );
      });
    }

    // -- the borough that is resolved ----------------------------------------------------------

    function strip() {
      const [x, y, width, height] = place.strip;
      if (!active) {
        const asked = view.favor_asked.length
          ? `; asked for in this round by ${view.favor_asked.map((seat) => names[seat]).join(", ")}`
          : "";
        add("strip", [x, y], ["bb-strip", width, height, "In the supply"]);
        const { coins, influence_tokens: tokens, workers } = view.supply;
        add("supply-coins", [x + 20, y + 46], ["bb-figure", "coin", coins]);
        add("supply-stars", [x + 80, y + 46], ["bb-figure", "star", tokens]);
        COLOURS.forEach((colour, at) =>
          add(
            `supply-${colour}`,
            [x + 140 + at * 44, y + 46],
            ["bb-count", colour, workers[colour]],
          ),
        );
        const boxes = [
          ["first brides to come", view.bride_box.first],
          ["second brides to come", view.bride_box.second],
        ];
        boxes.forEach(([what, all], at) =>
          add(
            `box-${at}`,
            [x + 10, y + 82 + at * 24],
            [
              "label",
              cut(`${what}: ${all.map(called).join(", ") || "none"}`, width - 20, 13.5),
              13.5,
              "ink",
            ],
          ),
        );
        add(
          "asked",
          [x + 10, y + 82 + 48],
          [
            "label",
            cut(
              `Order of favor: ${view.favor_order.map((seat) => names[seat]).join(", ")}${asked}`,
              width - 20,
              13.5,
            ),
            13.5,
            "ink",
          ],
        );
        return;
      }
      const notes = [
        active.bride_charm_change &&
          `charm of the brides ${arena.signed(active.bride_charm_change)}`,
        active.marriage_banned && "nobody can marry",
        active.workers_banned && "nobody can take workers",
        active.lover_seat !== null && `${names[active.lover_seat]} will get the dowry`,
      ].filter(Boolean);
      add(
        "strip",
        [x, y],
        [
          "bb-strip",
          width,
          height,
          [
            `The ${active.borough} is resolved: the lord asks for prestige ${active.lord_prestige}`,
            ...notes,
          ].join("; "),
        ],
      );
      const lines = active.delegations;
      const lineH = Math.min(narrow ? 34 : 28, (height - 50) / Math.max(1, lines.length));
      const then = context.then?.at(-1);
      if (then) {
        add("result", [x + 10, y + height - 16], ["bb-then"]);
        add(
          "result-text",
          [x + 26, y + height - 11],
          ["label", cut(then, width - 36, 13.5), 13.5, "ink"],
        );
      }
      lines.forEach((one, at) => {
        const ly = y + 26 + lineH * (at + 0.5);
        const isActing = one.seat === active.active_seat;
        add(`line-${one.seat}`, [x + 16, ly], ["seat", one.seat, 9]);
        let left = x + 30;
        if (one.guide) {
          tile(one.guide, [left + 60, ly], 120, { pool: `tiles-${one.seat}`, lit: isActing });
          left += 126;
        }
        const seen = own
          .get(one.seat)
          ?.resolution?.delegations.find((other) => other.seat === one.seat);
        const known = (seen || one).known;
        const hidden = times(one.hand - known.length, () => null);
        const step = narrow || !known.length ? 36 : 76;
        const room = narrow ? 74 : 3 * step;
        row(
          `here-${one.seat}`,
          one.seat,
          [...known, ...hidden],
          0,
          [left, ly],
          room,
          step - 2,
          { isHand: true },
        );
        left += 4 + Math.min(room, one.hand * step);
        const pills = [];
        if (one.prestige !== null) {
          pills.push([
            `${narrow ? "P" : "prestige"} ${one.prestige}${one.charm !== null ? (narrow ? ` C ${one.charm}` : `, charm ${one.charm}`) : ""}`,
            "plain",
          ]);
        }
        if (isActing) {
          pills.push([active.declared ? `wants: ${active.declared}` : "acts", "acting"]);
        } else if (active.queue.includes(one.seat)) {
          pills.push([narrow ? "later" : "acts later", "plain"]);
        }
        if (active.pending?.seat === one.seat) {
          pills.push([
            `plays ${short(active.pending.tile)}${active.pending.target ? `: ${active.pending.target}` : ""}`,
            "against",
          ]);
        }
        pills.push(
          ...[
            one.guide_married && "wed",
            one.edict && "edict",
            ...one.closed.map((what) => `not ${what}`),
          ]
            .filter(Boolean)
            .map((what) => [what, "plain"]),
        );
        pills.forEach(([words, look], number) => {
          const w = widthOf(words, 13, 700) + 18;
          if (left + w < x + width) {
            add(`pill-${one.seat}-${number}`, [left, ly], ["bb-pill", words, look]);
          }
          left += w;
        });
      });
    }

    // -- the families --------------------------------------------------------------------------

    function family(one) {
      const [x, y] = familyAt(one.seat);
      const { familyW: width, familyH: height } = place;
      add(`family-${one.seat}`, [x, y], ["bb-panel", width, height, one.seat, next === one.seat]);
      const state = view.phase === "placement" && one.passed ? " (passed)" : "";
      add(
        `plate-${one.seat}`,
        [x + 6, y + 2],
        [
          "plate",
          width - 12,
          one.seat,
          `${names[one.seat]}${state}`,
          [["", one.influence]],
          next === one.seat,
        ],
        {
          title: `${names[one.seat]}, family ${called(one.family)}: influence ${one.influence}`,
        },
      );
      add(
        `lane-${one.seat}`,
        [x + 14, y + 29],
        ["bb-lane", width - 32, goal, one.seat, one.influence],
        { title: `influence ${one.influence}; the game ends at ${goal}` },
      );
      const sy = y + 56;
      add(`coins-${one.seat}`, [x + 18, sy], ["bb-figure", "coin", one.coins], { title: "coins" });
      add(`coaches-${one.seat}`, [x + 64, sy], ["bb-figure", "coach", one.coaches_left], {
        title: "coaches that are left",
      });
      const owned = [
        ...one.workshops.map(called),
        ...one.used_objects.map((slug) => `${called(slug)} (used)`),
      ];
      add(`owned-${one.seat}`, [x + 106, sy], ["bb-figure", "house", one.workshops.length], {
        title: `workshops: ${owned.join(", ") || "none"}`,
      });
      add(`wed-${one.seat}`, [x + 148, sy], ["bb-figure", "heart", one.marriages.length], {
        title: `marriages: ${one.marriages.map((each) => `${called(each.tile)} in the ${each.borough}`).join(", ") || "none"}`,
      });
      let left = x + 186;
      for (const [colour, number] of Object.entries(one.workers)) {
        const step = number > 2 ? 7 : 12;
        times(number, (k) => {
          add(`worker-${one.seat}-${colour}-${k}`, [left, sy], ["bb-worker", colour], {
            pool: `worker-${colour}`,
            title: `${number} ${colour} workers`,
          });
          left += step;
        });
        left += number ? 6 : 0;
      }
      const hand = own.get(one.seat)?.own.hand;
      const alley = own.get(one.seat)?.own.alley || [
        ...one.alley_shown,
        ...times(one.alley_hidden, () => null),
      ];
      // Tiles lie in as many rows as their names need, as far as there is room: first those in the
      // hand, below them those that are out.
      const inner = width - 16;
      const most = Math.floor((height - 68) / 22);
      let line = 0;
      function rows(id, tiles, [left, room], free, more) {
        const needed = Math.ceil(tiles.length / Math.floor(room / 72));
        const inRow = Math.ceil(tiles.length / Math.max(1, Math.min(needed, free)));
        for (let at = 0; at < tiles.length; at += inRow) {
          const shown = tiles.slice(at, at + inRow);
          row(`${id}${at}-${one.seat}`, one.seat, shown, 0, [x + left, y + 80 + 22 * line++], room, 92, more);
        }
      }
      const shownHand = hand || times(one.hand, () => null);
      rows("hand", shownHand, [10, inner], most - (alley.length && 1), { isHand: true });
      if (alley.length) {
        const at = [x + 10, y + 84.5 + 22 * line];
        add(`alley-text-${one.seat}`, at, ["label", "out", 12.5, "ink"], {
          title: "tiles that are out until the next round",
        });
        rows("alley", alley, [36, inner - 30], most - line);
      }
      const won = [
        ...one.workshops.map(short),
        ...one.used_objects.map((slug) => `${short(slug)} used`),
      ];
      if (height > 180 && won.length) {
        const words = won.join(", ");
        add(
          `shops-${one.seat}`,
          [x + 10, y + 92 + 22 * line],
          ["label", cut(words, inner, 12.5), 12.5, "ink"],
          { title: words },
        );
      }
    }

    add("ground", [0, 0], ["bb-felt", ...place.size]);
    ships();
    view.boroughs.forEach(borough);
    shops();
    view.players.forEach(family);
    strip();
    const [tx, ty] = place.top;
    const phase =
      { opening: "Set-up", over: "The end" }[view.phase] ||
      `Round ${view.round} of 6: ${view.phase === "end" ? "end of the round" : view.phase}`;
    add("phase", [tx, ty + 5], ["label", phase, 16, "on-ground strong"]);
    const favorX = narrow ? 8 : 330;
    const favorY = narrow ? 40 : ty;
    add("favor", [favorX, favorY + 5], ["label", "favor", 14, "on-ground"], { slug: "favor" });
    view.favor_order.forEach((seat, at) => {
      add(`favor-${seat}`, [favorX + 56 + at * 26, favorY], ["seat", seat, 10], {
        title: `favor: place ${at + 1}${view.favor_asked.includes(seat) ? ", has asked for it" : ""}`,
      });
    });
    add("first", [narrow ? 230 : 540, favorY + 5], ["label", "first", 14, "on-ground"]);
    add("first-seat", [narrow ? 274 : 584, favorY], ["seat", view.first_seat, 10], {
      title: "acts first in this round",
    });

    const said = [
      `${phase}. Order of favor: ${view.favor_order.map((seat) => names[seat]).join(", ")}.`,
      ...view.boroughs.map((one) => {
        const brides = ["first", "second"]
          .map((which) => one.brides[which])
          .filter(Boolean)
          .map(
            (bride) =>
              `${called(bride.tile)} charm ${bride.charm}${bride.married_seat === null ? "" : ` wed to ${names[bride.married_seat]}`}`,
          );
        return (
          `${called(one.borough)}: lord prestige ${one.lord_prestige}; brides ${brides.join(", ") || "none"}; for hire ${one.common ? called(one.common) : "nobody"}; ` +
          `delegations ${one.delegations.map((gate) => `${names[gate.seat]} ${gate.tiles}`).join(", ") || "none"}.`
        );
      }),
      ...view.players.map((one) => {
        const hand = own.get(one.seat)?.own.hand;
        return `${names[one.seat]}, seat ${one.seat}: influence ${one.influence}, coins ${one.coins}, marriages ${one.marriages.length}, workshops ${one.workshops.length}; hand ${hand ? hand.map(called).join(", ") || "empty" : `${one.hand} tiles`}.`;
      }),
    ];
    return { size: place.size, pieces, said };
  };
})();
