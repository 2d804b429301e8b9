"""The floor of random games (`benchmarks/playout_floor.py`) plays the games of the engine."""

from types import ModuleType

import pytest

from benchmarks import bare_bribery, bare_pot_de_vin
from benchmarks.playout_floor import VARIANTS, check_same_games
from engine import get_variant

BARE = {"pot-de-vin": bare_pot_de_vin, "bribery": bare_bribery}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_bare_game_has_the_result_of_the_engine(name: str) -> None:
    variant = get_variant(name)
    check_same_games(variant, BARE[variant.game], 20)


def test_a_floor_that_plays_another_game_is_refused() -> None:
    class Other(ModuleType):
        prepare = staticmethod(bare_bribery.prepare)

        @staticmethod
        def play(dealt: bare_bribery.Dealt, chance: object) -> bare_bribery.Played:
            return 0, [], []

    with pytest.raises(SystemExit, match="bribery/2, seed 0: the floor plays"):
        check_same_games(get_variant("bribery/2"), Other("other"), 1)
