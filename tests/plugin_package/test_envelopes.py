"""The game of the package keeps the engine's contract."""

import pytest
from example_plugin.envelopes import Envelopes

from engine.conformance import check_variant


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_the_game_keeps_the_contract(seats: int, seed: int) -> None:
    check_variant(Envelopes(seats), seed)
