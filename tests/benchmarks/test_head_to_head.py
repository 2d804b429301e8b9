"""Two bots against each other on shared seats."""

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.errors import BotError
from arena.bot import Bot
from arena.tournament.in_process import class_of
from benchmarks.head_to_head import Score, even_splits, play_board, ratio_of, share_ahead
from engine import get_variant


class Low(Bot):
    """Takes the first action."""

    name = "low"

    def act(self, view: Any, legal: list[str]) -> str:
        """Return it."""
        return legal[0]


class Faulty(Bot):
    """Breaks."""

    name = "faulty"

    def act(self, view: Any, legal: list[str]) -> str:
        """Raise an error."""
        raise RuntimeError("broken")


@pytest.mark.parametrize(("sides", "ways"), [(2, 2), (3, 6), (4, 6), (5, 20)])
def test_sides_are_shared_evenly_in_all_ways(sides: int, ways: int) -> None:
    found = even_splits(sides)
    assert len(set(found)) == len(found) == ways
    for side in range(sides):
        assert sum(way[side] for way in found) * 2 == ways


@pytest.mark.parametrize("variant_id", ["pot-de-vin/6-teams", "bribery/2", "brides-and-bribes/3"])
def test_equals_are_ahead_of_each_other_half_of_the_time(variant_id: str) -> None:
    score = play_board(get_variant(variant_id), Low, Low, 1)
    assert score.ahead == score.meetings / 2 > 0


@pytest.mark.parametrize("variant_id", ["pot-de-vin/5", "pot-de-vin/6-teams", "bribery/2"])
def test_what_one_wins_the_other_loses(variant_id: str) -> None:
    variant, chance = (
        get_variant(variant_id),
        class_of("greedy" if "pot" in variant_id else "fixer"),
    )
    one, other = play_board(variant, Low, chance, 3), play_board(variant, chance, Low, 3)
    assert one.meetings == other.meetings
    assert one.ahead + other.ahead == pytest.approx(one.meetings)
    assert one.ahead < other.ahead


def test_a_fault_is_told_and_not_measured() -> None:
    with pytest.raises(BotError, match="faulty had a fault in pot-de-vin/3 board 1 rotation 0"):
        play_board(get_variant("pot-de-vin/3"), Low, Faulty, 1)


@given(st.lists(st.tuples(st.integers(0, 6), st.just(6)), min_size=2, max_size=50))
def test_a_share_of_boards_alike_is_their_mean(boards: list[tuple[int, int]]) -> None:
    share = share_ahead([Score(*board) for board in boards])
    assert share.mean == pytest.approx(sum(ahead for ahead, _ in boards) / 6 / len(boards))
    low, high = share.interval()
    wide = share.interval(0.99)
    assert wide[0] <= low <= share.mean <= high <= wide[1]


def test_a_ratio_has_the_interval_of_a_ratio_of_means() -> None:
    """Of 300 boards 240 are played; the pairs are 0, 10 and -10 boards off the ratio."""
    ratio = ratio_of([80, 90, 70], [100, 100, 100])
    low, high = ratio.interval()
    assert ratio.mean == pytest.approx(0.8)
    assert (high - low) / 2 == pytest.approx(4.3027 * math.sqrt(200 / 2 / 3) / 100, abs=1e-5)
    assert ratio_of([50, 100, 200], [100, 200, 400]).interval() == (0.5, 0.5)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Of boards of six meetings with a chance of 0.6 each, some of which count twice."""
    rng = random.Random(1)

    def board() -> Score:
        weight = rng.choice((1, 1, 1, 2))
        return Score(weight * sum(rng.random() < 0.6 for _ in range(6)), weight * 6)

    bounds = [share_ahead([board() for _ in range(40)]).interval(0.9) for _ in range(600)]
    held = sum(low <= 0.6 <= high for low, high in bounds)
    assert 0.86 < held / len(bounds) < 0.94
