"""Worked examples W29 to W33 of section 12: the end of a round and of the game."""

from typing import Any

import pytest

from engine import State
from tests.engine.brides_and_bribes.play import (
    asked,
    coins,
    events,
    influence,
    players,
    public,
    run,
    window,
)
from tests.engine.brides_and_bribes.positions import Layout, lay, position_a, position_b
from tests.engine.games import as_json


def next_round(state: State) -> None:
    """The round is over, and the next first seat is asked to place."""
    view = as_json(state.view(state.seat_to_act))
    assert (view["window"], view["round"], view["phase"]) == ("place", 4, "placement")
    assert state.seat_to_act == view["first_seat"]


def test_w29_income_with_a_short_pile() -> None:
    layout = position_a(
        favor=(2, 0, 1),
        coins={0: 20, 1: 9, 2: 8},
        workers={0: "yellow yellow yellow", 1: "red red red red", 2: "blue blue"},
    )
    state = lay(layout, "end")
    next_round(state)
    assert coins(state) == [23, 9, 10]
    assert public(state)["supply"]["coins"] == 0


def test_w30_upkeep() -> None:
    layout = position_a(coins={0: 1, 1: 4}, alleys={0: "thief-1 hag", 1: "bard", 2: "rat"})
    state = lay(layout, "end")
    assert (window(state), public(state)["phase"]) == ("upkeep", "end")
    asked(state, 0, "dismiss hag, dismiss thief-1")
    run(state, "0:dismiss hag")
    asked(state, 0, "dismiss thief-1, keep")
    run(state, "0:keep")
    asked(state, 1, "dismiss bard, keep")
    run(state, "1:keep")
    next_round(state)
    assert coins(state) == [0, 3, 0]
    owned = players(state, "tiles")
    assert ["thief-1" in owned[0], "bard" in owned[1], "rat" in owned[2]] == [True, True, False]
    assert [(event["seat"], event["tile"]) for event in events(state, "dismissed")] == [
        (0, "hag"),
        (2, "rat"),
    ]


def test_w31_buy_back_and_build() -> None:
    layout = position_a(
        favor=(1, 0, 2),
        coins={0: 2},
        used={0: "wine-1"},
        workers={0: "yellow green green", 1: "yellow green green"},
    )
    assert layout.used == {0: "wine-1"}
    state = lay(layout, "end")
    assert players(state, "workshops") == [["tavern-1"], [], []]
    assert coins(state) == [5, 3, 0]
    assert window(state) == "buy-back"
    asked(state, 0, "buy-back wine, decline")
    run(state, "0:buy-back wine")
    assert coins(state) == [4, 3, 0]
    assert window(state) == "build"
    asked(state, 1, "build tailor, decline")
    run(state, "1:build tailor, 0:build tailor")
    next_round(state)
    assert influence(state) == [3, 4, 0]
    assert players(state, "workshops") == [["tavern-1", "tailor-2"], ["tailor-1"], []]
    assert players(state, "used_objects") == [[], [], []]
    owned = players(state, "tiles")
    assert ({"wine-1", "suit-2"} <= set(owned[0]), "suit-1" in owned[1]) == (True, True)
    assert public(state)["supply"]["workers"]["green"] == 11 - 2


def result(state: State) -> dict[str, Any]:
    assert (state.seat_to_act, public(state)["phase"]) == (None, "over")
    found: dict[str, Any] = as_json(state.outcome().detail)
    assert public(state)["result"] == found
    assert list(state.outcome().ranks) == found["ranks"]
    assert list(state.outcome().points) == influence(state)
    return found


def test_w32_ranking() -> None:
    layout = position_b(
        coins={0: 9, 1: 4, 2: 5},
        influence={0: 18, 1: 21, 2: 19, 3: 12},
        wed={
            "village first": (0, "luciano"),
            "citadel second": (2, "taddeo"),
            "port first": (3, "mileto"),
        },
    )
    state = lay(layout, "end")
    assert result(state) == {
        "ranks": [2, 4, 1, 3],
        "keys": [[1, 19, 1, 0, 0], [0, 21, 0, 0, 0], [1, 20, 0, 1, 0], [1, 12, 1, 0, 0]],
    }
    assert coins(state) == [9, 4, 5, 0]


def test_w33_ties() -> None:
    layout = position_b(
        influence=dict.fromkeys(range(4), 20),
        workshops={
            0: "apothecary-1 tavern-1",
            1: "hospital-1 tailor-1",
            2: "apothecary-2 jewelry-1 notary-1",
            3: "hospital-2 tavern-2 jewelry-2 notary-2",
        },
        wed={
            "village first": (0, "luciano"),
            "village second": (0, "mario"),
            "citadel first": (1, "niccolo"),
            "citadel second": (1, "giorgio"),
            "market first": (2, "taddeo"),
            "port second": (3, "mileto"),
        },
    )
    assert result(lay(layout, "end")) == {
        "ranks": [1, 1, 3, 4],
        "keys": [[1, 20, 1, 1, 2], [1, 20, 1, 1, 2], [1, 20, 1, 0, 3], [1, 20, 0, 1, 4]],
    }


@pytest.mark.parametrize(
    ("layout", "ends"),
    [
        (position_a(influence={1: 24}), False),
        (position_a(influence={1: 25}), True),
        (position_a(influence={1: 24}, coins={1: 40}), False),
        (position_a(influence={1: 3}, round=6), True),
        (position_a(influence={1: 3}, round=5), False),
        (position_b(influence={1: 19}), False),
        (position_b(influence={1: 20}), True),
    ],
)  # fmt: skip
def test_when_the_game_ends(layout: Layout, ends: bool) -> None:
    """[8], R56: after round 6, or at 25 influence (20 with four seats), without coins."""
    state = lay(layout, "end")
    assert (public(state)["phase"] == "over") == ends
    assert (state.seat_to_act is None) == ends


def test_refill() -> None:
    """[8]: the common goes, the next one comes, and a worker and a token if there are any."""
    layout = position_a(
        borough_workers={"citadel": "blue blue", "market": " ".join(["green"] * 11), "port": ""},
        tokens={"citadel": 1, "market": 11, "port": 2},
    )
    layout.commons["port"] = ""
    state = lay(layout, "end")
    next_round(state)
    boroughs = {each["borough"]: each for each in public(state)["boroughs"]}
    assert [
        boroughs[name]["workers"][colour]
        for name, colour in (("citadel", "blue"), ("market", "green"), ("port", "black"))
    ] == [3, 11, 1]
    assert [boroughs[name]["influence_tokens"] for name in boroughs] == [2, 11, 2]
    assert [boroughs[name]["common"] for name in boroughs] == ["archivist-1", "merchant-1", "rat"]
    assert [boroughs[name]["deck"] for name in boroughs] == [4, 4, 4]
    assert public(state)["favor_asked"] == []
