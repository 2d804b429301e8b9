"""Ratings: the fixed point of the messages of all boards, whose graphs are those of the library."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import msgspec
import numpy as np
import pytest
import trueskill
import trueskillthroughtime
from hypothesis import given
from hypothesis import strategies as st
from trueskill import Rating, TrueSkill

from arena.rating.complete_boards import RankedBoard
from arena.rating.factor_graph import BACKEND, BoardGraphs, Normal
from arena.rating.leaderboard import leaderboard
from arena.rating.trueskill import BETA, MU, SIGMA, BoardMessages, rate
from engine import get_variant
from tests.arena.rating.made_boards import THREE, board_won_by, table_of, tied_board
from tests.arena.runs import hand_made


def board_of(*sides: str, ranks: Sequence[int] = ()) -> RankedBoard:
    """Return a board whose sides come best first, or with these ranks; entrants are letters."""
    places = ranks or range(1, len(sides) + 1)
    return "a/1", tuple(sorted(zip(places, map(tuple, sides), strict=True)))


def played(bots: int, seats: int, boards: int, rng: random.Random) -> Counter[RankedBoard]:
    """Return boards of bots whose strengths are evenly spaced by 2; those closer than 1 tie."""
    found: Counter[RankedBoard] = Counter()
    for _ in range(boards):
        drawn = [(-2 * bot - rng.gauss(0, BETA), bot) for bot in rng.sample(range(bots), seats)]
        table = sorted([(value, "abcdefgh"[bot]) for value, bot in drawn])
        ranks = [1]
        for place, ((one, _), (other, _)) in enumerate(pairwise(table), 2):
            ranks.append(place if other - one > 1 else ranks[-1])
        found[board_of(*[name for _, name in table], ranks=ranks)] += 1
    return found


# -- draws -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("boards", "probability"),
    [
        ([(1, 2, 3)], 1 / 4),
        ([(2, 1, 2)], 2 / 4),
        ([(1, 1, 1)], 3 / 4),
        ([(1, 1, 3), (3, 1, 2)], 2 / 6),
    ],
)
def test_draw_probability_is_smoothed(boards: list[tuple[int, ...]], probability: float) -> None:
    messages = BoardMessages({board_of("a", "b", "c", ranks=one): 1 for one in boards})
    assert messages.draw_probabilities() == [probability]


# -- one board -----------------------------------------------------------------------------------


RATINGS = st.builds(Rating, st.floats(-20.0, 70.0), st.floats(0.05, SIGMA))
SIDES = st.lists(st.lists(RATINGS, min_size=1, max_size=3), min_size=2, max_size=6)


def environment_of(draw_probability: float) -> TrueSkill:
    return TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=draw_probability, backend=BACKEND)


@given(SIDES, st.lists(st.booleans(), min_size=5, max_size=5), st.floats(0.001, 0.999))
def test_factor_graph_equals_the_library(
    sides: list[list[Rating]], ties: list[bool], draw_probability: float
) -> None:
    is_tied, environment = ties[: len(sides) - 1], environment_of(draw_probability)
    ranks = [sum([not tied for tied in is_tied[:place]]) for place in range(len(sides))]
    try:
        rated = environment.rate([tuple(side) for side in sides], ranks=ranks)
    except (ArithmeticError, ValueError):  # numbers that floats cannot represent
        return
    pi = np.array([[math.sqrt(one.sigma**2) ** -2] for side in sides for one in side])
    skills = Normal(pi, pi * [[one.mu] for side in sides for one in side])
    margins = [
        np.array([trueskill.calc_draw_margin(draw_probability, len(one) + len(other), environment)])
        for one, other in pairwise(sides)
    ]
    graphs = BoardGraphs([*map(len, sides)], np.array(is_tied)[:, None], BETA)
    with np.errstate(all="ignore"):
        graphs.set_skills(skills, margins)
        for _ in range(10):
            if graphs.pass_messages() <= trueskill.DELTA:
                break
        after = skills.times(graphs.messages())
    found = [
        Rating(tau / pi, math.sqrt(1 / pi))
        for pi, tau in zip(after.pi[:, 0].tolist(), after.tau[:, 0].tolist(), strict=True)
    ]
    assert [(one.mu, one.sigma) for one in found] == [
        (one.mu, one.sigma) for side in rated for one in side
    ]


# -- many boards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "seats", "boards"),
    [
        (4, 2, 8),
        pytest.param(5, 3, 30, marks=pytest.mark.slow),
        pytest.param(6, 4, 20, marks=pytest.mark.slow),
    ],
)
def test_ratings_equal_trueskill_through_time(bots: int, seats: int, boards: int) -> None:
    results = played(bots, seats, boards, random.Random(1))
    if seats > 2:  # the other program takes tied sides in one order only
        results = Counter(
            {board: n for board, n in results.items() if len(dict(board[1])) == seats}
        )
    messages = BoardMessages(results)
    (probability,) = messages.draw_probabilities()
    lineups = [[list(side) for _, side in sides] for _, sides in results.elements()]
    history = trueskillthroughtime.History(
        lineups,
        [[-rank for rank, _ in sides] for _, sides in results.elements()],
        mu=MU,
        sigma=SIGMA,
        beta=BETA,
        gamma=0.0,
        p_draw=probability,
    )
    history.convergence(epsilon=1e-6, iterations=100, verbose=False)
    found = rate(results, messages.names).by_bot
    for name, curve in history.learning_curves().items():
        assert found[name].mu == pytest.approx(curve[-1][1].mu, rel=5e-4)
        assert found[name].sigma == pytest.approx(curve[-1][1].sigma, rel=5e-4)


def test_ratings_ignore_order_of_boards() -> None:
    results = [*played(5, 3, 40, random.Random(4)).items()]
    expected = rate(dict(results), "abcde")
    for seed in range(3):
        random.Random(seed).shuffle(results)
        assert rate(dict(results), "abcde") == expected


ALL_WON = {board_of("a", "b", "c", ranks=(1, 2, 2)): 5_000}
LADDER = {board_of(one, other): 200 for one, other in combinations("abcdefghijklmnop", 2)}
RING = {board_of("abcdefgh"[at], "abcdefgh"[at - 1]): 9 for at in range(8)}
CHAIN = Counter([board_of(*pair, ranks=(1, 1)) for pair in pairwise("abcdefghijklmnop")] * 50)


@pytest.mark.parametrize(
    "results",
    [
        ALL_WON,
        LADDER,
        RING,
        CHAIN,
        played(8, 6, 10, random.Random(1)),
        played(3, 2, 1, random.Random(1)),
        played(6, 4, 3000, random.Random(1)),
    ],
    ids=["all won", "ladder", "ring", "chain", "six seats", "one board", "many boards"],
)
def test_iteration_converges(results: dict[RankedBoard, int]) -> None:
    names = BoardMessages(results).names
    found = rate(results, names)
    assert found.are_settled
    assert np.mean([rating.mu for rating in found.by_bot.values()]) == pytest.approx(MU, abs=1e-4)


def test_reports_unsettled_ratings() -> None:
    assert not rate(LADDER, "abcdefghijklmnop", max_sweeps=3).are_settled


# -- ratings of a run ----------------------------------------------------------------------------


@given(st.permutations("abcd"), st.sampled_from([(1, 1, 1, 1), (1, 2, 2, 2), (1, 1, 3, 3)]))
def test_ties_ignore_order_of_sides(places: list[str], ranks: tuple[int, ...]) -> None:
    """Tied sides with equal ratings stay equal, in any places."""
    four = get_variant("pot-de-vin/4")
    rank_of = dict(zip("abcd", ranks, strict=True))
    records = []
    for rotation in range(4):
        record = hand_made(ranks, entrants=places, variant=four.id, rotation=rotation)
        own = tuple(rank_of[name] for name in record.entrants)
        records.append(msgspec.structs.replace(record, ranks=own))
    rows = {row.bot: row for row in leaderboard(records, {four.id: four}, "abcd").overall}
    for one, other in pairwise("abcd"):
        if rank_of[one] == rank_of[other]:
            assert rows[one].mu == pytest.approx(rows[other].mu, abs=1e-9)
            assert rows[one].sigma == pytest.approx(rows[other].sigma, abs=1e-3)
        else:
            assert rows[one].mu > rows[other].mu


def test_every_variant_has_its_own_probability_of_a_draw() -> None:
    """What is often tied in one variant does not change the ratings of another."""
    four = get_variant("pot-de-vin/4")
    ties = [
        hand_made((1, 1, 1, 1), entrants="abcd", variant=four.id, board=board, rotation=t)
        for board in range(1, 6)
        for t in range(4)
    ]
    decided = board_won_by("a", 1)
    both = leaderboard([*decided, *ties], {THREE.id: THREE, four.id: four}, "abcd")
    alone = leaderboard(decided, {THREE.id: THREE}, "abc")
    assert both.variants[THREE.id] == alone.overall


def test_overall_ratings_continue_from_variant_to_variant() -> None:
    """Overall, one rating grows over all variants; by variant each starts at the initial rating."""
    four = get_variant("pot-de-vin/4")
    ties = [hand_made((1, 1, 1, 1), entrants="abcd", variant=four.id, rotation=t) for t in range(4)]
    board = leaderboard([*board_won_by("a", 1), *ties], {THREE.id: THREE, four.id: four}, "abcd")
    assert board.overall[0].bot == "a"
    assert [row.mu for row in board.variants[four.id]] == pytest.approx([MU] * 4)


def test_rates_upset_after_many_certain_results() -> None:
    sure = [record for number in range(1, 301) for record in board_won_by("a", number)]
    for surprise in (tied_board(301), board_won_by("b", 301)):
        rows = table_of([*sure, *surprise])
        assert rows["a"].rating > rows["b"].rating >= rows["c"].rating
        assert all(row.games == 903 for row in rows.values())
