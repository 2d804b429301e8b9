// The table of Pot de Vin: seats round it, the trick in the middle, and for each seat the track of
// its guilds, on which the cards that it has won lie as a fan.
"use strict";

(function () {
  const { svg, text, box, path, called, times, signed, faces } = arena;
  const GUILD_POINTS = [1, 3, 6, -1, -3, -6, 10, 15];
  const POT_POINTS = [-1, -3, -6, 10];
  const NEUTRAL = { 1: "joker", 2: "bonus", 3: "penalty", 13: "pot" };
  const LINES = {
    bonus: "+2 points",
    penalty: "\u22122 points",
    joker: "joins a guild",
    pot: "Pot de Vin",
  };
  /** Signs of guilds and neutral cards, each in a square of 24. */
  const SIGNS = {
    nobles: "M3 19h18v2H3zM3 7l5 4 4-7 4 7 5-4-2 10H5z",
    artists:
      "M12 3c5 0 9 3.5 9 8 0 3-2 4-4 4h-2c-1.5 0-2 1-1.5 2.5S13 21 12 21c-5 0-9-4-9-9s4-9 9-9zM7.5 9a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm4-3.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm5 2a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
    traders:
      "M11 3h2v2l7 1.5v1.5l3 7h-7l2.5-6.5L13 7.5V19h4v2H7v-2h4V7.5L5.5 8.5 8 15H1l3-7V6.5L11 5z",
    workmen: "M4 4h11l3 3v3h-3V9h-2.5v12h-3V9H4z",
    knights: "M12 2l9 3v7c0 5-4 8-9 10-5-2-9-5-9-10V5zM11 6v4H7v2.5h4V18h2v-5.5h4V10h-4V6z",
    assassins: "M12 2l2.5 5v8H19v2h-5.5v5h-3v-5H5v-2h4.5V7z",
    joker: "M2 8l5 3 5-8 5 8 5-3-3 9H5zM5 19h14v2H5zM12 12a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
    bonus: "M10 3h4v7h7v4h-7v7h-4v-7H3v-4h7z",
    penalty: "M3 10h18v4H3z",
    pot: "M9 2h6l-1.5 4c4.5 1.5 7 6 7 10 0 4-3 6-8.5 6s-8.5-2-8.5-6c0-4 2.5-8.5 7-10zM11 9v1.5c-3 .5-3 4.5 0 5v2c-1 0-1.5-.5-2-1l-1 1.5c.8.7 1.7 1 3 1.2V20.5h2v-1.3c3-.5 3-4.7 0-5.2v-2c.7.1 1.2.4 1.7.8l1-1.5c-.7-.6-1.6-1-2.7-1.1V9z",
  };
  /** Shapes of characters, so that none is told by its colour alone. */
  const SHAPES = {
    aldo: "M0-5L5 0 0 5-5 0z",
    pietra: "M0-5A5 5 0 1 1 0 5 5 5 0 1 1 0-5z",
    enzo: "M0-5L5 4.5H-5z",
    ugo: "M-4.5-4.5h9v9h-9z",
  };

  const parts = (slug) => slug.split("-");
  const sign = (name, x, y, size, look) =>
    path(SIGNS[name], look, {
      transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})`,
      "fill-rule": "evenodd",
    });
  const shape = (character, x, y, size) =>
    path(SHAPES[character], "in-suit", { transform: `translate(${x} ${y}) scale(${size})` });

  Object.assign(faces, {
    /** A card of 60 by 84: its value and character in the corner, its guild in the middle. One that
     * is drawn small shows no name. */
    "pdv-card": (slug, kind, isSmall) => {
      const [character, value] = parts(slug);
      return svg(
        "g",
        { class: character },
        box(-30, -42, 60, 84, "card", 6),
        path("M-30-36a6 6 0 0 1 6-6h48a6 6 0 0 1 6 6v3h-60z", "in-suit"),
        isSmall
          ? [text(-26, -9, value, 27, "in-suit strong"), shape(character, -17, 20, 1.8)]
          : [text(-26, -14, value, 21, "in-suit strong"), shape(character, -19, -4, 1.1)],
        svg(
          "g",
          { transform: isSmall ? "translate(4 13)" : null },
          svg("circle", { cx: 8, cy: 6, r: 17, class: `medal ${kind}` }),
          sign(kind, 8, 6, 22, "medal-sign"),
        ),
        isSmall ? null : text(0, 37, called(character), 14, "middle in-suit strong"),
      );
    },
    /** The same card in a place that shows little of it. */
    "pdv-chip": (slug, width, height) => {
      const [character, value] = parts(slug);
      return svg(
        "g",
        { class: character },
        box(-width / 2, -height / 2, width, height, "card", 3),
        width < 20
          ? text(0, 4.6, value, 12, "middle in-suit strong")
          : [
              shape(character, 6 - width / 2, 0, 0.6),
              text(width / 2 - 2, 4.6, value, 12.5, "end in-suit strong"),
            ],
      );
    },
    "pdv-gem": () =>
      svg(
        "g",
        { class: "gem" },
        path("M0-8L8-2 0 9-8-2z", "gem-body"),
        path("M-8-2H8L0-8zM-3-2L0 9 3-2z", "gem-light"),
      ),
    /** The track of a seat: a row for each guild, with the value of each number of cards. */
    "pdv-track": (slot, row, rows) => [
      GUILD_POINTS.map((points, at) =>
        text(
          24 + slot * (at + 0.5),
          11,
          points > 0 ? points : signed(points),
          slot < 20 ? 12 : 13,
          `middle ${points < 0 ? "bad" : "good"}`,
        ),
      ),
      rows.map(({ name, kind, slots, total, isIdle }, at) => {
        const y = 16 + row * at;
        return svg(
          "g",
          { class: `guild-row${isIdle ? " is-idle" : ""}` },
          sign(kind, 11, y + row / 2, Math.min(16, row - 2), `row-sign ${kind}`),
          svg("title", {}, name),
          slots.map((points, number) =>
            box(
              24 + slot * number + 1,
              y + 1,
              slot - 2,
              row - 2,
              `slot ${points < 0 ? "of-loss" : points > 6 ? "of-gain" : ""}`,
              3,
            ),
          ),
          total === null
            ? null
            : text(
                24 + slot * 8 + 24,
                y + row / 2 + 4.5,
                signed(total),
                13,
                `end strong ${total < 0 ? "bad" : "good"}`,
              ),
        );
      }),
    ],
    "pdv-ring": (width, height) => box(-width / 2, -height / 2, width, height, "ring", 4),
    "pdv-felt": (width, height, middle) => [
      box(0, 0, width, height, "felt", 18),
      box(middle[0], middle[1], middle[2], middle[3], "felt-line", 40),
    ],
    "pdv-area": (width, height, seat, isNext) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        box(0, 0, width, height, `panel${isNext ? " is-next" : ""}`, 10),
        box(0, 8, 4, height - 16, "of-seat", 2),
      ),
  });

  /** Return the places of the areas: x, y, width, height, and the place of the card in the trick. */
  function layout(n, narrow) {
    if (narrow) {
      const rows = Math.ceil(n / 2);
      const area = 238;
      const height = rows * (area + 6) + 120;
      const middle = [0, area + 10, 390, 110];
      const places = times(n, (at) => {
        const row = Math.floor(at / 2);
        const isAlone = n % 2 && at === n - 1;
        const y = 4 + row * (area + 6) + (row ? 116 : 0);
        return { x: isAlone ? 98 : 4 + (at % 2) * 193, y, w: 190, h: area, trick: [0, 0] };
      });
      const step = Math.min(58, 250 / n);
      places.forEach((place, at) => (place.trick = [120 + step * (at + 0.5), middle[1] + 56]));
      return {
        size: [390, height],
        middle,
        places,
        trump: [62, middle[1] + 56],
        card: 0.84,
        round: [0, 0],
      };
    }
    const bottom = { 3: 1, 4: 2, 5: 2, 6: 3 }[n] || 2;
    const top = n - bottom;
    const area = 220;
    const span = (count, at, y, below) => {
      const w = Math.min(464, (944 - 8 * (count - 1)) / count);
      const left = 480 - (count * w + 8 * (count - 1)) / 2;
      const x = left + at * (w + 8);
      const centre = x + w / 2;
      const pull = n > 4 ? 0.58 : 0.4;
      return { x, y, w, h: area, trick: [480 + (centre - 480) * pull, below ? 366 : 274] };
    };
    // Clockwise from the left of the bottom row, which is drawn from right to left.
    const upper = times(top, (at) => span(top, at, 8, false));
    const lower = times(bottom, (at) => span(bottom, bottom - 1 - at, 640 - 8 - area, true));
    const first = lower.pop();
    return {
      size: [960, 640],
      middle: [8, 233, 944, 174],
      places: [first, ...upper, ...lower],
      trump: [150, 320],
      card: 1,
      round: [866, 320],
    };
  }

  arena.scenes["pot-de-vin"] = function (view, context) {
    const { names, facts, own, sides, seats, next, legal, viewer, narrow } = context;
    const n = seats.length;
    const { size, middle, places, trump, card: trickSize } = layout(n, narrow);
    const areaOf = (seat) => places[(seat - (viewer ?? 0) + n) % n];
    const kindOf = (slug) => facts.guild[slug] || NEUTRAL[parts(slug)[1]];
    const pieces = [];
    const add = (id, at, face, more) => pieces.push({ id, at, face, ...more });
    const titleOf = (slug) => `${called(slug)}: ${facts.tips[slug]}`;
    const card = (slug, at, more) =>
      add(slug, at, ["pdv-card", slug, kindOf(slug), (more?.size || 1) < 0.7], {
        title: titleOf(slug),
        w: 60,
        ...more,
      });
    const over = view.phase === "over";
    const last = view.history.at(-1);
    // The last trick stays in the middle until the next begins, so that it is seen whole.
    const shownTrick = view.trick.length || over || !last ? view.trick : last.trick;
    const past = shownTrick === view.trick ? view.history : view.history.slice(0, -1);
    const winner = shownTrick === view.trick ? null : last.winner;

    // What each seat has won, in the order in which it came, and which of its gems are where.
    const won = seats.map(() => ({ cards: [], gems: [] }));
    const passed = seats.map(() => 0);
    for (const round of past) {
      const rank = (slug) => round.trick.findIndex((turn) => turn.action.endsWith(` ${slug}`));
      won[round.winner].cards.push(...round.cards.toSorted((a, b) => rank(a) - rank(b)));
      for (const turn of round.trick) {
        if (turn.action === "pass") {
          won[round.winner].gems.push(`gem-${turn.seat}-${passed[turn.seat]++}`);
        }
      }
    }

    add("felt", [0, 0], ["pdv-felt", ...size, middle]);
    seats.forEach((seat) => area(seat));
    middleOfTable();

    function area(seat) {
      const place = areaOf(seat);
      const side = sides.findIndex((mates) => mates.includes(seat));
      const isWide = place.w > 400;
      const [slot, row] = narrow ? [16.5, 17] : isWide ? [25, 19] : [28, 14.8];
      const marks = [
        ["gems", view.gems[seat]],
        ["points", view.score_now[side].points],
      ];
      add(`area-${seat}`, [place.x, place.y], ["pdv-area", place.w, place.h, seat, next === seat]);
      const isShort = place.w < 300;
      add(
        `plate-${seat}`,
        [place.x + 6, place.y + 4],
        [
          "plate",
          place.w - 12,
          seat,
          names[seat],
          isShort ? [["", view.score_now[side].points]] : marks,
          next === seat,
        ],
        {
          title: `${names[seat]}: ${view.score_now[side].points} points${sides[side].length > 1 ? " of the team" : ""}`,
        },
      );
      const handX = place.x + (isWide ? 268 : 8);
      const handY = place.y + (isWide ? 80 : 57);
      const scale = isWide ? 1 : 0.54;
      hand(seat, handX, handY, place.w - (isWide ? 276 : 50), scale, isWide ? 6 : 12);
      times(view.gems[seat], (at) => {
        const isNamed = next === seat && legal?.has("pass");
        const where = isWide
          ? [handX + 12 + at * 20, place.y + 202]
          : [place.x + place.w - 32 + (at % 2) * 16, handY - 11 + 22 * Math.floor(at / 2)];
        add(`gem-${seat}-${passed[seat] + at + waiting(seat)}`, where, ["pdv-gem"], {
          size: isWide ? 1 : 0.8,
          lit: isNamed,
          slug: isNamed ? "pass" : "",
          title: "a gem that may be put on the table instead of a card",
        });
      });
      track(seat, side, place.x + 6, place.y + (isWide ? 38 : 80), slot, row);
    }

    /** Lay the cards of a hand into a row, or two if there are more than `most`. */
    function hand(seat, x, y, width, scale, most) {
      const open = own.get(seat)?.hand;
      const count = view.hand_sizes[seat];
      const w = 60 * scale;
      const inRow = count > most ? Math.ceil(count / 2) : count;
      const step = Math.min(w + 3, (width - w) / Math.max(1, inRow - 1));
      times(count, (at) => {
        const where = [x + w / 2 + step * (at % inRow), y + (at < inRow ? 0 : 60)];
        const slug = open?.[at];
        if (slug) {
          const isLit = next === seat && legal?.has(slug);
          const lift = isLit ? [where[0], where[1] - 4 * scale] : where;
          card(slug, lift, {
            size: scale,
            lit: isLit,
            slug,
            look: next === seat && legal && !isLit ? "dim" : "",
          });
        } else {
          add(`hidden-${seat}-${at}`, where, ["back", 60, 84], { size: scale });
        }
      });
    }

    /** Return how many gems of a seat lie in the trick. */
    function waiting(seat) {
      return shownTrick.filter((turn) => turn.seat === seat && turn.action === "pass").length;
    }

    function track(seat, side, x, y, slot, row) {
      const { cards, gems: taken } = won[seat];
      const by = (kind) => cards.filter((slug) => kindOf(slug) === kind);
      const mate = sides[side].find((other) => other !== seat);
      const natural = (at, guild) => won[at].cards.filter((slug) => kindOf(slug) === guild).length;
      const rows = facts.guilds.map((guild) => {
        const own = by(guild);
        const theirs = mate === undefined ? 0 : natural(mate, guild);
        const isIdle = own.length > 0 && theirs > 0 && theirs < own.length; // the shorter one of a team counts
        return {
          name: guild,
          kind: guild,
          slots: GUILD_POINTS,
          total: own.length && !isIdle ? GUILD_POINTS[own.length - 1] : null,
          isIdle,
          cards: own,
        };
      });
      const pots = by("pot");
      rows.push({
        name: "Pot de Vin",
        kind: "pot",
        slots: POT_POINTS,
        total: pots.length ? POT_POINTS[pots.length - 1] : null,
        cards: pots,
      });
      const rest = cards.filter((slug) => ["joker", "bonus", "penalty"].includes(kindOf(slug)));
      const plus = 2 * (by("bonus").length - by("penalty").length) + taken.length;
      rows.push({
        name: "bonus and penalty cards, jokers, won gems",
        kind: "bonus",
        slots: [],
        total: rest.length + taken.length ? plus : null,
        cards: [],
      });
      add(
        `track-${seat}`,
        [x, y],
        ["pdv-track", slot, row, rows.map(({ cards: _, ...shown }) => shown)],
      );
      const chip = (slug, at) =>
        add(slug, at, ["pdv-chip", slug, slot - 1, row - 2], { title: titleOf(slug), w: slot - 1 });
      rows.forEach((line, at) => {
        const centre = y + 16 + row * (at + 0.5);
        line.cards.forEach((slug, number) => chip(slug, [x + 24 + slot * (number + 0.5), centre]));
        if (line.cards.length) {
          add(
            `marker-${seat}-${line.kind}`,
            [x + 24 + slot * (line.cards.length - 0.5), centre],
            ["pdv-ring", slot, row],
          );
        }
      });
      const centre = y + 16 + row * 7.5;
      const all = [...rest, ...taken];
      const step = Math.min(slot, (slot * 7) / Math.max(1, all.length - 1));
      all.forEach((id, at) => {
        const where = [x + 24 + slot / 2 + step * at, centre];
        if (id.startsWith("gem")) {
          add(id, where, ["pdv-gem"], { size: 0.8, title: "a won gem: one point" });
        } else {
          chip(id, where);
        }
      });
    }

    function middleOfTable() {
      const scale = narrow ? 0.84 : 1;
      const [x, y] = trump;
      const pile = [x - 74 * scale, y];
      if (!narrow) {
        times(Math.min(3, view.trump_pile), (at) =>
          add(`pile-${at}`, [pile[0] - at * 2, pile[1] - at * 2], ["back", 60, 84], {
            title: `${view.trump_pile} trump cards lie face down`,
          }),
        );
        add(
          "pile-text",
          [pile[0], y + 62],
          ["label", `${view.trump_pile} left`, 13, "middle on-felt"],
        );
      }
      if (view.trump !== null && !over) {
        card(view.trump, [x, y], { size: scale, from: pile, look: "trump" });
        add(
          "trump-text",
          [x, y + 62 * scale + (narrow ? 2 : 0)],
          [
            "label",
            narrow ? `trump, ${view.trump_pile} left` : "trump",
            13,
            "middle on-felt strong",
          ],
        );
      }
      const rounds =
        view.phase === "discard"
          ? "Set-up"
          : over
            ? "The end"
            : `Round ${view.round} of ${view.rounds}`;
      if (narrow) {
        add("round", [385, middle[1] + 102], ["label", rounds, 13, "end on-felt"]);
      } else {
        add("round", [866, 306], ["label", rounds, 18, "middle on-felt strong"]);
        const led = view.led && shownTrick === view.trick ? `${called(view.led)} is led` : "";
        add(
          "led",
          [866, 332],
          [
            "label",
            winner === null ? led : arena.cut(`${names[winner]} wins`, 160, 15),
            15,
            "middle on-felt",
          ],
        );
      }
      if (winner !== null && last.cards.includes(last.trump) && !narrow) {
        card(last.trump, [x + 86, y], { size: 0.75 }); // the winner takes it, too
      }
      const turns = new Map(shownTrick.map((turn) => [turn.seat, turn.action]));
      for (const seat of seats) {
        const place = areaOf(seat).trick;
        const action = turns.get(seat);
        if (!action) {
          continue;
        }
        if (winner === seat) {
          add("winner", place, ["pdv-ring", 68 * trickSize, 92 * trickSize]);
        }
        if (action === "pass") {
          const number = passed[seat] + waiting(seat) - 1;
          add(`gem-${seat}-${number}`, place, ["pdv-gem"], {
            size: 2,
            title: `${names[seat]} puts a gem`,
          });
        } else {
          card(action.split(" ")[1], place, { size: trickSize });
        }
        add(
          `of-${seat}`,
          [place[0] + 24 * trickSize, place[1] - 38 * trickSize],
          ["seat", seat, 9],
        );
      }
    }

    const said = [
      `Trump: ${view.trump ? called(view.trump) : "none"}.`,
      ...shownTrick.map(
        (turn) =>
          `${names[turn.seat]} ${turn.action === "pass" ? "put a gem" : `played ${called(turn.action.split(" ")[1])}`}.`,
      ),
      ...seats.map((seat) => {
        const side = sides.findIndex((mates) => mates.includes(seat));
        const hand = own.get(seat)?.hand;
        const columns = facts.guilds
          .filter((guild) => view.columns[seat][guild].length)
          .map((guild) => `${guild} ${view.columns[seat][guild].length}`);
        return (
          `${names[seat]}, seat ${seat}: points ${view.score_now[side].points}, gems ${view.gems[seat]}; has won ${columns.join(", ") || "no guild card"}; ` +
          `hand ${hand ? hand.map(called).join(", ") || "empty" : `${view.hand_sizes[seat]} cards`}.`
        );
      }),
    ];
    return { size, pieces, said };
  };
})();
