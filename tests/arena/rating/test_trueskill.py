"""Ratings from board results, which are those of the library to the last bit."""

from itertools import pairwise

import msgspec
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st
from trueskill import Rating, TrueSkill

from arena.rating.complete_boards import BoardResult
from arena.rating.factor_graph import Numbers, rate
from arena.rating.leaderboard import leaderboard
from arena.rating.trueskill import (
    BETA,
    MU,
    SIGMA,
    ResultLog,
    conservative,
    environments,
    rating_history,
)
from engine import get_variant
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    partners_won,
    ranked,
    results_in,
    table_of,
    tied_board,
)
from tests.arena.runs import hand_made

# -- draws -------------------------------------------------------------------------------------


def results(*ranks: tuple[int, ...]) -> list[BoardResult]:
    """Return results of boards with these ranks by side."""
    return [BoardResult(THREE.id, (("a",), ("b",), ("c",)), one) for one in ranks]


@pytest.mark.parametrize(
    ("boards", "probability"),
    [
        ([(1, 2, 3)], 1 / 4),
        ([(2, 1, 2)], 2 / 4),
        ([(1, 1, 1)], 3 / 4),
        ([(1, 1, 3), (3, 1, 2)], 2 / 6),
    ],
)
def test_the_draw_probability_adds_one_tie_and_one_difference(
    boards: list[tuple[int, ...]], probability: float
) -> None:
    (environment,) = environments(ResultLog(results(*boards))).values()
    assert environment.draw_probability == probability


# -- ratings -----------------------------------------------------------------------------------


def test_ratings_are_those_of_trueskill_without_tau() -> None:
    """Four of four neighbouring places on two boards are: a tie, a win, a tie, a win."""
    records = [*board_won_by("b", 1), *board_won_by("a", 2)]
    environment = trueskill.TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=3 / 6)
    ratings = {name: environment.create_rating() for name in "abc"}
    for winner in "ba":
        one, other = sorted(set("abc") - {winner})
        found: dict[str, list[trueskill.Rating]] = {name: [] for name in "abc"}
        for order in ([winner, one, other], [winner, other, one]):
            rated = environment.rate([{name: ratings[name]} for name in order], ranks=[1, 2, 2])
            for side in rated:
                for name, rating in side.items():
                    found[name].append(rating)
        ratings = {
            name: trueskill.Rating(
                (own[0].mu + own[1].mu) / 2, ((own[0].sigma ** 2 + own[1].sigma ** 2) / 2) ** 0.5
            )
            for name, own in found.items()
        }
    rows = table_of(records)
    for name, rating in ratings.items():
        assert rows[name].mu == pytest.approx(rating.mu, rel=1e-12)
        assert rows[name].sigma == pytest.approx(rating.sigma, rel=1e-12)
        assert rows[name].rating == rows[name].mu - 3 * rows[name].sigma


@given(st.permutations("abcd"), st.sampled_from([(1, 1, 1, 1), (1, 2, 2, 2), (1, 1, 3, 3)]))
def test_ties_do_not_depend_on_the_places_of_a_board(
    places: list[str], ranks: tuple[int, ...]
) -> None:
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


def test_partners_are_rated_as_a_team() -> None:
    environment = trueskill.TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=1 / 3)
    a, b, c, d = [environment.create_rating() for _ in "abcd"]
    winners, losers = environment.rate([(a, c), (b, d)])
    rows = {row.bot: row for row in leaderboard(partners_won(), {TEAMS.id: TEAMS}, "abcd").overall}
    assert [rows[one].mu for one in "ac"] == pytest.approx([one.mu for one in winners])
    assert [rows[one].mu for one in "bd"] == pytest.approx([one.mu for one in losers])


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


def test_a_better_bot_has_the_higher_rating() -> None:
    """Of three boards a wins two, b one and c none."""
    records = [
        record
        for number in range(1, 31)
        for record in board_won_by("b" if number % 3 == 0 else "a", number)
    ]
    board = ranked(records)
    assert [row.bot for row in board.overall] == ["a", "b", "c"]
    assert board.overall[0].rating > board.overall[1].rating > board.overall[2].rating


def test_the_conservative_rating_is_three_sigmas_below_mu() -> None:
    assert conservative(trueskill.Rating(25.0, 2.0)) == 19.0


def test_sigma_falls_with_more_boards() -> None:
    few = table_of([record for number in (1, 2) for record in tied_board(number)])
    many = table_of([record for number in range(1, 21) for record in tied_board(number)])
    assert many["a"].sigma < few["a"].sigma < SIGMA


def test_an_upset_after_hundreds_of_certain_results_is_rated() -> None:
    sure = [record for number in range(1, 301) for record in board_won_by("a", number)]
    for surprise in (tied_board(301), board_won_by("b", 301)):
        rows = table_of([*sure, *surprise])
        assert rows["a"].rating > rows["b"].rating >= rows["c"].rating
        assert all(row.games == 903 for row in rows.values())


# -- history -----------------------------------------------------------------------------------


def test_the_history_counts_the_games_of_complete_boards() -> None:
    records = [record for number in range(1, 6) for record in board_won_by("a", number)]
    variants = {THREE.id: THREE}
    history = rating_history(
        results_in([*records, *board_won_by("b", 6)[:2]], variants), variants, "abc", 3
    )
    assert [snapshot.games for snapshot in history] == [0, 6, 12, 15]
    assert history[0].ratings == dict.fromkeys("abc", (MU, SIGMA))
    rows = leaderboard(records, variants, "abc").overall
    assert history[-1].ratings == {row.bot: (row.mu, row.sigma) for row in rows}


def test_a_history_of_more_steps_than_boards_has_every_board() -> None:
    records = [record for number in range(1, 4) for record in board_won_by("a", number)]
    history = rating_history(results_in(records, {THREE.id: THREE}), {THREE.id: THREE}, "abc", 10)
    assert [snapshot.games for snapshot in history] == [0, 3, 6, 9]


def test_a_history_without_boards_has_the_first_ratings_only() -> None:
    history = rating_history(ResultLog(), {THREE.id: THREE}, "ab", 5)
    assert [(one.games, one.ratings) for one in history] == [(0, dict.fromkeys("ab", (MU, SIGMA)))]


# -- scale -------------------------------------------------------------------------------------


def test_the_scale_is_that_of_trueskill() -> None:
    assert (MU, SIGMA, BETA) == (25.0, 25 / 3, 25 / 6)


# -- a log gives the results back as they came -----------------------------------------------


ALONE = BoardResult("pot-de-vin/3", (("c",), ("a",), ("b",)), (1, 3, 1))
OF_TEAMS = BoardResult("pot-de-vin/4-teams", (("b", "d"), ("a", "c")), (2, 1))
OTHERS = BoardResult("pot-de-vin/3", (("d",), ("e",), ("a",)), (3, 2, 1))
RESULTS = [ALONE, OF_TEAMS, OTHERS, OF_TEAMS, ALONE]


@pytest.mark.parametrize("number", range(len(RESULTS) + 1))
def test_a_log_yields_its_results_in_order_each_time(number: int) -> None:
    log = ResultLog(RESULTS[:number])
    assert len(log) == number
    assert list(log) == list(log) == RESULTS[:number]


def test_a_log_counts_the_boards_of_each_variant() -> None:
    log = ResultLog(RESULTS)
    assert log.boards == {"pot-de-vin/3": 3, "pot-de-vin/4-teams": 2}
    log.add(OF_TEAMS)
    assert log.boards["pot-de-vin/4-teams"] == 3
    assert log.boards["bribery/2"] == 0


# -- boards are rated as by the library, to the last bit -----------------------------------------


MUS = st.floats(-20.0, 70.0)
SIGMAS = st.floats(0.05, SIGMA)
RATINGS = st.builds(Rating, MUS, SIGMAS)
SIDES = st.lists(st.lists(RATINGS, min_size=1, max_size=3), min_size=2, max_size=6)
Sides = list[list[Numbers]]


def environment_of(draw_probability: float) -> TrueSkill:
    return TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=draw_probability)


def by_the_library(sides: list[list[Rating]], is_tied: list[bool], environment: TrueSkill) -> Sides:
    ranks = [sum([not tied for tied in is_tied[:place]]) for place in range(len(sides))]
    return numbers(environment.rate([tuple(side) for side in sides], ranks=ranks))


def numbers(sides: list[list[Rating]]) -> Sides:
    return [[(rating.mu, rating.sigma) for rating in side] for side in sides]


@given(SIDES, st.lists(st.booleans(), min_size=5, max_size=5), st.floats(0.001, 0.999))
def test_ratings_are_those_of_the_library_to_the_last_bit(
    sides: list[list[Rating]], ties: list[bool], draw_probability: float
) -> None:
    is_tied, environment = ties[: len(sides) - 1], environment_of(draw_probability)
    try:
        expected = by_the_library(sides, is_tied, environment)
    except (ArithmeticError, ValueError) as error:  # numbers that floats cannot represent
        with pytest.raises(type(error)):
            rate(sides, is_tied, environment)
    else:
        assert rate(sides, is_tied, environment) == expected


@pytest.mark.parametrize("sizes", [(1, 1), (1, 1, 1, 1), (2, 2), (2, 2, 2), (3, 3)])
def test_ratings_stay_the_same_over_many_boards(sizes: tuple[int, ...]) -> None:
    """A difference in the last bit would grow from board to board."""
    environment = environment_of(0.1)
    own = [[Rating(MU, SIGMA)] * size for size in sizes]
    for number in range(100):
        is_tied = [number % (place + 3) == 0 for place in range(len(sizes) - 1)]
        ranks = [sum([not tied for tied in is_tied[:place]]) for place in range(len(sizes))]
        rated = environment.rate([tuple(side) for side in own], ranks=ranks)
        after = rate(own, is_tied, environment)
        assert after == numbers(rated)
        own = [[Rating(*one) for one in side] for side in after]
        turn = number % len(sizes)  # another side is best next time
        own = own[turn:] + own[:turn]


@pytest.mark.parametrize("is_tied", [True, False])
def test_ratings_that_are_too_far_apart_are_refused_as_by_the_library(is_tied: bool) -> None:
    sides = [[Rating(-1e4, 0.1)], [Rating(1e4, 0.1)]]
    with pytest.raises(FloatingPointError):
        by_the_library(sides, [is_tied], environment_of(0.1))
    with pytest.raises(FloatingPointError):
        rate(sides, [is_tied], environment_of(0.1))


def test_a_gap_beyond_the_digits_of_floats_changes_nothing() -> None:
    """The better side is so much better that the result says nothing."""
    sides = [[Rating(mu, 0.5)] for mu in (90.0, 30.0, 25.0)]
    rated = rate(sides, [False, False], environment_of(0.1))
    assert rated == by_the_library(sides, [False, False], environment_of(0.1))
    assert rated[0] == numbers(sides)[0]
