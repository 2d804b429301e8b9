"""I7: the seat that is asked, its decline and its secret choice stay hidden (section 10)."""

import random
from typing import Any

import pytest
from hypothesis import given, settings

from engine import State
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.tiles import FIRST_OBJECT, SEATS
from tests.engine.brides_and_bribes.play import (
    ASIDE,
    VARIANTS,
    known_to,
    public,
    random_game,
    random_games,
    run,
    viewers,
    window,
)
from tests.engine.brides_and_bribes.positions import base, position_of, resolving
from tests.engine.games import Game, Json, as_json


def test_i7_views_hide_what_events_hide() -> None:
    """Views change only with public events, and all seats are told the same number of them.

    So a `decline` that nothing public follows is seen by its seat only. The one exception is that
    all see whose turn it is.
    """
    for seed in range(3):
        game = random_game(VARIANTS[seed % 3], seed)
        moments = game.moments()
        since, before = 0, looks(next(moments))
        for seat, action, after in zip(game.seats, game.actions, moments, strict=True):
            now = looks(after)
            news = [len(after.events(viewer, since=since)) for viewer in viewers(game.variant)]
            assert len(set(news)) == 1
            since += news[0]
            if not news[0]:
                aside = before[seat]["window"] in ASIDE
                assert action == "decline" or not aside
                for viewer, (old, new) in enumerate(zip(before, now, strict=True)):
                    if viewer != seat or aside:
                        assert unasked(without_turn(old, new)) == unasked(new)
            before = now


def looks(state: State) -> list[Json]:
    return [as_json(state.view(viewer)) for viewer in viewers(state.variant)]


def without_turn(old: Json, new: Json) -> Json:
    """Return the old view with the turn of the new one, if another seat is on turn there."""
    one, other = old["resolution"], new["resolution"]
    if one is None or other is None or one["active_seat"] == other["active_seat"]:
        return old
    turn = {name: other[name] for name in ("active_seat", "queue", "declared")}
    assert turn["declared"] is None
    assert one["queue"][:1] == [turn["active_seat"]]
    return {**old, "resolution": {**one, **turn}}


def unasked(view: Json) -> Json:
    return {**view, "window": None, "legal": [], "actions_left": None}


def without_question(known: Any) -> Any:
    view, events = known
    return unasked(view), events


@settings(max_examples=8)
@given(game=random_games())
def test_i7_events_hide_who_declines(game: Game) -> None:
    end = game.end()
    for viewer in viewers(game.variant):
        for event in as_json(end.events(viewer)):
            assert "decline" not in event.values()
            assert not {"asked", "legal", "window"} & event.keys()


def swap_hidden(position: Position, seat: int, rng: random.Random) -> bool:
    """Exchange a hidden tile of the borough hand of a seat for one that it has elsewhere.

    Both are characters or both are objects. Returns whether there were two to exchange.
    """
    resolution = position.resolution
    mine = [tile for tile in resolution.hand[seat] if tile not in resolution.exposed]
    if not mine or resolution.open[seat]:
        return False
    tile = rng.choice(mine)
    places: list[tuple[list[tuple[int, ...]], int]] = [(position.alley_hidden, seat)]
    places += [(position.delegations, at) for at in range(seat, len(position.delegations), SEATS)]
    others = [
        (row, at, other)
        for row, at in places
        if row is position.alley_hidden or at // SEATS != resolution.borough
        for other in row[at]
        if (other < FIRST_OBJECT) == (tile < FIRST_OBJECT)
    ]
    if not others:
        return False
    row, at, other = rng.choice(others)
    row[at] = tuple(sorted({*row[at], tile} - {other}))
    resolution.hand[seat] = tuple(sorted({*resolution.hand[seat], other} - {tile}))
    return True


def decline_on(state: State) -> None:
    while window(state) in ASIDE:
        state.apply("decline")


TELLING = {"opened", "guide_new", "guides"}


@pytest.mark.slow
def test_i7_declining_looks_like_having_nothing_to_play() -> None:
    """With other hidden tiles a seat is asked at other times; other seats see no difference."""
    compared = apart = 0
    for seed in range(9):
        rng = random.Random(seed)
        game = random_game(VARIANTS[seed % 3], seed)
        for state in game.moments():
            if window(state) not in ASIDE:
                continue
            for seat in range(game.variant.seats):
                twin, since = state.clone(), len(state.events(None))
                if seat == state.seat_to_act or not swap_hidden(position_of(twin), seat, rng):
                    continue
                others = [viewer for viewer in viewers(game.variant) if viewer != seat]
                for viewer in others:
                    assert known_to(state, viewer) == known_to(twin, viewer)
                one = state.clone()
                one.apply("decline")
                twin.apply("decline")
                apart += one.seat_to_act != twin.seat_to_act
                decline_on(one)
                decline_on(twin)
                if TELLING & {event["event"] for event in as_json(one.events(None, since=since))}:
                    continue
                for viewer in others:
                    assert without_question(known_to(one, viewer)) == without_question(
                        known_to(twin, viewer)
                    )
                compared += 1
    assert compared > 50
    assert apart > 5


def twins(of_seat: int, here: str, instead: str, **changes: Any) -> tuple[State, State]:
    """Return two positions in the citadel that differ in one tile of a seat.

    The other tile is in the alley of the seat, so that all own the same.
    """
    tiles: dict[int, str] = changes.pop("tiles")
    states = []
    for tile, other in ((here, instead), (instead, here)):
        layout = base(
            "b",
            coins={0: 3, 1: 9, 2: 3, 3: 3},
            influence={1: 9, 3: 9},
            alleys={of_seat: other},
            delegations={"citadel": tiles | {of_seat: f"{tiles[of_seat]} {tile}"}},
            **changes,
        )
        states.append(resolving(layout, "citadel"))
    return states[0], states[1]


def know_the_same(one: State, twin: State, but_for: set[int | None]) -> None:
    for viewer in viewers(one.variant):
        if viewer not in but_for:
            assert known_to(one, viewer) == known_to(twin, viewer)


BESIDE_OTHERS = {
    "order": (
        ("archivist-1", "charmer", {0: "luciano suit-1", 1: "enrico", 2: "oberto", 3: "mileto"}),
        "3:guide mileto",
    ),
    "react": (
        ("damsel-1", "bard", {0: "luciano tutor", 1: "enrico", 2: "oberto", 3: "mileto"}),
        "3:guide mileto, 0:guide luciano, 1:marry first",
    ),
    "counter": (
        (
            "poison-1",
            "ring-1",
            {0: "luciano assassin-1", 1: "enrico merchant-1", 2: "oberto", 3: "mileto"},
        ),
        "0:guide luciano, 1:guide enrico, 1:ducato, 1:play merchant-1 influence",
    ),
}
"""By window: a tile of seat 3 that can be played there, one that cannot, all other tiles; and the
decisions up to there. Afterwards seat 0 is asked there."""


@pytest.mark.parametrize("name", BESIDE_OTHERS)
def test_i7_nobody_can_tell_which_of_two_seats_is_asked(name: str) -> None:
    (here, instead, tiles), decisions = BESIDE_OTHERS[name]
    one, twin = twins(3, here, instead, tiles=tiles)
    for state in (one, twin):
        run(state, decisions)
    assert (one.seat_to_act, window(one)) == (3, name)
    assert (twin.seat_to_act, window(twin)) == (0, name)
    know_the_same(one, twin, {0, 3})
    one.apply("decline")
    assert (one.seat_to_act, window(one)) == (0, name)
    know_the_same(one, twin, {3})


OF_ONE_SEAT = {
    "wedding": (("lover", "bard", {0: "luciano", 1: "enrico", 2: "franco", 3: "mileto"}),
                (0, 1, 2, 3), "3:guide mileto, 1:marry second"),
    "before": (("bard", "charmer", {0: "luciano", 1: "giorgio", 2: "franco", 3: "mileto"}),
               (3, 0, 1, 2), "3:guide mileto, 3:marry second"),
    "after": (("merchant-1", "charmer", {0: "luciano", 1: "giorgio", 2: "franco", 3: "mileto"}),
              (3, 0, 1, 2), "3:guide mileto, 3:ducato"),
    "save": (("antidote-1", "ring-1", {0: "luciano", 2: "franco poison-2", 3: "mileto merchant-1"}),
             (3, 0, 1, 2),
             "3:guide mileto, 3:ducato, 3:play merchant-1 influence, 2:counter poison-2"),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_ONE_SEAT)
def test_i7_nobody_can_tell_that_a_seat_declined(name: str) -> None:
    """Where only one seat can be asked: after its `decline` all is as if it had not been."""
    (here, instead, tiles), favor, decisions = OF_ONE_SEAT[name]
    one, twin = twins(3, here, instead, tiles=tiles, favor=favor)
    for state in (one, twin):
        run(state, decisions)
    assert (one.seat_to_act, window(one)) == (3, name)
    assert window(twin) != name
    one.apply("decline")
    assert (one.seat_to_act, window(one)) == (twin.seat_to_act, window(twin))
    know_the_same(one, twin, {3})


def test_i7_the_guides_are_chosen_unseen() -> None:
    """Until all seats have chosen, no other seat sees which have, nor their choices."""
    tiles = {0: "luciano tutor", 1: "enrico giorgio", 2: "oberto", 3: "mileto bard"}
    layout = base("b", delegations={"citadel": tiles})
    one, twin = resolving(layout, "citadel"), resolving(layout, "citadel")
    run(one, "3:guide mileto")
    run(twin, "3:guide bard")
    know_the_same(one, twin, {3})
    start = resolving(layout, "citadel")
    for viewer in (1, 2, None):
        assert known_to(one, viewer) == known_to(start, viewer)
    run(one, "0:guide luciano")
    run(twin, "0:guide luciano")
    know_the_same(one, twin, {3})
    assert [row["guide"] for row in public(one)["resolution"]["delegations"]] == [None] * 4
    run(one, "1:guide enrico")
    guides = {row["seat"]: row["guide"] for row in public(one)["resolution"]["delegations"]}
    assert guides == {0: "luciano", 1: "enrico", 2: "oberto", 3: "mileto"}


def test_i7_a_peek_is_seen_by_the_peeking_seat_only() -> None:
    layouts = []
    for below in ("rat", "defamer"):
        layout = base("b", delegations={"port": {0: "luciano double", 1: "enrico", 3: "mileto"}})
        layout.commons["port"] = "assassin-1"
        others = "rat defamer thief-1 thief-2 assassin-2".split()
        layout.decks["port"] = [below, *[tile for tile in others if tile != below]]
        layouts.append(layout)
    one, twin = (resolving(layout, "port") for layout in layouts)
    for state in (one, twin):
        run(state, "0:guide luciano, 1:hire, 0:play double")
    know_the_same(one, twin, {0})
    assert known_to(one, 0) != known_to(twin, 0)
    for state in (one, twin):
        run(state, "0:leave")
    know_the_same(one, twin, {0})
