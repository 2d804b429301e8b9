// The table of Bribery: countries with their officials and the bribes on them, hands and discards.
"use strict";

arena.drawings.bribery = function (view, context) {
  const { el, called, times, back, badge, badges, figure, section, area } = arena;
  const { names, facts, own, sides, seats } = context;
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const COUNTRIES = { s: "Spades", h: "Hearts", d: "Diamonds", c: "Clubs" };
  const ABILITIES = { s: "bless", h: "protect", d: "swindle", c: "assassinate" };
  const JOKERS = {
    "joker-1": "adds to each of its controller's bribes",
    "joker-2": "adds to the votes of its controller",
    "joker-3": "gives one more point",
    "joker-4": "lets its controller bribe freely",
  };
  const RANKS = ["a", "k", "q", "j"];
  const advanced = context.variant.endsWith("-advanced");
  const onBoard = new Map(view.board.map((official) => [official.card, official]));
  const control = new Map(view.control.officials.map((one) => [one.card, one]));

  function face(slug) {
    if (slug.startsWith("joker")) {
      return [el("b", {}, slug.slice(-1)), "Joker"];
    }
    return [el("b", {}, rank(slug)), el("span", { class: "sign" }, SIGNS[slug.at(-1)])];
  }

  /** Return the value of a card as it is printed: `10`, `K`. */
  function rank(slug) {
    return slug.slice(0, -1).toUpperCase();
  }

  function suit(slug) {
    return slug.startsWith("joker") ? "joker" : `suit-${slug.at(-1)}`;
  }

  function card(slug, place) {
    return el(
      "span",
      { class: `deck-card ${suit(slug)}`, title: facts.tips[slug], "data-key": `${slug} ${place}` },
      face(slug),
    );
  }

  /** Draw a played bribe with its seat. */
  function bribe(slug, place, seat) {
    const key = `${slug} ${place}`;
    return el(
      "span",
      { class: `deck-card bribe ${suit(slug)}`, title: facts.tips[slug], "data-key": key },
      el("span", { class: "face" }, face(slug)),
      badge(seat),
    );
  }

  /** Return the controller as text; `side` is null if there is none. */
  function holder(side, dominated, key) {
    const words = side === null ? ["nobody"] : [badges(sides[side]), dominated ? " dominated" : ""];
    return el("span", { class: "holder", "data-key": `${key} ${side} ${dominated}` }, words);
  }

  // -- the board -----------------------------------------------------------------------------

  function votes(slug, one) {
    if (slug.startsWith("joker")) {
      return null;
    }
    return el(
      "span",
      { class: "votes" },
      `votes ${one.controller === null ? facts.votes[slug] : one.votes}`,
    );
  }

  function totals(one) {
    const parts = one.totals.flatMap((total, side) =>
      total ? [badges(sides[side]), ` ${total} `] : [],
    );
    return parts.length
      ? el("span", { class: "totals", title: "sum of the bribes of each side on this official" }, parts)
      : null;
  }

  function official(slug) {
    const found = onBoard.get(slug);
    if (!found) {
      return el(
        "li",
        { class: "official absent" },
        el("span", { class: "deck-card slot" }),
        el("span", { class: "held" }, "not yet there"),
      );
    }
    if (found.face_down) {
      return el(
        "li",
        { class: "official" },
        back("deck-card"),
        el("span", { class: "held" }, "assassinated"),
      );
    }
    const one = control.get(slug);
    const pending = view.pending && [view.pending.source, view.pending.target].includes(slug);
    return el(
      "li",
      {
        class: `official${one.controller === null ? "" : ` held-by seat-${sides[one.controller][0]}`}${pending ? " pending" : ""}`,
      },
      card(slug, "board"),
      el(
        "span",
        { class: "held" },
        holder(one.controller, one.dominated, slug),
        votes(slug, one),
        totals(one),
      ),
      el(
        "span",
        { class: "bribes" },
        found.bribes.map((one) => bribe(one.card, slug, one.seat)),
      ),
    );
  }

  function score(country) {
    const points = `points ${country.points}`;
    return el(
      "p",
      { class: "score" },
      holder(country.controller, country.dominated, country.country),
      el("b", {}, points),
      country.votes
        ? el(
            "span",
            { class: "votes-of", title: "votes of each side in this country; most votes win it" },
            "votes ",
            country.votes.map((votes, side) => [badges(sides[side]), ` ${votes} `]),
          )
        : null,
    );
  }

  function country(letter) {
    const title = `${SIGNS[letter]} ${COUNTRIES[letter]}`;
    const state = view.control.countries.find((one) => one.country === letter);
    return section(
      title,
      "country",
      score(state),
      advanced ? el("p", { class: "ability" }, `can ${ABILITIES[letter]}`) : null,
      el(
        "ul",
        {},
        RANKS.map((one) => official(one + letter)),
      ),
    );
  }

  function joker(slug) {
    const state = view.control.countries.find((one) => one.country === slug);
    return el(
      "li",
      {},
      el("ul", {}, official(slug)),
      el(
        "p",
        { class: "score" },
        el("b", {}, `${called(slug)} `),
        JOKERS[slug],
        state ? `; points ${state.points}` : null,
      ),
    );
  }

  // -- the seats -----------------------------------------------------------------------------

  function player(seat) {
    const side = sides.findIndex((mates) => mates.includes(seat));
    const mates = sides[side].filter((mate) => mate !== seat);
    const open = own.get(seat)?.hand;
    const cards = open
      ? open.map((slug) => card(slug, "hand"))
      : times(view.hand_sizes[seat], () => back("deck-card"));
    return area(
      seat,
      context,
      [
        view.leader === seat && "leads the round",
        view.to_act === seat && view.phase !== "play" && `asked: ${view.phase}`,
        mates.length && `with seat ${mates.join(", ")}`,
      ],
      [
        figure(mates.length ? "team points" : "points", view.control.points[side]),
        figure("deck", view.deck_sizes[seat]),
      ],
      el("div", { class: "hand", role: "group", "aria-label": `hand of seat ${seat}` }, cards),
    );
  }

  function pending() {
    const { seat, kind, source, target, spent } = view.pending;
    const sign = (slug) => rank(slug) + SIGNS[slug.at(-1)];
    return el(
      "p",
      { class: "notice" },
      badge(seat),
      ` ${names[seat]} wants to ${kind} ${sign(target)} by ${sign(source)}, and has paid ${sign(spent)}`,
    );
  }

  return [
    view.pending ? pending() : null,
    el("div", { class: "areas of-hands" }, seats.map(player)),
    el("div", { class: "countries" }, ["s", "h", "d", "c"].map(country)),
    section("Jokers of this game", "jokers", el("ul", {}, view.jokers.map(joker))),
    section(
      "Discarded",
      "discards",
      el(
        "p",
        { class: "hand" },
        view.discards.length
          ? view.discards.map((one) => bribe(one.card, "discards", one.seat))
          : "nothing yet",
      ),
    ),
  ].filter(Boolean);
};
