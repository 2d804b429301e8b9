"""What a responder wins against a bot is a lower bound of what can be won."""

import random
from functools import cache
from statistics import fmean
from typing import Any

import pytest

from arena.base.errors import SettingsError
from arena.bot import Bot
from arena.extras.learn.best_response import best_response
from tests.arena.nim import NimState, NimVariant, winning_actions
from tests.arena.playing import Games, plug_in


class TakesOne(Bot):
    """Takes one match of the first heap that has any."""

    def act(self, view: Any, legal: list[str]) -> str:
        return legal[0]


class Perfect(Bot):
    """Wins whenever it can."""

    def act(self, view: Any, legal: list[str]) -> str:
        best = winning_actions(tuple(view["heaps"]))
        return min(best) if best else legal[0]


@cache
def won(heaps: tuple[int, ...], is_mine: bool) -> bool:
    """Return whether the best response to `TakesOne` wins, with the responder to act or the bot."""
    if not any(heaps):
        return not is_mine
    state = NimState(NimVariant(), heaps, 0)
    legal = state.legal_actions()
    after = []
    for action in legal if is_mine else legal[:1]:
        following = state.clone()
        following.apply(action)
        after.append(won(tuple(following.heaps), not is_mine))
    return any(after)


def test_the_bound_is_below_the_exact_value_and_close_to_it() -> None:
    """Heaps are drawn evenly, and the responder begins half of the games."""
    deals = [NimVariant().deal(random.Random(seed)).heaps for seed in range(300)]
    exact = fmean([2 * won(heaps, is_mine) - 1 for heaps in deals for is_mine in (True, False)])
    with plug_in(Games(NimVariant())):
        found = best_response(TakesOne, "nim/2", 150, rollouts=1)
    assert found.low <= exact + 0.1
    assert found.value > 0.5 > 0 < found.low


def test_a_perfect_bot_cannot_be_exploited() -> None:
    with plug_in(Games(NimVariant())):
        found = best_response(Perfect, "nim/2", 60, rollouts=1)
    # The seat that begins wins nearly all deals, and both begin equally often.
    assert found.low <= 0.1


@pytest.mark.parametrize(("budget", "rollouts"), [(1, 1), (2, 0)])
def test_too_small_a_budget_is_refused(budget: int, rollouts: int) -> None:
    with pytest.raises(SettingsError, match="expected at least 2"):
        best_response("timid", "pot-de-vin/3", budget, rollouts=rollouts)
