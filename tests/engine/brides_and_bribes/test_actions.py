"""Worked examples W20 to W24 of section 12: workers, commons, ships and placement."""

import pytest

from engine import State
from tests.engine.brides_and_bribes.play import (
    alley,
    asked,
    borough,
    coins,
    delegation,
    events,
    influence,
    players,
    public,
    resolution,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import lay, over_in, position_a, resolving
from tests.engine.games import as_json


def supply(state: State) -> dict[str, int]:
    found: dict[str, int] = public(state)["supply"]["workers"]
    return found


def test_w20_wine() -> None:
    layout = position_a(delegations={"market": {0: "luciano wine-1", 1: "giorgio"}})
    state = resolving(layout, "market")
    run(state, "0:influence")
    asked(state, 0, "decline, play wine-1")
    run(state, "0:play wine-1, 1:employ")
    over_in(state, "market")
    assert [workers(state, seat) for seat in (0, 1)] == [{"green": 1}, {"green": 1}]
    assert (supply(state)["green"], influence(state)) == (9, [1, 0, 0])


def test_w20_barker() -> None:
    layout = position_a(delegations={"market": {0: "luciano wine-1", 1: "giorgio barker"}})
    state = resolving(layout, "market")
    run(state, "1:guide giorgio, 0:employ")
    asked(state, 1, "decline, play barker")
    run(state, "1:play barker")
    assert resolution(state)["workers_banned"]
    assert delegation(state, 0)["closed"] == ["employ"]
    asked(state, 1, "ducato, hire, influence, marry first, marry second")
    run(state, "1:hire, 0:influence")
    over_in(state, "market")
    assert "wine-1" in alley(state, 0)
    assert "wine-1" not in players(state, "alley_shown")[0]
    assert (workers(state, 0), workers(state, 1)) == ({}, {})
    assert "jester" in players(state, "tiles")[1]


def test_w21_giovanni_extra_worker_and_mediator() -> None:
    layout = position_a(
        borough_workers={"port": "black black black"},
        delegations={"citadel": {1: "niccolo giovanni mediator"}},
    )
    state = resolving(layout, "citadel")
    run(state, "1:guide niccolo, 1:employ")
    assert window(state) == "before"
    asked(state, 1, "decline, play giovanni market, play giovanni port")
    run(state, "1:play giovanni port")
    assert workers(state, 1) == {"black": 3}
    assert borough(state, "port")["workers"]["blue"] == 1
    colours = ("blue", "green", "red", "yellow")
    mediators = ", ".join(f"play mediator {colour}" for colour in colours)
    asked(state, 1, f"decline, {mediators}, play niccolo")
    run(state, "1:play niccolo")
    assert workers(state, 1) == {"blue": 1, "black": 3}
    asked(state, 1, f"decline, {mediators}")
    run(state, "1:play mediator green")
    over_in(state, "citadel")
    assert workers(state, 1) == {"green": 3, "blue": 1}
    left = supply(state)
    assert (left["blue"], left["green"], left["black"]) == (9, 7, 11)


def test_w21_a_mediator_is_limited_by_the_supply() -> None:
    layout = position_a(
        borough_workers={"citadel": "yellow blue"},
        workers={0: " ".join(["black"] * 9)},
        delegations={"citadel": {1: "giorgio mediator"}},
    )
    state = resolving(layout, "citadel")
    assert supply(state)["black"] == 1
    run(state, "1:guide giorgio, 1:employ, 1:play mediator black")
    over_in(state, "citadel")
    assert workers(state, 1) == {"blue": 1, "black": 1}
    assert (supply(state)["black"], supply(state)["yellow"]) == (0, 11)


def test_w22_double() -> None:
    layout = position_a(delegations={"port": {0: "luciano double", 1: "enrico"}})
    state = resolving(layout, "port")
    run(state, "0:guide luciano, 1:hire")
    asked(state, 0, "decline, play double")
    run(state, "0:play double")
    assert window(state) == "peek"
    asked(state, 0, "leave, switch")

    def below(viewer: int | None) -> str | None:
        view = as_json(state.view(viewer))
        known: str | None = next(
            each["known_below"] for each in view["boroughs"] if each["borough"] == "port"
        )
        return known

    assert [below(viewer) for viewer in (0, 1, 2, None)] == ["rat", None, None, None]
    (seen,) = events(state, "peeked", 0)
    (told,) = events(state, "peeked", 1)
    assert (seen["tile"], told["tile"]) == ("rat", None)
    run(state, "0:switch")
    assert "rat" in players(state, "tiles")[1]
    assert [below(viewer) for viewer in (0, 1, 2, None)] == ["assassin-1"] * 4
    run(state, "0:ducato")
    over_in(state, "port")
    assert "rat" in players(state, "alley_shown")[1]
    assert (borough(state, "port")["common"], borough(state, "port")["deck"]) == (None, 5)


def test_w23_ships() -> None:
    layout = position_a(
        coins={0: 7, 1: 2},
        workers={1: "black"},
        delegations={"ship-3": {0: "luciano mario wine-1"}, "ship-1": {1: "enrico giorgio"}},
    )
    state = lay(layout, "colonies")
    colours = ("black", "blue", "green", "red", "yellow")
    asked(state, 0, ", ".join([*[f"buy {colour}" for colour in colours], "decline"]))
    run(state, "0:buy red, 0:buy red")
    assert (coins(state)[0], workers(state, 0)) == (1, {"red": 2})
    assert players(state, "alley_shown")[0] == ["luciano", "mario"]
    assert {"luciano", "mario", "wine-1"} <= set(alley(state, 0))
    swaps = [f"swap black {colour}" for colour in colours[1:]]
    asked(state, 1, ", ".join(["decline", *swaps]))
    run(state, "1:swap black red")
    assert workers(state, 1) == {"red": 1}
    assert state.seat_to_act == 1
    run(state, "1:decline")
    assert (state.seat_to_act, window(state)) == (2, "activate")
    assert [ship["seat"] for ship in public(state)["ships"]] == [None] * 4
    assert coins(state) == [1, 2, 0]


def test_w24_placement() -> None:
    layout = position_a(
        favor=(1, 0, 2),
        hands={0: "luciano matteo mario", 1: "niccolo", 2: "taddeo oberto wine-1"},
    )
    state = lay(layout, "placement")
    everywhere = "place citadel, place favor, place market, place port"
    asked(state, 2, f"pass, {everywhere}, place ship-1, place ship-2, place ship-3, place ship-4")
    assert as_json(state.view(2))["actions_left"] == 2
    run(state, "2:place port")
    asked(state, 2, "send oberto port, send taddeo port, send wine-1 port")
    run(state, "2:send taddeo port")
    assert as_json(state.view(2))["actions_left"] == 1
    run(state, "2:place favor")
    assert players(state, "alley_shown")[2] == ["oberto"]
    run(state, "0:place port, 0:send luciano port, 0:place ship-2, 0:ship 2 mario")
    asked(state, 1, f"pass, {everywhere}, place ship-1, place ship-3, place ship-4")
    run(state, "1:place port")
    assert players(state, "passed") == [False, True, False]
    assert public(state)["favor_asked"] == [2]
    run(state, "2:place port")
    assert players(state, "passed") == [False, True, True]
    asked(state, 0, "pass, place citadel, place favor, place market, place port, place ship-2")
    run(state, "0:place favor")
    assert public(state)["favor_order"] == [2, 0, 1]
    assert (state.seat_to_act, window(state)) == (2, "activate")
    placed = borough(state, "port")["delegations"]
    assert {each["seat"]: each["tiles"] for each in placed} == {0: 1, 1: 1, 2: 2}


@pytest.mark.parametrize("first", [True, False])
def test_passing_ends_the_turn(first: bool) -> None:
    """R9: `pass` may be the first or the second action; the rest goes to the alley unseen."""
    layout = position_a(hands={0: "luciano matteo", 1: "niccolo enrico", 2: "taddeo oberto"})
    state = lay(layout, "placement")
    run(state, "2:pass" if first else "2:place port, 2:send taddeo port, 2:pass")
    assert (state.seat_to_act, window(state)) == (0, "place")
    player = public(state)["players"][2]
    assert (player["passed"], player["hand"], player["alley_shown"]) == (True, 0, [])
    run(state, "0:pass, 1:pass")
    assert (state.seat_to_act, window(state)) == (2, "activate")
