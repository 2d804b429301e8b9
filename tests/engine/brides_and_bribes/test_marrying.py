"""Worked examples W1 to W9 of section 12: what a marriage costs and brings, and how it fails."""

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
    marriages,
    players,
    resolution,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import (
    Layout,
    over_in,
    position_a,
    position_b,
    resolving,
)


def test_w1_bribe() -> None:
    layout = position_a(coins={0: 5}, delegations={"citadel": {0: "luciano"}})
    state = resolving(layout, "citadel")
    asked(state, 0, "ducato, employ, hire, influence, marry first, marry second")
    run(state, "0:marry first")
    over_in(state, "citadel")
    assert (coins(state), influence(state)) == ([2, 0, 0], [5, 0, 0])
    assert couple(state, "citadel first") == ("eleonora", 0, "luciano")
    assert marriages(state, 0) == ["citadel first luciano"]
    assert "antidote-5" in alley(state, 0)
    (married,) = events(state, "married")
    assert (married["forfeit"], married["bribe"]) == (0, 4)


def test_w1_the_object_of_the_dowry_is_owned_already() -> None:
    layout = position_a(
        brides={"citadel first": "bianca"},
        coins={0: 5},
        delegations={"citadel": {0: "luciano"}},
        alleys={2: "poison-5"},
    )
    state = resolving(layout, "citadel")
    run(state, "0:marry first")
    over_in(state, "citadel")
    assert (coins(state), influence(state)) == ([2, 0, 0], [5, 0, 0])
    assert players(state, "tiles")[0] == ["matteo", "mario", "raineo"]
    assert "poison-5" in players(state, "tiles")[2]
    (married,) = events(state, "married")
    assert (married["forfeit"], married["bribe"]) == (0, 3)


def test_w2_forfeit() -> None:
    layout = position_a(coins={0: 2}, influence={0: 2}, delegations={"market": {0: "luciano"}})
    state = resolving(layout, "market")
    run(state, "0:marry second")
    over_in(state, "market")
    assert (coins(state), influence(state)) == ([3, 0, 0], [4, 0, 0])
    (married,) = events(state, "married")
    assert (married["forfeit"], married["bribe"]) == (1, 0)


def test_w3_not_able() -> None:
    layout = position_a(coins={0: 2, 1: 3}, delegations={"market": {0: "luciano", 1: "giorgio"}})
    state = resolving(layout, "market")
    assert resolution(state)["order"] == [0, 1]
    assert [delegation(state, seat)["prestige"] for seat in (0, 1)] == [3, 2]
    run(state, "0:marry second")
    assert (resolution(state)["active_seat"], resolution(state)["queue"]) == (1, [0])
    run(state, "1:influence")
    assert influence(state) == [0, 1, 0]
    asked(state, 0, "ducato, employ, hire, marry first")
    assert delegation(state, 0)["closed"] == ["marry second"]
    run(state, "0:employ")
    asked(state, 0, "decline, play luciano")
    run(state, "0:play luciano")
    over_in(state, "market")
    assert workers(state, 0) == {"green": 2}
    assert coins(state) == [2, 3, 0]


def test_w4_the_raised_price_is_paid() -> None:
    layout = position_b(
        coins={1: 8},
        influence={1: 5},
        delegations={"citadel": {1: "enrico", 2: "damsel-1", 3: "crook"}},
    )
    state = resolving(layout, "citadel")
    assert resolution(state)["order"] == [1, 2, 3]
    run(state, "1:marry first")
    asked(state, 2, "decline, play damsel-1")
    run(state, "2:play damsel-1")
    assert resolution(state)["bride_charm_change"] == 3
    asked(state, 3, "decline, play crook")
    run(state, "3:play crook")
    assert resolution(state)["lord_prestige"] == 6
    assert (coins(state)[1], influence(state)[1]) == (2, 8)
    assert "antidote-5" in players(state, "tiles")[1]
    (married,) = events(state, "married")
    assert (married["forfeit"], married["bribe"]) == (2, 7)
    assert [effect["changes"] for effect in events(state, "effect")] == [
        [{"where": "citadel", "what": "bride-charm", "amount": 3}],
        [{"where": "citadel", "what": "lord-prestige", "amount": 3}],
    ]
    assert [delegation(state, seat)["guide_used"] for seat in (2, 3)] == [True, True]
    run(state, "2:employ, 3:ducato")
    over_in(state, "citadel")
    assert workers(state, 2) == {"blue": 1}
    assert coins(state) == [0, 2, 0, 1]


def test_w5_plague_spreader() -> None:
    layout = position_a(
        coins={1: 6},
        influence={1: 2},
        delegations={"citadel": {0: "matteo plague-spreader-1", 1: "enrico"}},
    )
    state = resolving(layout, "citadel")
    run(state, "0:guide matteo")
    assert resolution(state)["order"] == [1, 0]
    assert [delegation(state, seat)["prestige"] for seat in (0, 1)] == [3, 4]
    run(state, "1:marry first, 0:play plague-spreader-1")
    assert delegation(state, 1)["charm"] == 2
    assert delegation(state, 1)["closed"] == ["marry first"]
    run(state, "0:ducato, 1:marry second")
    over_in(state, "citadel")
    assert (coins(state), influence(state)) == ([1, 4, 0], [0, 5, 0])
    (married,) = events(state, "married")
    assert (married["forfeit"], married["bribe"]) == (0, 4)


def test_w5_charm_does_not_fall_below_0() -> None:
    layout = position_a(
        coins={1: 6},
        influence={1: 2},
        delegations={"citadel": {0: "matteo plague-spreader-1 plague-spreader-2", 1: "enrico"}},
    )
    state = resolving(layout, "citadel")
    run(state, "0:guide matteo, 1:marry second, 0:play plague-spreader-1")
    run(state, "0:play plague-spreader-2")
    assert delegation(state, 1)["charm"] == 0
    assert delegation(state, 1)["charm_change"] == -6
    assert (coins(state)[1], influence(state)[1]) == (2, 5)


def position_of_w6(of_seat_1: str = "enrico") -> Layout:
    return position_a(
        coins={0: 1, 1: 5, 2: 4},
        delegations={"citadel": {0: "luciano thief-1", 1: of_seat_1}},
    )


def test_w6_thief_before_the_bribe() -> None:
    state = resolving(position_of_w6(), "citadel")
    run(state, "0:guide luciano, 1:marry first")
    asked(state, 0, "decline, play thief-1 seat-1")
    run(state, "0:play thief-1 seat-1")
    assert delegation(state, 1)["closed"] == ["marry first"]
    run(state, "0:ducato")
    assert coins(state) == [4, 3, 4]
    run(state, "1:marry second")
    over_in(state, "citadel")
    assert (coins(state), influence(state)) == ([4, 4, 4], [0, 3, 0])


def test_w6_a_ring_saves_the_marriage() -> None:
    state = resolving(position_of_w6("enrico ring-1"), "citadel")
    run(state, "0:guide luciano, 1:marry first, 0:play thief-1 seat-1")
    assert window(state) == "before"
    asked(state, 1, "decline, play ring-1")
    run(state, "1:play ring-1")
    assert delegation(state, 1)["charm"] == 9
    assert (coins(state)[1], influence(state)[1]) == (4, 5)
    assert players(state, "used_objects")[1] == ["ring-1"]


def test_w6_no_bribe_no_thief() -> None:
    state = resolving(position_of_w6(), "citadel")
    run(state, "0:guide luciano, 1:employ")
    assert (state.seat_to_act, window(state)) == (0, "declare")
    assert workers(state, 1) == {"blue": 1}


def test_w7_prestige_does_not_fall_below_0() -> None:
    layout = position_a(
        coins={1: 6},
        influence={1: 3},
        delegations={"market": {0: "magistrate defamer bard", 1: "giorgio"}},
    )
    state = resolving(layout, "market")
    run(state, "0:guide magistrate")
    assert window(state) == "order"
    asked(state, 0, "decline, play defamer seat-1, play magistrate")
    run(state, "0:decline, 0:employ")
    assert window(state) == "after"
    asked(state, 0, "decline, play defamer seat-1, play magistrate")
    run(state, "0:decline, 1:marry second, 0:play defamer seat-1")
    assert delegation(state, 1)["prestige"] == 0
    run(state, "0:play magistrate")
    assert (delegation(state, 1)["prestige"], delegation(state, 1)["prestige_change"]) == (0, -3)
    assert delegation(state, 1)["closed"] == ["marry second"]
    asked(state, 1, "ducato, hire, influence, marry first")
    assert (coins(state), influence(state)) == ([0, 6, 0], [0, 3, 0])


def test_w8_beguiler() -> None:
    layout = position_a(
        brides={"market first": "lucrezia"},
        coins={1: 5},
        delegations={"citadel": {0: "luciano beguiler", 1: "enrico"}},
    )
    assert "caterina" in layout.boxes[0]
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano, 1:marry first")
    asked(state, 0, "decline, play beguiler first market, play beguiler first port")
    run(state, "0:play beguiler first market")
    assert (bride(state, "citadel first"), bride(state, "market first")) == (
        "lucrezia",
        "eleonora",
    )
    assert (coins(state)[1], influence(state)[1]) == (2, 5)
    assert "poison-7" in players(state, "tiles")[1]
    run(state, "0:ducato")
    over_in(state, "citadel")
    assert alley(state, 0)[-1] == "beguiler"


def test_w9_lover_groomsman_and_two_ducati() -> None:
    layout = position_b(
        brides={"citadel first": "vittoria"},
        coins={0: 3, 1: 5, 3: 2},
        delegations={"citadel": {0: "luciano groomsman", 1: "enrico giorgio", 3: "mileto lover"}},
    )
    assert "eleonora" in layout.boxes[0]
    state = resolving(layout, "citadel")
    run(state, "3:guide mileto, 0:guide luciano, 1:guide enrico")
    assert resolution(state)["order"] == [1, 0, 3]
    assert delegation(state, 1)["prestige"] == 4
    run(state, "1:marry first")
    assert window(state) == "wedding"
    asked(state, 3, "decline, play lover")
    assert (coins(state), influence(state)) == ([3, 0, 0, 2], [0, 5, 0, 0])
    run(state, "3:play lover")
    assert resolution(state)["lover_seat"] == 3
    asked(state, 0, "decline, play groomsman")
    run(state, "0:play groomsman")
    assert coins(state) == [4, 0, 0, 3]
    assert "wine-5" in players(state, "tiles")[3]
    asked(state, 1, "decline, play giorgio")
    run(state, "1:play giorgio, 0:ducato, 3:ducato")
    over_in(state, "citadel")
    assert coins(state) == [5, 2, 0, 4]
    assert borough(state, "citadel")["brides"]["first"]["dowry_object"] == "wine-5"
