// The table of Bribery: the officials of the four countries and the jokers in a grid, with the
// bribes on each, who controls it, and the votes of each country; hands and decks below.
"use strict";

(function () {
  const { svg, text, box, path, called, times, faces, token, tokens } = arena;
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const COUNTRIES = { s: "Spades", h: "Hearts", d: "Diamonds", c: "Clubs" };
  const ABILITIES = { s: "bless", h: "protect", d: "swindle", c: "assassinate" };
  const JOKERS = { 1: "+ to bribes", 2: "+ to votes", 3: "1 point more", 4: "bribes freely" };
  const RANKS = ["a", "k", "q", "j"];
  const JESTER = "M2 8l5 3 5-8 5 8 5-3-3 9H5zM5 19h14v2H5z";

  const isJoker = (slug) => slug.startsWith("joker");
  const suit = (slug) => (isJoker(slug) ? "joker" : `suit-${slug.at(-1)}`);
  const rank = (slug) => (isJoker(slug) ? slug.slice(-1) : slug.slice(0, -1).toUpperCase());
  const nameOf = (slug) => (isJoker(slug) ? called(slug) : rank(slug) + SIGNS[slug.at(-1)]);

  Object.assign(faces, {
    /** A card of 60 by 84. */
    "bri-card": (slug, votes) =>
      svg(
        "g",
        { class: suit(slug) },
        box(-30, -42, 60, 84, "card", 6),
        text(-25, -19, rank(slug), 22, "in-suit strong"),
        isJoker(slug)
          ? path(JESTER, "in-suit", { transform: "translate(-17 -8) scale(1.5)" })
          : text(2, votes ? 14 : 20, SIGNS[slug.at(-1)], 34, "middle in-suit"),
        votes ? text(0, 36, `votes ${votes}`, 13.5, "middle in-suit") : null,
      ),
    /** A bribe on an official, in the colour of its seat, with the frame of its side. */
    "bri-chip": (slug, seat, holder, width) => [
      svg("g", { class: `seat-${holder}` }, box(-width / 2, -22, width, 44, "card side-frame", 5)),
      svg(
        "g",
        { class: `seat-${seat}` },
        box(3 - width / 2, -19, width - 6, 38, "of-seat", 3),
        text(0, -3, rank(slug) + SIGNS[slug.at(-1)], width < 30 ? 11.5 : 15, "middle on-seat strong"),
        svg("circle", { cx: 0, cy: 9, r: 7.5, class: "number-ground" }),
        text(0, 13.2, seat, 12.5, "middle number-of-seat strong"),
      ),
    ],
    /** The place of an official: who controls it is the frame. */
    "bri-cell": (width, height, holder, name) =>
      svg(
        "g",
        { class: holder === null ? "" : `seat-${holder}` },
        box(0, 0, width, height, `panel lights${holder === null ? "" : " held"}`, 8),
        name ? text(width / 2, height / 2 + 8, name, 22, "middle faint") : null,
      ),
    /** The seal of an official or a country that one side has alone. */
    "bri-seal": (seat) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        path(
          "M0-13l3 3.5 4.5-1.5.8 4.6 4.6.8-1.5 4.5L15 0l-3.6 3 1.5 4.5-4.6.8-.8 4.6-4.5-1.5L0 15l-3-3.6-4.5 1.5-.8-4.6-4.6-.8L-11.4 3-15 0l3.6-3-1.5-4.5 4.6-.8.8-4.6 4.5 1.5z",
          "of-seat seal",
        ),
        text(0, 4.5, "×2", 12, "middle on-seat strong"),
      ),
    /** The sums of the bribes of each side on an official. */
    "bri-sums": (sums) => {
      let x = 0;
      return sums.map(([seat, sum, isMost]) => {
        const at = x;
        x += 22 + arena.widthOf(String(sum), 13, 700) + 5;
        return [
          token(seat, at + 8, 0, 7.5),
          text(at + 18, 4.6, sum, 13, isMost ? "ink strong" : "ink"),
        ];
      });
    },
    /** The head of a country: its sign, its points, and the votes of the sides as a stacked bar. */
    "bri-country": (width, letter, state, seats, ability) => {
      const votes = state.votes || [];
      const all = votes.reduce((sum, own) => sum + own, 0);
      const isSmall = width < 140;
      let x = 2;
      const bars = votes.flatMap((own, side) => {
        const part = all ? ((width - 4) * own) / all : 0;
        const at = x;
        x += part;
        return own
          ? svg(
              "g",
              { class: `seat-${seats[side]}` },
              svg("title", {}, `votes of seat ${seats[side]}: ${own}`),
              box(at + 0.5, 26, Math.max(1, part - 1), 15, "of-seat", 3),
              part > 13 ? text(at + part / 2, 38, own, 12.5, "middle on-seat strong") : null,
            )
          : [];
      });
      return svg(
        "g",
        { class: letter === "joker" ? "joker" : `suit-${letter}` },
        text(4, 21, SIGNS[letter] || "", 24, "on-felt"),
        text(
          letter === "joker" ? 4 : 27,
          19,
          letter === "joker" ? "Jokers" : isSmall ? "" : COUNTRIES[letter],
          15,
          "on-felt strong",
        ),
        ability && !isSmall ? text(5, 54, `can ${ability}`, 12.5, "on-felt") : null,
        letter === "joker" ? null : [box(2, 26, width - 4, 15, "bar", 3), bars],
      );
    },
    /** The points that a country brings. */
    "bri-worth": (points, seats) => [
      tokens(seats, -36 - 13 * seats.length, 0, 7.5),
      text(-3, 5.5, `+${points}`, 16, "end on-felt strong"),
    ],
    "bri-felt": (width, height) => box(0, 0, width, height, "felt", 14),
    "bri-area": (width, height, seat, isNext) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        box(0, 0, width, height, `panel${isNext ? " is-next" : ""}`, 8),
        box(0, 8, 4, height - 16, "of-seat", 2),
      ),
    /** An arrow from (0, 0) to (x, y), with a word. */
    "bri-arrow": (x, y, word) => {
      const length = Math.hypot(x, y) || 1;
      const [ux, uy] = [x / length, y / length];
      const bend = [x / 2 - uy * 30, y / 2 + ux * 30];
      const tip = [x - ux * 8, y - uy * 8];
      const wide = arena.widthOf(word, 14, 700) + 16;
      return [
        path(`M${ux * 14} ${uy * 14}Q${bend} ${tip}`, "arrow"),
        path("M0 0L-16-8v16z", "arrow-head", {
          transform: `translate(${x} ${y}) rotate(${(Math.atan2(y - bend[1], x - bend[0]) * 180) / Math.PI})`,
        }),
        svg(
          "g",
          { transform: `translate(${bend[0]} ${bend[1]})` },
          box(-wide / 2, -12, wide, 24, "arrow-word", 12),
          text(0, 5, word, 14, "middle strong"),
        ),
      ];
    },
  });

  function layout(n, narrow) {
    if (narrow) {
      const rows = Math.ceil(n / 2);
      return {
        size: [390, 60 + 5 * 98 + rows * 92 + 26],
        cell: (column, row) =>
          column < 4 ? [5 + column * 96, 56 + row * 98] : [5 + row * 96, 56 + 4 * 98],
        w: 92,
        h: 94,
        head: (column) => [5 + column * 96, 4],
        card: [19, 26, 0.55],
        chip: [26, 28, 68],
        sums: [38, 12],
        seal: [76, 34],
        area: (at) => [5 + (at % 2) * 192, 56 + 5 * 98 + 4 + Math.floor(at / 2) * 92],
        areaW: 188,
        areaH: 88,
        hand: 0.6,
        pile: [195, 60 + 5 * 98 + rows * 92 + 10],
        arrowFrom: [46, 30],
      };
    }
    const w = (944 - 90 - 6 * n) / n;
    return {
      size: [960, 640],
      cell: (column, row) => [8 + column * 190, 66 + row * 111.5],
      w: 184,
      h: 106,
      head: (column) => [8 + column * 190, 6],
      card: [33, 46, 0.92],
      chip: [36, 84, 34],
      sums: [8, 96],
      seal: [164, 90],
      area: (at) => [8 + at * (w + 6), 514],
      areaW: w,
      areaH: 120,
      hand: 0.9,
      pile: [912, 578],
      arrowFrom: [92, 54],
    };
  }

  arena.scenes.bribery = function (view, context) {
    const { names, facts, own, sides, seats, next, legal, viewer, narrow, did } = context;
    const place = layout(seats.length, narrow);
    const pieces = [];
    const add = (id, at, face, more) => pieces.push({ id, at, face, ...more });
    const onBoard = new Map(view.board.map((official) => [official.card, official]));
    const control = new Map(view.control.officials.map((official) => [official.card, official]));
    const advanced = context.variant.endsWith("-advanced");
    const order = seats.map((at) => (at + (viewer ?? 0)) % seats.length);
    const areaOf = (seat) => place.area(order.indexOf(seat));
    const handOf = (seat) => [areaOf(seat)[0] + 50, areaOf(seat)[1] + 70];
    const cellOf = (slug) =>
      isJoker(slug)
        ? place.cell(4, view.jokers.indexOf(slug))
        : place.cell("shdc".indexOf(slug.at(-1)), RANKS.indexOf(slug[0]));
    const middleOf = (slug) => cellOf(slug).map((x, at) => x + place.arrowFrom[at]);
    const firstOf = (side) => (side === null ? null : sides[side][0]);
    const holderOf = (seat) => sides.find((mates) => mates.includes(seat))[0];

    add("felt", [0, 0], ["bri-felt", ...place.size]);
    [..."shdc"].forEach(country);
    if (!narrow) {
      add("head-joker", place.head(4), ["bri-country", place.w, "joker", {}, [], null]);
    }
    for (const letter of "shdc") {
      RANKS.forEach((one) => official(one + letter));
    }
    view.jokers.forEach(official);
    seats.forEach(player);
    discards();
    ability();

    function country(letter, at) {
      const state = view.control.countries.find((one) => one.country === letter);
      const [x, y] = place.head(at);
      add(
        `head-${letter}`,
        [x, y],
        [
          "bri-country",
          place.w,
          letter,
          state,
          sides.map((side) => side[0]),
          advanced ? ABILITIES[letter] : null,
        ],
        {
          title: `${COUNTRIES[letter]}: ${state.votes.map((votes, side) => `${sides[side].map((seat) => names[seat]).join(" and ")} ${votes}`).join(", ")} votes`,
        },
      );
      if (state.controller !== null) {
        add(
          `worth-${letter}`,
          [x + place.w, y + 13],
          ["bri-worth", state.points, sides[state.controller]],
          { title: "points of this country" },
        );
      }
    }

    function official(slug) {
      const [x, y] = cellOf(slug);
      const found = onBoard.get(slug);
      const state = control.get(slug);
      const isDown = found?.face_down;
      const holder = state && !isDown ? firstOf(state.controller) : null;
      const isNamed = legal?.has(slug);
      const isPending = view.pending && [view.pending.source, view.pending.target].includes(slug);
      add(
        `cell-${slug}`,
        [x, y],
        ["bri-cell", place.w, place.h, holder, found ? null : nameOf(slug)],
        {
          slug: found ? slug : "",
          look: [isPending && "pending", found || "absent"].filter(Boolean).join(" "),
          title: found ? facts.tips[slug] : `${nameOf(slug)} is not there yet`,
        },
      );
      if (!found) {
        return;
      }
      const [cx, cy, scale] = place.card;
      add(
        slug,
        [x + cx, y + cy],
        isDown ? ["back", 60, 84] : ["bri-card", slug, narrow ? null : facts.votes[slug]],
        {
          size: scale,
          w: 60,
          slug,
          title: isDown ? "assassinated" : facts.tips[slug],
          lit: false,
          named: isNamed,
        },
      );
      const [chip, chipX, chipY] = place.chip;
      const room = place.w - chipX - 3 + (narrow ? 22 : 15);
      const step = Math.min(chip + 1, (room - chip) / Math.max(1, found.bribes.length - 1));
      found.bribes.forEach((bribe, at) =>
        add(
          bribe.card,
          [x + (narrow ? 16 : chipX) + step * at, y + chipY],
          ["bri-chip", bribe.card, bribe.seat, holderOf(bribe.seat), chip],
          {
            w: chip,
            from: handOf(bribe.seat),
            slug: bribe.card,
            title: `${nameOf(bribe.card)} of ${names[bribe.seat]}`,
          },
        ),
      );
      if (state && !isDown) {
        const most = Math.max(...state.totals);
        const sums = state.totals.flatMap((total, side) =>
          total ? [[sides[side][0], total, total === most]] : [],
        );
        if (sums.length && !narrow) {
          add(
            `sums-${slug}`,
            [x + place.sums[0] + 56, y + place.sums[1] - 28],
            ["bri-sums", sums],
            { title: "the sum of the bribes of each side" },
          );
        }
        if (state.dominated) {
          add(`seal-${slug}`, [x + place.seal[0], y + place.seal[1]], ["bri-seal", holder], {
            title: `dominated by ${sides[state.controller].map((seat) => names[seat]).join(" and ")}: counts double`,
            size: narrow ? 0.8 : 0.9,
          });
        }
        if (!isJoker(slug) && narrow) {
          add(
            `votes-${slug}`,
            [x + 90, y + 14],
            ["label", `votes ${facts.votes[slug]}`, 12.5, "end ink"],
          );
        }
        if (isJoker(slug) && !narrow) {
          add(`text-${slug}`, [x + 8, y + 101], ["label", JOKERS[slug.slice(-1)], 13, "ink"]);
        }
      }
    }

    function player(seat) {
      const [x, y] = areaOf(seat);
      const side = sides.findIndex((mates) => mates.includes(seat));
      const points = view.control.points[side];
      add(`area-${seat}`, [x, y], ["bri-area", place.areaW, place.areaH, seat, next === seat]);
      add(
        `plate-${seat}`,
        [x + 6, y + 3],
        [
          "plate",
          place.areaW - 12,
          seat,
          names[seat],
          [[place.areaW < 225 ? "" : "points", points]],
          next === seat,
        ],
        {
          title: `${names[seat]}: points ${points}${sides[side].length > 1 ? " of the team" : ""}${view.leader === seat ? ", leads the round" : ""}`,
        },
      );
      const open = own.get(seat)?.hand;
      const scale = place.hand;
      const deckAt = [x + place.areaW - 32 * scale - 4, y + place.areaH - 44 * scale - 2];
      if (view.deck_sizes[seat]) {
        add(`deck-${seat}`, deckAt, ["back", 60, 84], {
          size: scale,
          title: `${view.deck_sizes[seat]} cards in the deck`,
        });
        add(
          `deck-text-${seat}`,
          [deckAt[0], deckAt[1] + 5],
          ["label", view.deck_sizes[seat], 15, "middle on-felt strong"],
        );
      }
      const width = place.areaW - 70 * scale - 12;
      const step = Math.min(63 * scale, (width - 60 * scale) / 2);
      const canPlay = next === seat && open?.some((slug) => legal?.has(slug));
      times(view.hand_sizes[seat], (at) => {
        const where = [x + 10 + 30 * scale + step * at, deckAt[1]];
        const slug = open?.[at];
        if (!slug) {
          add(`hidden-${seat}-${at}`, where, ["back", 60, 84], {
            size: scale,
            w: 60,
            from: deckAt,
          });
          return;
        }
        const isLit = next === seat && legal?.has(slug);
        add(slug, where, ["bri-card", slug, facts.votes[slug]], {
          size: scale,
          w: 60,
          lit: isLit,
          slug,
          from: deckAt,
          title: facts.tips[slug],
          look: canPlay && !isLit ? "dim" : "",
        });
      });
    }

    function discards() {
      const [x, y] = place.pile;
      const all = view.discards;
      if (narrow) {
        const gone = all.map((one) => nameOf(one.card)).join(" ") || "nothing";
        const words = `Round ${view.round} of ${view.rounds} · discarded: ${gone}`;
        add(
          "discards",
          [x, y + 4],
          ["label", arena.cut(words, 380, 12.5), 12.5, "middle on-felt"],
          { title: words },
        );
      } else {
        add(
          "round",
          [x, 636 - 112],
          ["label", `Round ${view.round} of ${view.rounds}`, 13, "middle on-felt strong"],
        );
        add(
          "discards",
          [x, 632],
          ["label", all.length ? `discarded ${all.length}` : "", 13, "middle on-felt"],
        );
      }
      all.forEach((one, at) => {
        const where = narrow ? [385, y] : [x - 8 + (at % 5) * 4, y + (at % 3) * 2];
        add(one.card, where, ["bri-chip", one.card, one.seat, holderOf(one.seat), 34], {
          w: 34,
          size: narrow ? 0.01 : 1.3,
          title: `${nameOf(one.card)} of ${names[one.seat]}: ${one.why}`,
        });
      });
    }

    /** Draw the ability that is used now, from its source to its target. */
    function ability() {
      const used = view.pending || usedNow();
      if (used?.source && used.target && used.source !== used.target) {
        const [from, to] = [middleOf(used.source), middleOf(used.target)];
        add("ability", from, ["bri-arrow", to[0] - from[0], to[1] - from[1], used.kind]);
      }
    }

    function usedNow() {
      const [verb, source, , target] = (did || []).at(-1)?.split(" ") || [];
      return verb === "ability" ? { source, target, kind: ABILITIES[source.at(-1)] } : null;
    }

    const holds = (side) =>
      side === null ? "nobody" : sides[side].map((seat) => names[seat]).join(" and ");
    const said = [
      `Round ${view.round} of ${view.rounds}.`,
      ...view.control.countries.map((one) => {
        const name = COUNTRIES[one.country] || called(one.country);
        return `${name}: ${holds(one.controller)}${one.controller === null ? "" : `, points ${one.points}`}${one.votes ? `; votes ${one.votes.join(", ")}` : ""}.`;
      }),
      ...view.board.map((one) => {
        const state = control.get(one.card);
        const bribes = one.bribes
          .map((bribe) => `${nameOf(bribe.card)} of seat ${bribe.seat}`)
          .join(", ");
        return `${nameOf(one.card)}: ${one.face_down ? "assassinated" : `${holds(state.controller)}; bribes ${bribes || "none"}`}.`;
      }),
      ...seats.map((seat) => {
        const open = own.get(seat)?.hand;
        return `${names[seat]}, seat ${seat}: hand ${open ? open.map(nameOf).join(", ") || "empty" : `${view.hand_sizes[seat]} cards`}, deck ${view.deck_sizes[seat]}.`;
      }),
    ];
    return { size: place.size, pieces, said };
  };
})();
