"""Worked examples W14 to W19 of section 12: plays, counters and saves."""

from engine.brides_and_bribes.state import BridesAndBribesState
from tests.engine.brides_and_bribes.play import (
    alley,
    asked,
    borough,
    bride,
    coins,
    couple,
    delegation,
    events,
    influence,
    players,
    resolution,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import over_in, position_a, resolving

FAVOR = (1, 0, 2)


def test_w14_assassin_guarded() -> None:
    layout = position_a(
        favor=FAVOR, delegations={"port": {0: "mario assassin-2", 1: "niccolo enrico"}}
    )
    state = resolving(layout, "port")
    run(state, "0:guide mario, 1:guide niccolo, 1:employ")
    asked(state, 0, "decline, play assassin-2 seat-1")
    run(state, "0:play assassin-2 seat-1")
    assert window(state) == "counter"
    asked(state, 1, "counter enrico, decline")
    assert resolution(state)["pending"] == {"seat": 0, "tile": "assassin-2", "target": "seat-1"}
    run(state, "1:counter enrico")
    assert delegation(state, 1)["guide"] == "niccolo"
    assert workers(state, 1) == {"black": 1}
    asked(state, 1, "decline, play niccolo")
    run(state, "1:decline, 0:ducato")
    over_in(state, "port")
    assert "enrico" in players(state, "alley_shown")[1]
    assert "assassin-2" in players(state, "alley_shown")[0]


def test_w15_not_guarded() -> None:
    layout = position_a(
        favor=FAVOR,
        coins={1: 6},
        influence={1: 4},
        delegations={"port": {0: "luciano assassin-2", 1: "niccolo merchant-1"}},
    )
    state = resolving(layout, "port")
    run(state, "0:guide luciano, 1:guide niccolo, 1:marry first, 0:play assassin-2 seat-1")
    assert delegation(state, 1)["guide"] == "merchant-1"
    assert delegation(state, 1)["closed"] == ["marry first"]
    assert "niccolo" in players(state, "alley_shown")[1]
    run(state, "0:ducato")
    asked(state, 1, "ducato, employ, hire, influence")
    run(state, "1:employ")
    asked(state, 1, "decline, play merchant-1 black, play merchant-1 influence")
    run(state, "1:play merchant-1 black")
    over_in(state, "port")
    assert (coins(state)[1], workers(state, 1), influence(state)[1]) == (9, {}, 4)


def test_w16_lone_guide() -> None:
    """A guide of prestige 2 is wanted here; so seat 0 has one that is not of its family."""
    layout = position_a(delegations={"port": {0: "franco poison-1", 1: "niccolo ring-1"}})
    state = resolving(layout, "port")
    assert resolution(state)["order"] == [1, 0]
    run(state, "1:hire, 0:play poison-1 seat-1")
    assert delegation(state, 1)["guide"] is None
    assert (state.seat_to_act, window(state)) == (0, "declare")
    asked(state, 0, "ducato, employ, hire, influence, marry first, marry second")
    run(state, "0:ducato")
    over_in(state, "port")
    assert {"niccolo", "ring-1"} <= set(alley(state, 1))
    assert "ring-1" not in players(state, "alley_shown")[1]
    assert players(state, "used_objects") == [["poison-1"], [], []]
    assert borough(state, "port")["common"] == "assassin-1"
    assert [event["action"] for event in events(state, "done")] == ["ducato"]


def test_w17_hag() -> None:
    layout = position_a(coins={1: 9}, delegations={"citadel": {0: "luciano hag", 1: "enrico"}})
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano, 1:marry first")
    asked(state, 0, "decline, play hag")
    run(state, "0:play hag")
    assert resolution(state)["marriage_banned"]
    asked(state, 0, "ducato, employ, hire, influence")
    run(state, "0:ducato")
    asked(state, 1, "ducato, employ, hire, influence")
    assert coins(state) == [1, 9, 0]


def position_of_w18() -> BridesAndBribesState:
    layout = position_a(
        coins={0: 2, 1: 9},
        delegations={"citadel": {0: "luciano hag antidote-1", 1: "enrico poison-1 assassin-2"}},
    )
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano, 1:guide enrico, 1:marry first")
    asked(state, 0, "decline, play hag")
    run(state, "0:play hag")
    assert window(state) == "counter"
    asked(state, 1, "counter assassin-2, counter poison-1, decline")
    run(state, "1:counter poison-1")
    assert window(state) == "save"
    asked(state, 0, "counter antidote-1, decline")
    return state


def married(state: BridesAndBribesState) -> None:
    assert couple(state, "citadel first") == ("eleonora", 1, "enrico")
    assert (coins(state)[1], influence(state)[1]) == (9 - 4 + 1, 5)


def test_w18_a_hag_stopped() -> None:
    state = position_of_w18()
    run(state, "0:decline")
    assert "hag" in players(state, "alley_shown")[0]
    assert not resolution(state)["marriage_banned"]
    assert window(state) == "before"
    asked(state, 1, "decline, play assassin-2 first")
    run(state, "1:decline")
    married(state)
    assert window(state) == "after"
    asked(
        state,
        1,
        "decline, play assassin-2 first, play assassin-2 seat-0, play assassin-2 second",
    )
    run(state, "1:decline, 0:ducato")
    over_in(state, "citadel")


def test_w18_b_stopped_in_spite_of_the_save() -> None:
    state = position_of_w18()
    run(state, "0:counter antidote-1")
    assert window(state) == "counter"
    asked(state, 1, "counter assassin-2, decline")
    run(state, "1:counter assassin-2")
    married(state)
    assert not resolution(state)["marriage_banned"]
    run(state, "0:ducato")
    over_in(state, "citadel")
    assert players(state, "used_objects") == [["antidote-1"], ["poison-1"], []]


def test_w18_c_saved() -> None:
    state = position_of_w18()
    run(state, "0:counter antidote-1, 1:decline")
    assert resolution(state)["marriage_banned"]
    assert delegation(state, 1)["closed"] == ["marry first"]
    run(state, "0:ducato, 1:employ, 1:decline")
    over_in(state, "citadel")
    assert couple(state, "citadel first") == ("eleonora", None, None)
    assert (coins(state)[:2], workers(state, 1)) == ([3, 9], {"blue": 1})


def test_w19_charmer() -> None:
    layout = position_a(
        tokens={"market": 3}, delegations={"market": {0: "luciano charmer", 1: "enrico"}}
    )
    state = resolving(layout, "market")
    run(state, "0:guide luciano, 1:influence")
    asked(state, 0, "decline, play charmer")
    run(state, "0:play charmer")
    asked(state, 1, "ducato, employ, hire, marry first, marry second")
    assert window(state) == "declare"
    run(state, "1:employ, 0:influence")
    over_in(state, "market")
    assert influence(state) == [3, 0, 0]
    assert bride(state, "market first") == "caterina"
