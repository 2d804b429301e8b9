"""Worked examples W25 to W28 of section 12: brides are murdered."""

from tests.engine.brides_and_bribes.play import (
    alley,
    asked,
    bride,
    coins,
    couple,
    delegation,
    events,
    influence,
    marriages,
    players,
    public,
    resolution,
    run,
    window,
)
from tests.engine.brides_and_bribes.positions import (
    box,
    over_in,
    position_a,
    position_of_five,
    resolving,
)


def test_w25_the_second_moves_up() -> None:
    layout = position_a(
        influence={0: 9, 1: 6},
        wed={"citadel first": (0, "matteo"), "citadel second": (1, "giorgio")},
        delegations={"citadel": {1: "enrico poison-1", 2: "franco"}},
    )
    state = resolving(layout, "citadel")
    assert resolution(state)["order"] == [1, 2]
    run(state, "1:influence")
    assert influence(state) == [9, 7, 0]
    asked(state, 1, "decline, play poison-1 first, play poison-1 seat-2, play poison-1 second")
    run(state, "1:play poison-1 first")
    assert influence(state) == [6, 9, 0]
    assert couple(state, "citadel first") == ("livia", 1, "giorgio")
    assert couple(state, "citadel second") == ("chiara", None, None)
    assert box(state, "first") == ["bianca", "ginevra", "lucrezia", "vittoria", "eleonora"]
    assert box(state, "second") == ["fiammetta", "margherita", "teresa"]
    assert "matteo" in players(state, "alley_shown")[0]
    (murdered,) = events(state, "murdered")
    assert (murdered["bride"], murdered["seat"], murdered["tile"]) == ("eleonora", 0, "matteo")
    run(state, "2:ducato")
    over_in(state, "citadel")
    assert (marriages(state, 0), marriages(state, 1)) == ([], ["citadel first giorgio"])


def test_w25_a_moved_up_bride_counts_as_a_first_and_returns_to_the_second_box() -> None:
    layout = position_a(
        influence={0: 6, 1: 9},
        brides={"citadel second": "chiara"},
        boxes=(
            ["bianca", "ginevra", "lucrezia", "vittoria", "eleonora"],
            ["fiammetta", "margherita", "teresa"],
        ),
        delegations={"citadel": {0: "luciano assassin-2"}},
    )
    layout.brides["citadel"] = "livia chiara"
    layout.wed = {"citadel first": (1, "giorgio")}
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano, 0:ducato, 0:play assassin-2 first")
    over_in(state, "citadel")
    assert influence(state) == [6, 6, 0]
    assert couple(state, "citadel first") == ("bianca", None, None)
    assert box(state, "first") == ["ginevra", "lucrezia", "vittoria", "eleonora"]
    assert box(state, "second") == ["fiammetta", "margherita", "teresa", "livia"]


def test_w26_own_bride() -> None:
    layout = position_a(
        coins={0: 4},
        influence={0: 2},
        wed={"citadel first": (0, "matteo")},
        delegations={"citadel": {0: "luciano assassin-2"}},
    )
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano")
    asked(state, 0, "ducato, employ, hire, influence, marry first, marry second")
    run(state, "0:marry first")
    assert window(state) == "before"
    asked(state, 0, "decline, play assassin-2 first")
    run(state, "0:play assassin-2 first")
    over_in(state, "citadel")
    assert couple(state, "citadel first") == ("bianca", 0, "luciano")
    assert (influence(state)[0], coins(state)[0]) == (5, 1)
    assert {"matteo", "poison-5"} <= set(alley(state, 0))
    (murdered,), (married,) = events(state, "murdered"), events(state, "married")
    assert murdered["influence_lost"] == 2
    assert (married["forfeit"], married["bribe"]) == (0, 3)


def test_w27_guarded_bride() -> None:
    layout = position_a(
        coins={1: 6},
        influence={0: 5},
        wed={"citadel first": (0, "mario")},
        delegations={"citadel": {0: "luciano matteo", 1: "enrico poison-1", 2: "franco"}},
    )
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano")
    assert resolution(state)["order"] == [0, 1, 2]
    run(state, "0:hire")
    asked(state, 1, "decline, play poison-1 seat-0")
    run(state, "1:decline")
    asked(state, 1, "ducato, employ, influence, marry first, marry second")
    run(state, "1:marry first, 1:play poison-1 first")
    assert window(state) == "counter"
    asked(state, 0, "counter matteo, decline")
    run(state, "0:counter matteo")
    assert couple(state, "citadel first") == ("eleonora", 0, "mario")
    assert delegation(state, 1)["closed"] == ["marry first"]
    run(state, "2:ducato")
    asked(state, 1, "ducato, employ, influence, marry second")
    assert (coins(state), influence(state)) == ([0, 6, 1], [5, 0, 0])


def test_w27_nobody_guards() -> None:
    layout = position_a(
        coins={1: 6},
        influence={0: 5},
        wed={"citadel first": (0, "mario")},
        delegations={"citadel": {1: "enrico poison-1", 2: "franco"}},
    )
    state = resolving(layout, "citadel")
    run(state, "1:marry first, 1:play poison-1 first")
    assert couple(state, "citadel first") == ("bianca", 1, "enrico")
    assert (influence(state), coins(state)[1]) == ([2, 5, 0], 3)
    assert "poison-5" in players(state, "tiles")[1]
    run(state, "2:ducato")
    over_in(state, "citadel")


def test_w28_a_box_runs_dry() -> None:
    layout = position_of_five(
        wed={
            "village second": (1, "niccolo"),
            "fortress second": (1, "giorgio"),
            "citadel second": (1, "giovanni"),
        },
        delegations={
            "village": {0: "luciano assassin-1"},
            "fortress": {0: "matteo assassin-2"},
            "citadel": {0: "mario poison-1", 2: "franco"},
        },
    )
    assert layout.brides["fortress"].endswith("agnese")
    state = resolving(layout, "village")
    run(state, "0:guide luciano, 0:ducato, 0:play assassin-1 first")
    assert couple(state, "village first") == ("chiara", 1, "niccolo")
    assert bride(state, "village second") == "margherita"
    run(state, "0:activate fortress, 0:guide matteo, 0:ducato, 0:play assassin-2 first")
    assert couple(state, "fortress first") == ("agnese", 1, "giorgio")
    assert (bride(state, "fortress second"), box(state, "second")) == ("teresa", [])
    run(state, "1:activate citadel, 0:ducato, 0:play poison-1 first")
    asked(state, 2, "ducato, employ, hire, influence")
    assert influence(state) == [0, 6, 0, 0, 0]
    assert couple(state, "citadel first") == ("fiammetta", 1, "giovanni")
    assert public(state)["boroughs"][2]["brides"]["second"] is None
    assert box(state, "first") == ["lucrezia", "vittoria", "bianca", "caterina", "eleonora"]


def test_w28_a_bride_returns_and_comes_at_once() -> None:
    """The position after the first half, with an assassin in the fortress."""
    layout = position_of_five(
        influence={1: 6},
        wed={
            "village first": (1, "niccolo"),
            "fortress first": (1, "giorgio"),
            "citadel first": (1, "giovanni"),
        },
        delegations={
            "fortress": {0: "luciano poison-1", 2: "taddeo"},
            "citadel": {3: "mileto"},
        },
    )
    layout.brides |= {
        "village": "chiara margherita",
        "fortress": "agnese teresa",
        "citadel": "fiammetta -",
    }
    layout.boxes = (["lucrezia", "vittoria", "bianca", "caterina", "eleonora"], [])
    state = resolving(layout, "citadel")
    asked(state, 3, "ducato, employ, hire, influence")
    run(state, "3:ducato, 0:activate fortress")
    assert resolution(state)["order"] == [2, 0]
    run(state, "2:ducato, 0:ducato, 0:play poison-1 first")
    assert influence(state) == [0, 3, 0, 0, 0]
    assert couple(state, "fortress first") == ("lucrezia", None, None)
    assert couple(state, "citadel second") == ("agnese", None, None)
    assert box(state, "first") == ["vittoria", "bianca", "caterina", "eleonora"]
    assert box(state, "second") == []
