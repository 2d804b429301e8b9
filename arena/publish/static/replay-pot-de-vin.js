// The table of Pot de Vin: seats round it, the trick in the middle, and for each seat the track of
// its guilds, on which the cards that it has won lie as a fan.
"use strict";

(function () {
  const { svg, text, box, path, called, times, signed, faces, cut } = arena;
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
    /** The track of a seat: a row for each guild, with the value of each number of cards, and a
     * place with the sign of a joker where one will be laid. */
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
      rows.map(({ name, kind, slots, total, isIdle, awaited }, at) => {
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
          awaited === null
            ? null
            : sign("joker", 24 + slot * (awaited + 0.5), y + row / 2, row - 4, "row-sign joker"),
          total === null
            ? null
            : text(
                24 + slot * 8 + 26,
                y + row / 2 + 4.5,
                signed(total),
                13,
                `end strong total ${total < 0 ? "bad" : "good"}`,
              ),
        );
      }),
    ],
    /** The frame of the card that wins a trick, in the colour of its seat. */
    "pdv-won": (width, height, seat) =>
      svg(
        "g",
        { class: `seat-${seat}` },
        box(-width / 2, -height / 2, width, height, "won-edge", 8),
        box(-width / 2, -height / 2, width, height, "won", 8),
      ),
    /** The count at the end: a line of numbers for each side, below headings. */
    "pdv-count": (headings, lines, left, step, height) => [
      headings.map((word, at) => text(left + step * at, 0, word, 13, "end on-felt")),
      lines.map(({ seats, names, numbers }, line) => [
        arena.tokens(seats, 10, height * (line + 1) - 5, 8),
        text(24 + 14 * (seats.length - 1), height * (line + 1), names, 14, "on-felt"),
        numbers.map((number, at) =>
          text(
            left + step * at,
            height * (line + 1),
            at < 5 || number < 0 ? signed(number) : number,
            14,
            `end on-felt${at < 5 ? "" : " strong"}`,
          ),
        ),
      ]),
    ],
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

  // -- places --------------------------------------------------------------------------------------

  /** By seats, the most cards of a hand and the most gems. */
  const MOST = { 3: [12, 4], 4: [10, 2], 5: [8, 4], 6: [9, 4] };

  /** Return how large the cards of a hand can be without an overlap, and how many lie in a row. */
  function fitting(most, width, height) {
    const ways = [1, 2, 3].map((rows) => {
      const inRow = Math.ceil(most / rows);
      return { inRow, scale: Math.min(1, width / inRow / 62, height / rows / 86) };
    });
    return ways.reduce((best, way) => (way.scale > best.scale ? way : best));
  }

  /** Return the place of a seat: its box, its track, its hand beside or above that, its gems. */
  function areaOfSeat(n, [x, y, w, h], slot, row, isBeside) {
    const [most, gems] = MOST[n];
    const track = 8 * slot + 60;
    const below = 16 + 8 * row;
    const columns = Math.ceil(gems / 2);
    const hand = isBeside
      ? [x + track + 8, y + h - below - 4, w - track - 14, below - 20]
      : [x + 8, y + 32, w - 14 - 16 * columns, h - below - 38];
    return {
      box: [x, y, w, h],
      track: [x + 6, y + h - below - 4],
      slot,
      row,
      hand,
      ...fitting(most, hand[2], hand[3]),
      gem: (at) =>
        isBeside
          ? [hand[0] + 8 + at * 18, y + h - 13]
          : [x + w - 12 - (at % columns) * 16, hand[1] + 11 + 21 * Math.floor(at / columns)],
    };
  }

  /** Return the places of the table; those of seats are clockwise from the seat at the bottom. */
  function layout(n, narrow) {
    return narrow ? narrowLayout(n) : wideLayout(n);
  }

  function narrowLayout(n) {
    const inRow = n === 3 ? 1 : 2;
    const area = n === 3 ? 188 : 264;
    const [slot, row] = [16, n === 3 ? 17 : 15];
    const middle = [0, area + 8, 390, 112];
    const w = inRow === 1 ? 382 : 189;
    const places = times(n, (at) => {
      const line = Math.floor(at / inRow);
      const isAlone = inRow === 2 && n % 2 && at === n - 1;
      const x = isAlone ? 100 : 4 + (at % inRow) * 193;
      const y = 4 + line * (area + 6) + (line ? 116 : 0);
      return areaOfSeat(n, [x, y, w, area], slot, row, inRow === 1);
    });
    const step = Math.min(58, 250 / n);
    return {
      size: [390, Math.ceil(n / inRow) * (area + 6) + 122],
      middle,
      places,
      tricks: times(n, (at) => [122 + step * (at + 0.5), middle[1] + 50]),
      trump: [62, middle[1] + 50],
      card: 0.8,
      words: [385, middle[1] + 105, "end"],
      count: {
        at: [4, middle[1] + 16],
        left: 136,
        step: 49,
        height: n === 5 ? 17.5 : 22,
        headings: ["rows", "jokers", "Pots", "±2", "gems", ""],
        room: n === 6 ? 46 : 70,
      },
    };
  }

  function wideLayout(n) {
    const bottom = { 3: 1, 4: 2, 5: 2, 6: 3 }[n];
    const area = 220;
    const [slot, row] = n > 4 ? [28, 15] : [26, 20];
    const span = (count, at, y) => {
      const w = n === 3 || n === 4 ? (944 - 8 * (count - 1)) / count : 309;
      const x = 480 - (count * w + 8 * (count - 1)) / 2 + at * (w + 8);
      return areaOfSeat(n, [x, y, w, area], slot, row, n < 5);
    };
    // Clockwise from the left of the bottom row, which is drawn from right to left.
    const upper = times(n - bottom, (at) => span(n - bottom, at, 8));
    const lower = times(bottom, (at) => span(bottom, bottom - 1 - at, 640 - 8 - area));
    const places = [lower.pop(), ...upper, ...lower];
    return {
      size: [960, 640],
      middle: [8, 233, 944, 174],
      places,
      tricks: places.map(({ box: [x, y, w] }) => [
        480 + (x + w / 2 - 480) * (n > 4 ? 0.55 : 0.4),
        y > 320 ? 365 : 275,
      ]),
      trump: [150, 320],
      card: 0.94,
      words: [812, 306, "middle"],
      count: {
        at: [90, 262],
        left: 290,
        step: 100,
        height: 26,
        headings: ["rows", "jokers", "Pot de Vin", "±2 cards", "gems", "points"],
        room: 190,
      },
    };
  }

  // -- the points of rows --------------------------------------------------------------------------

  const rowPoints = (symbols) => (symbols ? GUILD_POINTS[symbols - 1] : 0);
  const gain = (symbols) => rowPoints(symbols + 1) - rowPoints(symbols);

  /** Return for each seat of a side its rows that do not count, and those that get a joker, as if
   * the game ended now (sections 7.2 and 7.3 of the rules).
   *
   * `counts` has by seat the number of cards by guild, `jokers` the number of jokers.
   */
  function settle(counts, jokers) {
    const guilds = Object.keys(counts[0]);
    const [own, other] = counts;
    const both = other ? guilds.filter((guild) => own[guild] && other[guild]) : [];
    const tied = both.filter((guild) => own[guild] === other[guild]);
    let best = null;
    for (let choice = 0; choice < 2 ** tied.length; choice++) {
      const longer = (guild) => {
        const bit = tied.length - 1 - tied.indexOf(guild); // the choice for the last changes first
        return tied.includes(guild) ? 1 - ((choice >> bit) & 1) : Number(own[guild] < other[guild]);
      };
      let total = 0;
      const seats = counts.map((all, at) => {
        const idle = both.filter((guild) => longer(guild) === at);
        const gainOf = (guild) => (idle.includes(guild) ? 0 : gain(all[guild]));
        const joined = guilds
          .filter((guild) => all[guild])
          .toSorted((one, two) => gainOf(two) - gainOf(one))
          .slice(0, jokers[at]);
        total += joined.reduce((sum, guild) => sum + gainOf(guild), 0);
        return { idle, joined };
      });
      if (!best || total > best.total) {
        best = { total, seats };
      }
    }
    return best.seats;
  }

  /** Return the jokers in the order of the count at the end: the sides from the last to the first. */
  function counted(result) {
    return result.teams
      .toSorted((one, two) => two.rank - one.rank)
      .flatMap((side) => side.jokers.map((joker) => ({ ...joker, column: side.guilds[joker.guild] })));
  }

  /** After a trick, show it whole; then what is turned up; at the end the count, joker by joker. */
  arena.beats["pot-de-vin"] = function (view, then, names) {
    if (view.trick.length || !view.history.length) {
      return [then];
    }
    const jokers = view.result ? counted(view.result) : [];
    const lines = jokers.map(({ card, seat, guild, scored, column }) => {
      const joins = `${names[seat]}: ${called(card)} joins the ${guild}`;
      const { symbols } = column || {};
      const points = scored && [symbols - 1, symbols].map((number) => signed(rowPoints(number)));
      return guild === null
        ? `${names[seat]}: ${called(card)} finds no row and is put away`
        : scored
          ? `${joins}, ${points[0]} becomes ${points[1]}`
          : `${joins}, which do not count for the team`;
    });
    return [then.slice(0, 1), then.slice(1), ...lines.map((text) => [text])];
  };

  // -- the table -----------------------------------------------------------------------------------

  arena.scenes["pot-de-vin"] = function (view, context) {
    const { names, facts, own, sides, seats, next, legal, viewer, narrow, beat } = context;
    const n = seats.length;
    const table = layout(n, narrow);
    const indexOf = (seat) => (seat - (viewer ?? 0) + n) % n;
    const kindOf = (slug) => facts.guild[slug] || NEUTRAL[parts(slug)[1]];
    const sideOf = (seat) => sides.findIndex((mates) => mates.includes(seat));
    const pieces = [];
    const add = (id, at, face, more) => pieces.push({ id, at, face, ...more });
    const titleOf = (slug) => `${called(slug)}: ${facts.tips[slug]}`;
    const card = (slug, at, more) =>
      add(slug, at, ["pdv-card", slug, kindOf(slug), (more?.size || 1) < 0.7], {
        title: titleOf(slug),
        w: 60,
        ...more,
      });
    const last = view.history.at(-1);
    // Of the beats after a trick, the first shows it whole, with the trump that decided it.
    const ended = beat === 0 ? last : null;
    const over = view.phase === "over" && !ended;
    const trick = ended ? ended.trick : view.trick;
    const past = ended ? view.history.slice(0, -1) : view.history;
    const shownTrump = ended ? ended.trump : over ? null : view.trump;
    const pile = ended ? (n === 6 ? 3 - ((last.round - 1) % 4) : view.rounds - last.round) : view.trump_pile;

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
    const wonOf = (seat, kind) => won[seat].cards.filter((slug) => kindOf(slug) === kind);

    // At the end the jokers join their rows one by one; before, the rows show where they would.
    const order = over ? counted(view.result) : [];
    const placed = order.slice(0, beat === undefined ? order.length : beat - 1);
    const rowsOf = sides.map((mates) => {
      const counts = mates.map((seat) =>
        Object.fromEntries(facts.guilds.map((guild) => [guild, wonOf(seat, guild).length])),
      );
      const settled = settle(counts, mates.map((seat) => wonOf(seat, "joker").length));
      return new Map(mates.map((seat, at) => [seat, rowsOfSeat(seat, settled[at])]));
    });

    /** Return the rows of a seat: what lies in each, and what it is worth. */
    function rowsOfSeat(seat, { idle, joined }) {
      const jokers = new Map(
        placed.filter((one) => one.seat === seat && one.guild).map((one) => [one.guild, one.card]),
      );
      const rows = facts.guilds.map((guild) => {
        const cards = wonOf(seat, guild);
        const joker = jokers.get(guild);
        const isIdle = idle.includes(guild);
        const symbols = cards.length + (joker || (!over && joined.includes(guild)) ? 1 : 0);
        return {
          name: guild,
          kind: guild,
          slots: GUILD_POINTS,
          cards: joker ? [...cards, joker] : cards,
          awaited: joined.includes(guild) && !joker ? cards.length : null,
          total: cards.length && !isIdle ? rowPoints(symbols) : null,
          gain: !isIdle && symbols > cards.length ? gain(cards.length) : 0,
          isIdle,
        };
      });
      const pots = wonOf(seat, "pot");
      const plain = { slots: [], awaited: null, gain: 0 };
      const pot = { name: "Pot de Vin", kind: "pot", cards: pots, total: null };
      if (pots.length) {
        pot.total = POT_POINTS[pots.length - 1];
      }
      const { gems } = won[seat];
      const out = placed.filter((one) => one.seat === seat).map((one) => one.card);
      const rest = ["joker", "bonus", "penalty"]
        .flatMap((kind) => wonOf(seat, kind))
        .filter((slug) => !out.includes(slug));
      const [bonus, penalty] = ["bonus", "penalty"].map((kind) => wonOf(seat, kind).length);
      const others = {
        name: "bonus and penalty cards, jokers, won gems",
        kind: "bonus",
        cards: [...rest, ...gems],
        total: bonus + penalty + gems.length ? 2 * (bonus - penalty) + gems.length : null,
        gems: gems.length,
      };
      return [...rows, { ...plain, ...pot, slots: POT_POINTS }, { ...plain, ...others }];
    }

    add("felt", [0, 0], ["pdv-felt", ...table.size, table.middle]);
    seats.forEach(area);
    trumps();
    if (over) {
      count();
    } else {
      words();
    }
    turns();

    function area(seat) {
      const place = table.places[indexOf(seat)];
      const [x, y, w, h] = place.box;
      const side = sideOf(seat);
      const { points } = view.score_now[side];
      const isNext = next === seat;
      add(`area-${seat}`, [x, y], ["pdv-area", w, h, seat, isNext]);
      const marks = [["gems", view.gems[seat]], ["points", points]];
      const figures = w < 300 ? [["", points]] : marks;
      add(`plate-${seat}`, [x + 6, y + 4], ["plate", w - 12, seat, names[seat], figures, isNext], {
        title: `${names[seat]}: ${points} points${sides[side].length > 1 ? " of the team" : ""}`,
      });
      hand(seat, place);
      times(view.gems[seat], (at) => {
        const isNamed = isNext && legal?.has("pass");
        add(`gem-${seat}-${passed[seat] + at + waiting(seat)}`, place.gem(at), ["pdv-gem"], {
          size: narrow ? 0.8 : 1,
          lit: isNamed,
          slug: isNamed ? "pass" : "",
          title: "a gem that may be put on the table instead of a card",
        });
      });
      track(seat, place, rowsOf[side].get(seat));
    }

    function hand(seat, { hand: [x, y], inRow, scale }) {
      const open = own.get(seat)?.hand;
      times(view.hand_sizes[seat], (at) => {
        const [column, line] = [at % inRow, Math.floor(at / inRow)];
        const where = [x + 31 * scale + column * 62 * scale, y + 43 * scale + line * 86 * scale];
        const slug = open?.[at];
        if (slug) {
          const isLit = next === seat && legal?.has(slug);
          const look = next === seat && legal && !isLit ? "dim" : "";
          card(slug, where, { size: scale, lit: isLit, slug, look });
        } else {
          add(`hidden-${seat}-${at}`, where, ["back", 60, 84], { size: scale });
        }
      });
    }

    /** Return how many gems of a seat lie in the trick. */
    function waiting(seat) {
      return trick.filter((turn) => turn.seat === seat && turn.action === "pass").length;
    }

    function track(seat, { track: [x, y], slot, row }, rows) {
      const drawn = rows.map(({ cards: _, gain: __, gems: ___, ...shown }) => shown);
      add(`track-${seat}`, [x, y], ["pdv-track", slot, row, drawn]);
      rows.forEach(({ cards }, at) => {
        const centre = y + 16 + row * (at + 0.5);
        const step = Math.min(slot, (slot * 7) / Math.max(1, cards.length - 1));
        cards.forEach((id, number) => {
          const where = [x + 24 + slot / 2 + step * number, centre];
          if (id.startsWith("gem")) {
            add(id, where, ["pdv-gem"], { size: 0.8, title: "a won gem: one point" });
          } else {
            const face = ["pdv-chip", id, slot - 1, row - 2];
            add(id, where, face, { title: titleOf(id), w: slot - 1 });
          }
        });
      });
    }

    // -- the middle --------------------------------------------------------------------------------

    function trumps() {
      const [x, y] = table.trump;
      const scale = narrow ? table.card : 1;
      const from = [x - 74 * scale, y];
      const below = y + 62 * scale;
      if (!narrow && !over) {
        times(Math.min(3, pile), (at) =>
          add(`pile-${at}`, [from[0] - at * 2, y - at * 2], ["back", 60, 84], {
            title: `${pile} trump cards lie face down`,
          }),
        );
        add("pile-text", [from[0], below], ["label", `${pile} left`, 13, "middle on-felt"]);
      }
      if (shownTrump) {
        const label = narrow ? `trump, ${pile} left` : "trump";
        card(shownTrump, [x, y], { size: scale, from });
        add("trump-text", [x, below], ["label", label, 13, "middle on-felt strong"]);
      }
    }

    /** Return who won a trick and why, in two parts. */
    function reason(round) {
      const turn = round.trick.find((one) => one.seat === round.winner);
      const led = parts(round.trick[0].action.split(" ")[1])[0];
      const [played] = parts(turn.action.split(" ")[1]);
      const [trump] = parts(round.trump);
      const why =
        played === trump
          ? `highest trump, ${called(turn.action.split(" ")[1])}`
          : `highest ${called(led)}, as no trump was played`;
      return [`${names[round.winner]} wins`, why];
    }

    function words() {
      const [x, y, anchor] = table.words;
      const rounds =
        view.phase === "discard"
          ? "Set-up"
          : `Round ${ended ? ended.round : view.round} of ${view.rounds}`;
      const [who, why] = ended ? reason(ended) : [view.led ? `${called(view.led)} is led` : "", ""];
      const said = narrow
        ? [[cut(ended ? `${who}: ${why}` : [rounds, who].filter(Boolean).join(", "), 258, 13), 13]]
        : [[rounds, 18], [cut(who, 260, 17, 700), 17], [why, 15]];
      said.forEach(([text, size], at) => {
        const look = `${anchor} on-felt${at < 2 ? " strong" : ""}`;
        add(`word-${at}`, [x, y + 26 * at], ["label", text, size, look]);
      });
    }

    /** Draw how the points come about, as far as they are counted. */
    function count() {
      const { at, left, step, height, headings, room } = table.count;
      const order = sides.map((_, side) => side);
      order.sort((a, b) => view.result.teams[a].rank - view.result.teams[b].rank);
      const lines = order.map((side) => {
        const rows = [...rowsOf[side].values()].flat();
        const sum = (kind, field) =>
          rows.filter((row) => kind(row.kind)).reduce((all, row) => all + (row[field] || 0), 0);
        const isGuild = (kind) => facts.guilds.includes(kind);
        const [pots, others] = ["pot", "bonus"].map((kind) => sum((own) => own === kind, "total"));
        const [jokers, gems] = [sum(isGuild, "gain"), sum(() => true, "gems")];
        const numbers = [sum(isGuild, "total") - jokers, jokers, pots, others - gems, gems];
        const called = cut(sides[side].map((seat) => names[seat]).join(", "), room, 14);
        const all = numbers.reduce((one, two) => one + two);
        return { seats: sides[side], names: called, numbers: [...numbers, all] };
      });
      add("count", at, ["pdv-count", headings, lines, left, step, height]);
    }

    function turns() {
      for (const { seat, action } of trick) {
        const place = table.tricks[indexOf(seat)];
        if (ended?.winner === seat) {
          add("winner", place, ["pdv-won", 68 * table.card, 92 * table.card, seat]);
        }
        if (action === "pass") {
          const number = passed[seat] + waiting(seat) - 1;
          const title = `${names[seat]} puts a gem`;
          const isLast = seat === context.actor && trick.at(-1).seat === seat;
          add(`gem-${seat}-${number}`, place, ["pdv-gem"], { size: 2, title, isLast });
        } else {
          const slug = action.split(" ")[1];
          card(slug, place, { size: table.card, slug });
        }
        const corner = [place[0] + 24 * table.card, place[1] - 38 * table.card];
        add(`of-${seat}`, corner, ["seat", seat, 9]);
      }
    }

    const said = [
      `Trump: ${shownTrump ? called(shownTrump) : "none"}.`,
      ...trick.map(
        (turn) =>
          `${names[turn.seat]} ${turn.action === "pass" ? "put a gem" : `played ${called(turn.action.split(" ")[1])}`}.`,
      ),
      ...(ended ? [`${reason(ended).join(": ")}.`] : []),
      ...seats.map((seat) => {
        const hand = own.get(seat)?.hand;
        const columns = facts.guilds
          .filter((guild) => view.columns[seat][guild].length)
          .map((guild) => `${guild} ${view.columns[seat][guild].length}`);
        return (
          `${names[seat]}, seat ${seat}: points ${view.score_now[sideOf(seat)].points}, gems ${view.gems[seat]}; has won ${columns.join(", ") || "no guild card"}; ` +
          `hand ${hand ? hand.map(called).join(", ") || "empty" : `${view.hand_sizes[seat]} cards`}.`
        );
      }),
    ];
    return { size: table.size, pieces, said };
  };
})();
