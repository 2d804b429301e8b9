"""The bots of Pot de Vin are stronger than chance. Who beats whom is measured for the ladders."""

import pytest

from bots.monte_carlo import MonteCarloBot
from bots.planner import PlannerBot
from bots.random import RandomBot
from engine import variants
from tests.bots.boards import errors_above_chance, places

POT_DE_VIN = [variant.id for variant in variants().values() if variant.game == "pot-de-vin"]
BY_LUCK = 3.5
"""So many standard errors luck brings once in 4,000 times."""


@pytest.mark.parametrize("variant_id", POT_DE_VIN)
def test_the_best_quick_bot_beats_chance_in_every_variant(variant_id: str) -> None:
    assert errors_above_chance(places(variant_id, PlannerBot, RandomBot, boards=40)) > BY_LUCK


class QuickMonteCarloBot(MonteCarloBot):
    """Searches a little."""

    iterations = 40


def test_a_little_search_beats_chance() -> None:
    found = [
        place
        for variant_id in ("pot-de-vin/3", "pot-de-vin/4-teams")
        for place in places(variant_id, QuickMonteCarloBot, RandomBot, boards=8)
    ]
    assert errors_above_chance(found) > BY_LUCK
