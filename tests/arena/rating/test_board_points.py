"""Points and wins over boards: means, their errors, counts, and the gain of duplicate play."""

import math
import random
import tracemalloc
from collections import defaultdict
from collections.abc import Sequence
from itertools import repeat

import pytest

from arena.base.contracts import Field
from arena.base.record import GameRecord
from arena.plugins import get_schedule
from arena.rating.board_points import (
    BoardSample,
    BoardScores,
    Counts,
    EntrantCounts,
    VariantMeans,
    count_faults,
    count_wins,
    duplicate_gain,
    points_interval,
    win_shares,
    wins_interval,
)
from arena.rating.complete_boards import read_board
from arena.rating.estimates import Estimate, share_interval
from arena.schedule.chance import Chance
from arena.schedule.plan import Board, plan
from engine import get_variant
from tests.arena.rating.made_boards import TEAMS, THREE, board_won_by, faulted
from tests.arena.runs import hand_made

NAMES = tuple(f"e{number}" for number in range(7))
STRENGTH = {name: float(number) for number, name in enumerate(NAMES)}


def scores(
    boards: Sequence[Board], rng: random.Random, *, luck: float = 0.0, dice: float = 0.0
) -> list[BoardScores]:
    """Return scores on boards where the points of a side are its strength less that of others."""
    found = []
    for board in boards:
        variant = get_variant(board.variant)
        cards = [rng.gauss(0, luck) for _ in range(variant.seats)]
        points: dict[str, list[float]] = {name: [0.0] * variant.seats for name in board.entrants}
        for rotation in range(variant.seats):
            seating = board.seating(rotation)
            bids = [
                STRENGTH[name] + card + rng.gauss(0, dice)
                for name, card in zip(seating, cards, strict=True)
            ]
            for side in variant.sides:
                own = sum(bids[seat] for seat in side)
                for seat in side:
                    points[seating[seat]][seat] = len(variant.sides) * own - sum(bids)
        sides = [tuple([board.entrants[place] for place in side]) for side in variant.sides]
        members = [name for side in sides for name in side]
        by_seat = [one for name in members for one in points[name]]
        found.append(BoardScores(tuple(sides), tuple(by_seat)))
    return found


def scheduled(variant_id: str, blocks: int) -> list[Board]:
    """Return the boards of seven entrants."""
    variant = get_variant(variant_id)
    fields = [Field(variant, NAMES)]
    return list(
        plan(get_schedule("round-robin"), fields, blocks * variant.seats, Chance(0).schedule)
    )


def means_of(boards: Sequence[BoardScores]) -> list[float]:
    """Return the points a game of each entrant on each board."""
    return [
        math.fsum(points) / len(points)
        for board in boards
        for points in zip(*[iter(board.points)] * len(board.names), strict=True)
    ]


@pytest.mark.parametrize("variant_id", [THREE.id, TEAMS.id])
def test_opponents_and_partners_add_no_error(variant_id: str) -> None:
    """Without luck, boards differ only by their entrants, which the estimate knows."""
    own = scores(scheduled(variant_id, 28), random.Random(1))
    names = [name for board in own for name in board.names]
    for name, estimate in BoardSample(own).estimates(means_of(own)).items():
        assert estimate
        plain = [mean for one, mean in zip(names, means_of(own), strict=True) if one == name]
        assert estimate.mean == pytest.approx(sum(plain) / len(plain))
        assert estimate.error < 0.1 * (max(plain) - min(plain))


def test_too_few_boards_give_no_estimate() -> None:
    own = scores(scheduled(THREE.id, 2), random.Random(1), dice=1.0)
    assert set(BoardSample(own).estimates(means_of(own)).values()) == {None}


def test_the_same_entrants_on_all_boards_get_plain_estimates() -> None:
    boards = [Board(THREE.id, number, 0, NAMES[:3]) for number in range(20)]
    own = scores(boards, random.Random(2), dice=1.0)
    for estimate in BoardSample(own).estimates(means_of(own)).values():
        assert estimate
        assert 10 < estimate.degrees <= 19


def test_intervals_contain_the_true_mean_at_their_confidence() -> None:
    """This is for large errors; `docs/ratings.md` has finer measurements."""
    rng = random.Random(3)
    boards = scheduled(THREE.id, 15)
    held = rows = 0
    for _ in range(60):
        own = scores(boards, rng, luck=3.0, dice=1.0)
        for name, estimate in BoardSample(own).estimates(means_of(own)).items():
            assert estimate
            others = (sum(STRENGTH.values()) - STRENGTH[name]) / (len(NAMES) - 1)
            low, high = estimate.interval()
            held += low <= 2 * (STRENGTH[name] - others) <= high
            rows += 1
    assert 0.92 <= held / rows <= 0.99


@pytest.mark.parametrize(
    ("luck", "dice", "least", "most"), [(0.0, 1.0, 0.8, 1.25), (2.0, 1.0, 3, 8)]
)
def test_the_gain_of_duplicate_play_grows_with_luck(
    luck: float, dice: float, least: float, most: float
) -> None:
    """With luck, a fifth of the variance is the dice's: the gain is about five."""
    own = scores(scheduled(THREE.id, 60), random.Random(4), luck=luck, dice=dice)
    gain = duplicate_gain(BoardSample(own))
    assert gain
    assert least < gain < most


def test_there_is_no_gain_without_boards_or_differences() -> None:
    assert duplicate_gain(BoardSample([])) is None
    boards = [Board(THREE.id, number, 0, NAMES[:3]) for number in range(40)]
    assert duplicate_gain(BoardSample(scores(boards, random.Random(1)))) in (
        None,
        pytest.approx(1 / 3),
    )


def test_a_score_takes_few_bytes() -> None:
    """So that the memory of a leaderboard hardly grows with the number of games."""

    def kept_bytes(number: int) -> int:
        board = BoardScores((("a",), ("b",), ("c",)), (1.0, 2.0, 3.0) * 3)
        tracemalloc.start()
        try:
            sample = BoardSample(repeat(board, number))
            assert len(sample) == 3 * number
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    kept_bytes(3000)  # the first time, Python keeps some memory of its own
    assert (kept_bytes(3000) - kept_bytes(1000)) / 6000 == pytest.approx(
        10 + 8 * 3 + 8 / 3, rel=0.15
    )


# -- means whose opponents differ on every board ---------------------------------------------


def met_once(boards: int) -> BoardSample:
    """Return scores of "a" against two new opponents on each board: its points are 1, 2, 3 ..."""
    return BoardSample(
        [
            BoardScores((("a",), (f"b{board}",), (f"c{board}",)), (float(board),) * 9)
            for board in range(1, boards + 1)
        ]
    )


@pytest.mark.parametrize("boards", [3, 4])
def test_opponents_met_once_leave_the_standard_error_of_a_plain_mean(boards: int) -> None:
    estimate = met_once(boards).points_per_game["a"]
    assert estimate
    mean = (boards + 1) / 2
    squares = sum((board + 1 - mean) ** 2 for board in range(boards))
    assert estimate.mean == mean
    assert estimate.degrees == boards - 1
    assert estimate.error == pytest.approx(math.sqrt(squares / (boards - 1) / boards))


def test_two_boards_are_too_few_for_a_plain_mean() -> None:
    assert met_once(2).points_per_game["a"] is None


def test_a_score_has_no_wins_unless_they_are_given() -> None:
    sample = met_once(1)
    assert list(sample.wins()) == [("a", 0.0, 0), ("b1", 0.0, 0), ("c1", 0.0, 0)]


# -- means over variants -------------------------------------------------------------------------


def means_by_variant(boards: Sequence[Sequence[GameRecord]]) -> VariantMeans:
    """Return the means over boards for three."""
    counts: dict[str, EntrantCounts] = defaultdict(EntrantCounts)
    sample = BoardSample()
    for board in boards:
        scores = read_board(board, THREE).scores
        sample.add(scores)
        count_wins(scores, counts)
    sample.count(counts)
    return VariantMeans(sample, counts)


def test_board_scores_have_points_by_seat_and_weighted_wins() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(9, 5, 1), win_weight=2),  # a b c
        hand_made((1, 1, 3), rotation=1, points=(8, 8, 2)),  # c a b
        hand_made((3, 2, 1), rotation=2, points=(0, 4, 7)),  # b c a
    ]
    assert read_board(records, THREE).scores == BoardScores(
        sides=(("a",), ("b",), ("c",)),
        points=(9, 8, 7, 0, 5, 2, 8, 4, 1),
        wins=(2 + 0.5 + 1, 0.0, 0.5),
        chances=4,
        won=((0, 2.0), (0, 0.5), (2, 0.5), (0, 1.0)),
    )


def test_the_same_entrants_on_all_boards_have_the_plain_standard_error() -> None:
    """The winner takes all games of a board: 12 boards for `a`, 4 for `b`, none for `c`."""
    means = means_by_variant(
        [board_won_by("b" if number % 4 == 0 else "a", number) for number in range(16)]
    )
    share = means.wins["a"]
    assert share
    assert share.mean == pytest.approx(12 / 16)
    degrees = 16 * (48 - 3) / 48
    assert share.degrees == pytest.approx(degrees)
    assert share.error**2 == pytest.approx(16 * (12 / 16) * (4 / 16) / degrees / 16)
    assert wins_interval("a", [means]) == share_interval(share, 16)
    assert wins_interval("c", [means]) == share_interval(Estimate(0.0, 0.0, degrees), 16)


def test_points_that_never_vary_have_an_interval_without_width() -> None:
    boards = [
        [hand_made((1, 2, 3), board=number, rotation=t, points=(9, 6, 0)) for t in range(3)]
        for number in range(16)
    ]
    assert points_interval("a", [means_by_variant(boards)]) == pytest.approx((5.0, 5.0))


def test_too_few_boards_have_no_interval() -> None:
    means = means_by_variant([board_won_by("a", 1), board_won_by("b", 2)])
    assert points_interval("a", [means]) == wins_interval("a", [means]) == (None, None)
    assert points_interval("a", []) == wins_interval("a", []) == (None, None)


def test_win_weights_count_as_several_games() -> None:
    """With equal weights on all boards the estimate is that of single wins."""
    plain = [board_won_by("b" if number % 4 == 0 else "a", number) for number in range(16)]
    double = [
        [
            hand_made(one.ranks, rotation=one.rotation, board=one.board, win_weight=2)
            for one in board
        ]
        for board in plain
    ]
    assert means_by_variant(double).wins["a"] == pytest.approx(means_by_variant(plain).wins["a"])


def test_the_mean_of_a_share_is_wins_per_chance_with_unequal_weights() -> None:
    boards = [
        [
            hand_made((1, 2, 3), board=number, rotation=t, win_weight=1 + number % 3)
            for t in range(3)
        ]
        for number in range(18)
    ]
    means = means_by_variant(boards)
    for name in "abc":
        share = means.wins[name]
        assert share
        assert share.mean == pytest.approx(1 / 3)
        assert share.error == pytest.approx(0.0, abs=1e-9)


# -- counts over games ---------------------------------------------------------------------------


def test_winners_share_the_win() -> None:
    assert win_shares(hand_made((1, 2, 3)), THREE) == {0: 1.0}
    assert win_shares(hand_made((1, 1, 3)), THREE) == {0: 0.5, 1: 0.5}
    teams = hand_made((2, 1, 2, 1), entrants="abcd", variant=TEAMS.id)
    assert win_shares(teams, TEAMS) == {1: 1.0, 3: 1.0}


def test_a_side_with_a_fault_has_not_won() -> None:
    assert win_shares(faulted(hand_made((1, 1, 3)), 0), THREE) == {1: 1.0}
    assert win_shares(faulted(hand_made((1, 1, 1)), 0, 1, 2), THREE) == {}
    teams = hand_made((1, 1, 1, 1), entrants="abcd", variant=TEAMS.id)
    assert win_shares(faulted(teams, 2), TEAMS) == {1: 1.0, 3: 1.0}


def test_counts_without_games_have_means_of_0() -> None:
    counts = Counts()
    assert (counts.points_per_game, counts.win_share) == (0.0, 0.0)


def test_a_win_weight_counts_in_wins_and_chances_but_not_in_games() -> None:
    counts = Counts()
    record = hand_made((1, 2, 3), points=(9, 4, 1), win_weight=3)
    counts.add(record, 0, win_shares(record, THREE))
    counts.add(record, 1, win_shares(record, THREE))
    assert (counts.games, counts.points, counts.wins, counts.chances) == (2, 13, 3.0, 6)
    assert (counts.points_per_game, counts.win_share) == (6.5, 0.5)


def test_a_board_is_counted_in_each_table() -> None:
    """The bot at seat 0 has 5 points and wins, except against the rules."""
    tables = [{name: EntrantCounts() for name in "abc"} for _ in range(2)]
    games = [hand_made((1, 2, 3), rotation=t, points=(5, 2, 1), win_weight=1 + t) for t in range(3)]
    games[1] = faulted(games[1], 0)
    scores = read_board(games, THREE).scores
    count_wins(scores, *tables)
    BoardSample([scores]).count(*tables)
    count_faults(games[1], *tables)
    for table in tables:
        assert [table[name].games for name in "abc"] == [3, 3, 3]
        assert [table[name].points for name in "abc"] == [8, 8, 8]
        assert [table[name].chances for name in "abc"] == [6, 6, 6]
        assert [table[name].wins for name in "abc"] == [1.0, 3.0, 0.0]
        assert [table[name].faults for name in "abc"] == [0, 0, 1]
        assert not any(counts.is_withdrawn for counts in table.values())
