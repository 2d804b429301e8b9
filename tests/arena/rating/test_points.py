"""Points and wins over boards: means, their errors, counts, and the gain of duplicate play."""

import math
import random
from collections.abc import Sequence

import pytest

from arena.base.record import GameRecord
from arena.rating.intervals import share_interval
from arena.rating.points import (
    Counts,
    VariantPoints,
    count_game,
    intervals,
    mean_estimate,
    win_shares,
)
from tests.arena.rating.made_boards import TEAMS, THREE, board_won_by, faulted
from tests.arena.runs import hand_made

NONE = (None, None)


def test_mean_needs_three_boards() -> None:
    assert mean_estimate([1.0, 2.0]) is None
    assert mean_estimate([1.0, 2.0, 6.0]) == pytest.approx((3.0, math.sqrt(14 / 2 / 3), 2))


def drawn(boards: int, luck: float, dice: float) -> VariantPoints:
    """Return boards of three equals whose points are luck of the seat's cards, and dice."""
    rng = random.Random(4)
    points = VariantPoints()
    for number in range(boards):
        cards = [rng.gauss(0, luck) for _ in range(3)]
        rolled = [[round(1000 * (card + rng.gauss(0, dice))) for card in cards] for _ in range(3)]
        games = [hand_made((1, 1, 1), board=number, rotation=t, points=rolled[t]) for t in range(3)]
        points.add(games, THREE)
    return points


@pytest.mark.parametrize(
    ("luck", "dice", "least", "most"), [(0.0, 1.0, 0.8, 1.25), (2.0, 1.0, 1, 5)]
)
def test_duplicate_gain_is_one_without_luck(
    luck: float, dice: float, least: float, most: float
) -> None:
    gain = drawn(200, luck, dice).duplicate_gain()
    assert gain
    assert least < gain < most


@pytest.mark.parametrize(("boards", "dice"), [(0, 1.0), (10, 1.0), (40, 0.0)])
def test_duplicate_gain_needs_enough_boards(boards: int, dice: float) -> None:
    assert drawn(boards, 0.0, dice).duplicate_gain() is None
    assert drawn(11, 0.0, 1.0).duplicate_gain()


# -- means over variants -------------------------------------------------------------------------


def counted(
    boards: Sequence[Sequence[GameRecord]],
) -> tuple[VariantPoints, dict[str, Counts]]:
    """Return the points over boards for three, and the counts."""
    counts = {name: Counts() for name in "abc"}
    points = VariantPoints()
    for board in boards:
        points.add(board, THREE)
        for record in board:
            count_game(record, THREE, counts)
    return points, counts


def test_interval_of_wins_covers_boards() -> None:
    """The winner takes all games of a board: 12 boards for `a`, 4 for `b`, none for `c`."""
    own = counted([board_won_by("b" if number % 4 == 0 else "a", number) for number in range(16)])
    share = own[0].wins_of("a")
    assert share == pytest.approx((12 / 16, math.sqrt(12 / 16 * 4 / 16 / 15), 15))
    assert intervals("a", [own])[1] == share_interval(share, 16)
    never = intervals("c", [own])[1]
    assert never[0] == 0
    assert never[1] == pytest.approx(0.221, abs=1e-3)
    doubled = intervals("a", [own, own])[1]
    assert share_interval(share, 16)[0] < doubled[0] < 0.75 < doubled[1]  # type: ignore


def test_no_interval_for_few_boards() -> None:
    few = counted([board_won_by("a", 1), board_won_by("b", 2)])
    assert intervals("a", [few]) == intervals("a", []) == (NONE, NONE)
    assert VariantPoints().wins_of("a") is None


# -- counts over games ---------------------------------------------------------------------------


def test_winners_share_the_win() -> None:
    assert win_shares(hand_made((1, 2, 3)), THREE) == {0: 1.0}
    assert win_shares(hand_made((1, 1, 3)), THREE) == {0: 0.5, 1: 0.5}
    teams = hand_made((2, 1, 2, 1), entrants="abcd", variant=TEAMS.id)
    assert win_shares(teams, TEAMS) == {1: 1.0, 3: 1.0}


def test_side_with_fault_has_not_won() -> None:
    assert win_shares(faulted(hand_made((1, 1, 3)), 0), THREE) == {1: 1.0}
    assert win_shares(faulted(hand_made((1, 1, 1)), 0, 1, 2), THREE) == {}
    teams = hand_made((1, 1, 1, 1), entrants="abcd", variant=TEAMS.id)
    assert win_shares(faulted(teams, 2), TEAMS) == {1: 1.0, 3: 1.0}


def test_win_weight_counts_in_wins_only() -> None:
    counts = Counts()
    record = hand_made((1, 2, 3), points=(9, 4, 1), win_weight=3)
    counts.add(record, 0, win_shares(record, THREE))
    counts.add(record, 1, win_shares(record, THREE))
    assert (counts.games, counts.points, counts.wins, counts.chances) == (2, 13, 3.0, 6)
    assert (counts.points_per_game, counts.win_share) == (6.5, 0.5)
