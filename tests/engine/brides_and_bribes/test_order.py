"""Worked examples W10 to W13 of section 12: who acts when."""

import pytest

from tests.engine.brides_and_bribes.play import (
    alley,
    asked,
    delegation,
    events,
    resolution,
    run,
    window,
)
from tests.engine.brides_and_bribes.positions import position_a, position_b, resolving

FAVOR = (2, 0, 3, 1)


def test_w10_spouses_and_ties() -> None:
    layout = position_b(
        favor=FAVOR,
        wed={"citadel first": (1, "giorgio"), "citadel second": (3, "lucchino")},
        delegations={"citadel": {0: "luciano", 1: "niccolo", 2: "oberto", 3: "antonio"}},
    )
    state = resolving(layout, "citadel")
    assert [delegation(state, seat)["prestige"] for seat in range(4)] == [3, 3, 3, 3]
    assert resolution(state)["order"] == [1, 3, 2, 0]
    assert events(state, "order")[-1]["seats"] == [1, 3, 2, 0]


def test_w11_order_window() -> None:
    layout = position_b(
        favor=FAVOR,
        delegations={
            "port": {0: "luciano suit-1", 1: "enrico magistrate", 2: "oberto defamer", 3: "filippo"}
        },
    )
    state = resolving(layout, "port")
    run(state, "1:guide enrico, 2:guide oberto")
    assert window(state) == "order"
    asked(state, 1, "decline, play magistrate")
    run(state, "1:play magistrate")
    asked(state, 2, "decline, play defamer seat-0, play defamer seat-1, play defamer seat-3")
    run(state, "2:play defamer seat-1")
    asked(state, 0, "decline, play suit-1")
    run(state, "0:play suit-1")
    assert [delegation(state, seat)["prestige"] for seat in range(4)] == [6, 2, 2, 3]
    assert resolution(state)["order"] == [0, 3, 2, 1]


def test_w12_two_edicts() -> None:
    layout = position_b(
        favor=FAVOR,
        wed={"port first": (1, "giorgio")},
        delegations={
            "port": {0: "luciano edict-1", 1: "enrico", 2: "franco edict-2", 3: "filippo"}
        },
    )
    state = resolving(layout, "port")
    asked(state, 2, "decline, play edict-2")
    run(state, "2:play edict-2, 0:play edict-1")
    assert [delegation(state, seat)["edict"] for seat in range(4)] == [True, False, True, False]
    assert resolution(state)["order"] == [2, 0, 1, 3]


def test_w13_rat() -> None:
    layout = position_a(
        delegations={
            "port": {0: "luciano rat", 1: "enrico giorgio merchant-1", 2: "taddeo ring-1"}
        },
    )
    state = resolving(layout, "port")
    asked(state, 0, "guide luciano, guide rat")
    run(state, "0:guide luciano, 1:guide enrico")
    asked(state, 0, "decline, play rat")
    run(state, "0:play rat")
    assert window(state) == "replace"
    asked(state, 1, "guide giorgio, guide merchant-1")
    run(state, "1:guide giorgio")
    assert sorted(delegation(state, 1, viewer=1)["known"]) == ["enrico", "merchant-1"]
    assert delegation(state, 2)["guide"] == "taddeo"
    assert [delegation(state, seat)["prestige"] for seat in range(3)] == [3, 2, 4]
    assert resolution(state)["order"] == [2, 0, 1]


def test_w13_a_used_guide_goes_to_the_alley() -> None:
    layout = position_a(
        delegations={"port": {0: "archivist-1 luciano", 1: "niccolo rat"}},
    )
    state = resolving(layout, "port")
    run(state, "0:guide archivist-1, 1:guide niccolo")
    asked(state, 0, "decline, play archivist-1")
    run(state, "0:play archivist-1, 1:play rat")
    guide = delegation(state, 0)
    assert (guide["guide"], guide["guide_used"], guide["prestige"]) == ("luciano", False, 6)
    assert "archivist-1" in alley(state, 0)
    assert resolution(state)["order"] == [0, 1]


@pytest.mark.parametrize("present", [True, False])
def test_an_owner_who_is_absent_does_not_count(present: bool) -> None:
    """R19: the owner of the first bride is first only if it has a guide in the borough."""
    layout = position_b(
        favor=FAVOR,
        wed={"citadel first": (1, "giorgio")},
        delegations={
            "citadel": {0: "luciano", 2: "taddeo", 1: "niccolo" if present else "poison-1"}
        },
    )
    state = resolving(layout, "citadel")
    assert resolution(state)["order"] == ([1, 2, 0] if present else [2, 0])
