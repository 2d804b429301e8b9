"""Worlds: what a seat cannot know is drawn again."""

import random
from collections import Counter
from collections.abc import Iterator

from engine import Variant
from engine.brides_and_bribes.tiles import FIRST_OBJECT
from tests.engine.brides_and_bribes.play import (
    delegation,
    each_usual_variant,
    public,
    random_game,
    run,
    window,
)
from tests.engine.brides_and_bribes.positions import base, lay, position_of, resolving
from tests.engine.brides_and_bribes.table import OBJECTS
from tests.engine.games import Game, Json, as_json, sent_world


def games(variant: Variant) -> Iterator[Game]:
    for seed in range(2 if variant.seats == 3 else 1):
        yield random_game(variant, seed)


def test_unseen_tiles_are_uniform() -> None:
    """Of four tiles two are in the port and two on a ship: each pair as often as another."""
    layout = base(
        "b",
        hands={0: "mario"},
        delegations={"port": {1: "niccolo enrico"}, "ship-2": {1: "giorgio giovanni"}},
        favor=(1, 2, 3, 0),
    )
    state = lay(layout, "placement")
    rng, found = random.Random(8), Counter[str]()
    for _ in range(1200):
        drawn = state.determinize(0, rng)
        own = as_json(drawn.view(1))["own"]["delegations"]
        found[" ".join(sorted(own["port"]))] += 1
    assert len(found) == 6
    assert all(abs(times - 200) < 65 for times in found.values())


def objects_put_away(events: list[Json]) -> Counter[int]:
    """Return by seat how many hidden tiles of its alley must be objects, from what all were told.

    Those are the objects of a ship, and the tiles of a delegation that has no character left.
    """
    found, guides = Counter[int](), dict[int, str | None]()
    for event in events:
        kind = event["event"]
        if kind == "round":
            found = Counter()
        elif kind == "ship":
            found[event["seat"]] += event["objects"]
        elif kind == "guides":
            guides = {int(seat): guide for seat, guide in event["guides"].items()}
        elif kind in ("guide_lost", "guide_new"):
            guides[event["seat"]] = event["tile"] if kind == "guide_new" else None
        elif kind == "borough_end":
            for row in event["alleys"]:
                if guides[row["seat"]] is None:
                    found[row["seat"]] += row["hidden"]
    return found


@each_usual_variant
def test_proved_objects_stay_objects(variant: Variant) -> None:
    rng, proved = random.Random(10), Counter[str]()
    for seed in range(4):
        for number, state in enumerate(random_game(variant, seed).moments()):
            if number % 3 or window(state) == "replace":
                continue
            viewer = number % variant.seats
            drawn, guess = state.determinize(viewer, rng), sent_world(state, viewer, rng)
            view = public(state)
            objects = objects_put_away(as_json(state.events(None)))
            for seat in range(variant.seats):
                alley = position_of(guess).alley_hidden[seat]
                assert sum(tile >= FIRST_OBJECT for tile in alley) >= objects[seat]
                own, shown = as_json(drawn.view(seat))["own"], view["players"][seat]["alley_shown"]
                hidden = [tile for tile in own["alley"] if tile not in shown]
                assert sum(tile in OBJECTS for tile in hidden) >= objects[seat]
                proved["put away"] += objects[seat]
            local = view["resolution"]
            if local is None or (local["active_seat"] is None and not local["order"]):
                continue
            for row in local["delegations"]:
                if row["guide"] is None:
                    tiles = delegation(drawn, row["seat"], viewer=row["seat"])["known"]
                    assert set(tiles) <= set(OBJECTS)
                    proved["no guide"] += 1
    assert proved["put away"]
    assert proved["no guide"]


def test_declaring_to_marry_a_wed_bride_proves_a_murderer() -> None:
    """R21: so in every drawn state seat 1 has its poison here; else it may be anywhere."""
    layout = base(
        "b",
        wed={"citadel first": (3, "mileto")},
        delegations={
            "citadel": {0: "luciano hag", 1: "enrico poison-1"},
            "port": {1: "giorgio ring-1"},
        },
        alleys={1: "wine-1 suit-1"},
    )
    rng, state = random.Random(11), resolving(layout, "citadel")
    for decisions, certain in (("0:guide luciano", False), ("1:marry first", True)):
        run(state, decisions)
        here = {
            tuple(delegation(state.determinize(0, rng), 1, viewer=1)["known"]) for _ in range(60)
        }
        assert (here == {("poison-1",)}) == certain


def test_remembers_seen_tiles() -> None:
    """Tiles that were shown are where they were shown: guides, favor, and a card peeked at."""
    layout = base("b", delegations={"port": {0: "luciano double", 1: "enrico", 3: "mileto"}})
    state = resolving(layout, "port")
    run(state, "0:guide luciano, 1:hire, 0:play double, 0:leave")
    below = next(each for each in as_json(state.view(0))["boroughs"] if each["borough"] == "port")
    rng = random.Random(9)
    tops = Counter[int]()
    for _ in range(50):
        drawn = state.determinize(0, rng)
        assert drawn.view(0) == state.view(0)
        port = next(e for e in as_json(drawn.view(0))["boroughs"] if e["borough"] == "port")
        assert port["known_below"] == below["known_below"]
        tops[position_of(state.determinize(1, rng)).decks[4][0]] += 1
    assert len(tops) > 2
