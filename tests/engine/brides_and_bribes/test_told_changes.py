"""Tests of the changes that the events of plays tell."""

import pytest

from tests.engine.brides_and_bribes.play import run
from tests.engine.brides_and_bribes.positions import Layout, citadel, market, resolving
from tests.engine.games import as_json


@pytest.mark.parametrize(
    ("layout", "decisions", "told"),
    [
        pytest.param(
            citadel("luciano merchant-1", workers={0: "red"}),
            "0:guide luciano, 0:marry first, 0:play merchant-1 red",
            [("red", -1), ("coins", 3)],
            id="a worker is sold",
        ),
        pytest.param(
            market("luciano merchant-1", influence={0: 2}),
            "0:guide luciano, 0:ducato, 0:play merchant-1 influence",
            [("influence", -1), ("coins", 5)],
            id="influence is sold",
        ),
    ],
)
def test_a_sale_tells_what_is_lost_and_gained(
    layout: Layout, decisions: str, told: list[tuple[str, int]]
) -> None:
    (where,) = layout.delegations
    state = resolving(layout, where)
    run(state, decisions)
    (effect,) = [event for event in as_json(state.events(None)) if event["event"] == "effect"]
    assert [(change["what"], change["amount"]) for change in effect["changes"]] == told
    assert {change["where"] for change in effect["changes"]} == {"seat-0"}
