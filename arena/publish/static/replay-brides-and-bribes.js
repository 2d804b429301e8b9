// The table of Brides & Bribes: boroughs with brides and delegations, ships, workshops, families.
"use strict";

arena.drawings["brides-and-bribes"] = function (view, context) {
  const { el, called, times, back, badge, badges, figure, icon, section, area } = arena;
  const { facts, own } = context;

  /** Return the sort of a tile, and the values printed on it. */
  function printed(slug) {
    const prestige = facts.prestige[slug];
    const charm = facts.charm[slug];
    if (charm !== undefined) {
      return { sort: "loyal", worth: `${prestige}/${charm}` };
    }
    if (prestige !== undefined) {
      return { sort: "common", worth: String(prestige) };
    }
    return { sort: "object", worth: null };
  }

  function tile(slug, place, mark) {
    const { sort, worth } = printed(slug);
    return el(
      "span",
      { class: `tile ${sort}`, title: `${called(slug)}: ${facts.tips[slug]}`, "data-key": `${slug} ${place}` },
      icon(facts.kind[slug]),
      called(slug),
      worth ? el("b", {}, worth) : null,
      mark ? el("i", {}, mark) : null,
    );
  }

  function tiles(slugs, place) {
    return slugs.map((slug) => tile(slug, place));
  }

  /** Draw the tiles of a seat, or their backs if they are hidden. */
  function tilesOrBacks(open, number, place) {
    return open ? tiles(open, place) : times(number, () => back("tile"));
  }

  function workers(numbers, place) {
    return Object.entries(numbers)
      .filter(([, number]) => number)
      .map(([colour, number]) =>
        el(
          "span",
          { class: `worker ${colour}`, "data-key": place && `${place} ${colour} ${number}` },
          `${number} ${colour}`,
        ),
      );
  }

  function fact(title, ...parts) {
    return el("div", { class: "fact" }, el("dt", {}, title), el("dd", {}, parts));
  }

  function rowOf(seat, ...parts) {
    return el("div", { class: "row" }, badge(seat), parts);
  }

  // -- boroughs ------------------------------------------------------------------------------

  function bride(borough, place) {
    const found = borough.brides[place];
    if (!found) {
      return el("div", { class: "bride absent" }, `no ${place} bride`);
    }
    const dowry = [
      found.dowry_coins && `${found.dowry_coins} coin${found.dowry_coins > 1 ? "s" : ""}`,
      found.dowry_object && called(found.dowry_object),
    ].filter(Boolean);
    const wed = found.married_seat !== null;
    return el(
      "div",
      {
        title: `${called(found.tile)}: ${facts.tips[found.tile]}`,
        class: `bride${wed ? ` wed seat-${found.married_seat}` : ""}`,
        "data-key": `${found.tile} ${borough.borough} ${place} ${found.married_seat}`,
      },
      el("b", {}, called(found.tile)),
      el("span", {}, `${place}, charm ${found.charm}`),
      wed
        ? el(
            "span",
            { class: "wedding" },
            "wed to ",
            badge(found.married_seat),
            ` ${called(found.married_tile)}`,
          )
        : el("span", {}, dowry.length ? `dowry ${dowry.join(", ")}` : "no dowry"),
    );
  }

  function delegation(borough, { seat, tiles: number }) {
    const open = own.get(seat)?.own.delegations[borough];
    return rowOf(seat, tilesOrBacks(open, number, borough));
  }

  function known(one) {
    const seen = own
      .get(one.seat)
      ?.resolution?.delegations.find((other) => other.seat === one.seat);
    const shown = seen ? seen.known : one.known;
    return [tiles(shown, "here"), times(one.hand - shown.length, () => back("tile"))];
  }

  function resolved(one, resolution) {
    const marks = [
      one.seat === resolution.active_seat &&
        (resolution.declared ? `declared: ${resolution.declared}` : "acts"),
      resolution.queue.includes(one.seat) && "acts later",
      one.prestige !== null && `prestige ${one.prestige}`,
      one.charm !== null && `charm ${one.charm}`,
      one.guide_used && "guide used",
      one.guide_married && "guide wed",
      one.edict && "edict",
      one.open && "open tiles",
      one.closed.length && `can't ${one.closed.join(", ")}`,
    ].filter(Boolean);
    const guide = one.guide ? tile(one.guide, "guide", "guide") : null;
    return el(
      "div",
      { class: `delegate${one.seat === resolution.active_seat ? " active" : ""}` },
      rowOf(one.seat, guide, known(one)),
      el("p", {}, marks.join(" · ")),
    );
  }

  function resolution() {
    const now = view.resolution;
    const pending = now.pending;
    const notes = [
      `the lord asks for prestige ${now.lord_prestige}`,
      now.bride_charm_change &&
        `charm of the brides ${now.bride_charm_change > 0 ? "+" : ""}${now.bride_charm_change}`,
      now.marriage_banned && "nobody can marry",
      now.workers_banned && "nobody can take workers",
      now.lover_seat !== null && `seat ${now.lover_seat} will get the dowry`,
      pending &&
        `seat ${pending.seat} plays ${called(pending.tile)}${pending.target ? `: ${pending.target}` : ""}`,
    ].filter(Boolean);
    return el(
      "div",
      { class: "resolution" },
      el("p", {}, notes.join("; ")),
      now.delegations.map((one) => resolved(one, now)),
    );
  }

  function borough(one) {
    const active = view.resolution?.borough === one.borough;
    const below = [view, ...own.values()]
      .map((seen) => seen.boroughs.find((b) => b.borough === one.borough).known_below)
      .find(Boolean);
    const done = one.resolved && !active && view.phase === "resolution"; // of this round only
    const state = active ? "is resolved now" : done ? "resolved" : null;
    return el(
      "section",
      { class: `borough ${one.colour}${active ? " active" : ""}${done ? " done" : ""}` },
      el("h3", {}, called(one.borough), state ? el("span", { class: "mark" }, state) : null),
      el("p", { class: "lord" }, `lord ${called(one.lord)}, prestige ${one.lord_prestige}`),
      el("div", { class: "brides" }, bride(one, "first"), bride(one, "second")),
      el(
        "dl",
        {},
        fact(
          "workers",
          workers(one.workers, one.borough),
          figure("influence", one.influence_tokens),
        ),
        fact(
          "for hire",
          one.common ? tile(one.common, "for hire") : "nobody",
          ` ${one.deck} below`,
          below ? [", next ", tile(below, "next")] : null,
        ),
      ),
      one.delegations.length
        ? el(
            "div",
            { class: "delegations" },
            one.delegations.map((each) => delegation(one.borough, each)),
          )
        : null,
      active ? resolution() : null,
    );
  }

  // -- around the board ----------------------------------------------------------------------

  function ship(one) {
    if (one.seat === null) {
      return el("li", {}, `ship ${one.ship}`);
    }
    const open = own.get(one.seat)?.own.delegations[`ship-${one.ship}`];
    return el(
      "li",
      {},
      `ship ${one.ship} `,
      badge(one.seat),
      tilesOrBacks(open, one.tiles, `ship ${one.ship}`),
    );
  }

  function workshop(one) {
    const left =
      one.influence === null ? "none left" : `${one.left} left, ${one.influence} influence`;
    return el(
      "li",
      {},
      el("b", {}, called(one.kind)),
      ` ${left} `,
      workers(one.workers),
      ` ${one.object}`,
    );
  }

  function around() {
    const { supply, bride_box: box } = view;
    return el(
      "div",
      { class: "around" },
      section("Ships", "ships", el("ul", {}, view.ships.map(ship))),
      section("Workshops", "workshops", el("ul", {}, view.workshops.map(workshop))),
      section(
        "Supply",
        "supply",
        el(
          "p",
          {},
          figure("coins", supply.coins),
          figure("influence tokens", supply.influence_tokens),
          workers(supply.workers),
        ),
        el(
          "p",
          {},
          `Brides in the boxes: ${[...box.first, ...box.second].map(called).join(", ") || "none"}`,
        ),
      ),
    );
  }

  // -- the seats -----------------------------------------------------------------------------

  function player(one) {
    const hand = own.get(one.seat)?.own.hand;
    const alley = own.get(one.seat)?.own.alley;
    const hidden = alley
      ? tiles(alley, "alley")
      : [tiles(one.alley_shown, "alley"), times(one.alley_hidden, () => back("tile"))];
    const wed = one.marriages.map((each) => `${called(each.tile)} in the ${each.borough}`);
    const key = (what, number) =>
      el("span", { "data-key": `${what} of ${one.seat} ${number}` }, figure(what, number));
    return area(
      one.seat,
      context,
      [
        called(one.family),
        view.first_seat === one.seat && "first seat",
        view.phase === "placement" && one.passed && "has passed",
      ],
      [
        key("influence", one.influence),
        key("coins", one.coins),
        figure("coaches", one.coaches_left),
        workers(one.workers, `of ${one.seat}`),
      ],
      el(
        "dl",
        {},
        one.hand ? fact("hand", tilesOrBacks(hand, one.hand, "hand")) : null,
        one.alley_shown.length + one.alley_hidden ? fact("alley", hidden) : null,
        one.used_objects.length ? fact("used", tiles(one.used_objects, "used")) : null,
        one.workshops.length
          ? fact(
              "workshops",
              one.workshops.map((slug) =>
                el("span", { class: "shop", "data-key": slug }, called(slug)),
              ),
            )
          : null,
        wed.length ? fact("weddings", wed.join(", ")) : null,
      ),
    );
  }

  function order() {
    const asked = view.favor_asked.length
      ? [", asked for in this round by ", badges(view.favor_asked)]
      : [];
    return el(
      "p",
      { class: "notice" },
      `Round ${view.round} of 6. Order of favor: `,
      badges(view.favor_order),
      asked,
    );
  }

  return [
    view.round ? order() : null,
    el(
      "div",
      { class: "city" },
      el("div", { class: "boroughs" }, view.boroughs.map(borough)),
      el("div", { class: "areas of-families" }, view.players.map(player)),
    ),
    around(),
  ].filter(Boolean);
};
