// The table of Pot de Vin: the trick, and for each seat its columns and its hand.
"use strict";

arena.drawings["pot-de-vin"] = function (view, context) {
  const { el, called, times, back, badge, figure, section, area } = arena;
  const { names, facts, own, sides, seats } = context;
  const SHORT = {
    nobles: "Nobl.",
    artists: "Art.",
    traders: "Trad.",
    workmen: "Work.",
    knights: "Kni.",
    assassins: "Assn.",
    neutral: "Neut.",
  };
  const isDense = seats.length > 5; // six seats fit a small screen
  const NEUTRAL = { 1: "joker", 2: "bonus", 3: "penalty", 13: "P. de Vin" };

  function card(slug, place, small) {
    const [character, value] = slug.split("-");
    const worth = facts.guild[slug] || NEUTRAL[value];
    return el(
      "span",
      {
        class: `deck-card ${character}${small ? " small" : ""}`,
        title: `${called(slug)}: ${facts.tips[slug]}`,
        "data-key": `${slug} ${place}`,
      },
      el("b", {}, value),
      el("span", {}, small ? character.charAt(0).toUpperCase() : called(character)),
      small ? null : el("i", {}, worth),
    );
  }

  function gem(place) {
    return el(
      "span",
      { class: "gem-place", "data-key": `gem ${place}` },
      el("span", { class: "gem" }, "gem"),
    );
  }

  // -- the trick -----------------------------------------------------------------------------

  function played(turn, round) {
    const [verb, slug] = turn.action.split(" ");
    return verb === "play" ? card(slug, "trick") : gem(`${round} ${turn.seat}`);
  }

  function place(seat, thing, winner) {
    return el(
      "li",
      { class: seat === winner ? "winner" : null },
      thing,
      el("span", { class: "who" }, badge(seat), el("span", { class: "name" }, names[seat])),
    );
  }

  /** Return the trick. The last one is shown until the next begins, so that it is seen whole. */
  function trick() {
    const past = view.history.at(-1);
    if (past && !view.trick.length) {
      const loot = `cards ${past.cards.length}, gems ${past.gems}`;
      const title = `Round ${past.round}: ${names[past.winner]} wins (${loot})`;
      return section(
        title,
        "trick done",
        el(
          "ol",
          { class: "places" },
          past.trick.map((turn) => place(turn.seat, played(turn, past.round), past.winner)),
        ),
      );
    }
    const acted = view.trick.map((turn) => place(turn.seat, played(turn, view.round)));
    const waiting = view.active
      .slice(acted.length)
      .map((seat) => place(seat, el("span", { class: "deck-card slot" })));
    const title =
      view.phase === "discard"
        ? "The set-up: three seats discard"
        : `Round ${view.round} of ${view.rounds}`;
    return section(
      title,
      "trick",
      el("ol", { class: "places" }, acted, view.phase === "play" ? waiting : null),
    );
  }

  function trump() {
    const left = `${view.trump_pile} face down`;
    return section(
      view.trump && !view.trick.length && view.history.length ? "Next trump" : "Trump",
      "trump",
      view.trump ? card(view.trump, "trump") : back("deck-card"),
      el("p", {}, left),
    );
  }

  // -- the seats -----------------------------------------------------------------------------

  function column(title, cards) {
    return el(
      "div",
      { class: "column" },
      el(
        "h4",
        { title },
        el("span", { class: "long" }, title),
        el("span", { class: "short", "aria-hidden": "true" }, SHORT[title]),
        el("b", {}, cards.length ? String(cards.length) : ""),
      ),
      cards.map((slug) => card(slug, "won", true)),
    );
  }

  function hand(seat) {
    const open = own.get(seat)?.hand;
    const cards = open
      ? open.map((slug) => card(slug, "hand", isDense))
      : times(view.hand_sizes[seat], () => back(isDense ? "deck-card small" : "deck-card"));
    return el("div", { class: "hand", role: "group", "aria-label": `hand of seat ${seat}` }, cards);
  }

  function player(seat) {
    const side = sides.findIndex((mates) => mates.includes(seat));
    const mates = sides[side].filter((mate) => mate !== seat);
    const discarded = own.get(seat)?.discarded;
    return area(
      seat,
      context,
      [
        view.leader === seat && "leads",
        mates.length && `with seat ${mates.join(", ")}`,
        discarded && !isDense && `discarded ${called(discarded)}`,
      ],
      [
        figure(
          sides[side].length > 1 ? "team points" : "points",
          view.score_now[side].points,
        ),
        figure("gems", view.gems[seat]),
        figure("gems won", view.treasure[seat]),
      ],
      hand(seat),
      el(
        "div",
        { class: "columns" },
        facts.guilds.map((guild) => column(guild, view.columns[seat][guild])),
        column("neutral", view.neutral[seat]),
      ),
    );
  }

  return [
    el("div", { class: `middle${isDense ? " dense" : ""}${view.phase === "over" ? " of-end" : ""}` }, view.phase === "over" ? null : trump(), trick()),
    el("div", { class: `areas${isDense ? " dense" : ""}` }, seats.map(player)),
  ].filter(Boolean);
};
