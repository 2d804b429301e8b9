"""Ratings follow from the records: TrueSkill over boards, counts over games."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol import SeatFault
from arena.rating.leaderboard import (
    BETA,
    MU,
    SIGMA,
    BoardResult,
    Leaderboard,
    Row,
    draw_probability,
    leaderboard,
    placement_scores,
    rate_board,
)
from arena.record import GameRecord
from engine import get_variant
from tests.arena.runs import hand_made

ALONE = ((0,), (1,), (2,))
PAIRS = ((0, 2), (1, 3))
THREE = get_variant("pot-de-vin/3")
TEAMS = get_variant("pot-de-vin/4-teams")


def board_won_by(name: str, number: int, *, entrants: Sequence[str] = "abc") -> list[GameRecord]:
    """Return a board for three that one wins from every seat; the others are equal."""
    records = []
    for rotation in range(3):
        record = hand_made((2, 2, 2), entrants=entrants, board=number, rotation=rotation)
        ranks = [1 if one == name else 2 for one in record.entrants]
        records.append(msgspec.structs.replace(record, ranks=tuple(ranks)))
    return records


def tied_board(number: int, *, variant: str = "pot-de-vin/3") -> list[GameRecord]:
    """Return a board for three on which nothing is decided."""
    return [hand_made((1, 1, 1), variant=variant, board=number, rotation=t) for t in range(3)]


def partners_won() -> list[GameRecord]:
    """Return a board for two teams that a and c win from every seat, with equal points."""
    return [
        hand_made(
            (1, 2, 1, 2) if rotation % 2 == 0 else (2, 1, 2, 1),
            entrants="abcd",
            variant=TEAMS.id,
            rotation=rotation,
            points=(3, 3, 3, 3),
        )
        for rotation in range(4)
    ]


def table_of(records: Iterable[GameRecord], entrants: Sequence[str] = "abc") -> dict[str, Row]:
    """Return the overall rows by bot."""
    return {row.bot: row for row in ranked(records, entrants).overall}


def ranked(records: Iterable[GameRecord], entrants: Sequence[str] = "abc") -> Leaderboard:
    """Return the leaderboard of records of the variant for three."""
    return leaderboard(records, {THREE.id: THREE}, entrants)


def faulted(record: GameRecord, *seats: int) -> GameRecord:
    """Return a record in which bots at these seats have a fault."""
    faults = tuple(SeatFault(seat, 0, "crash", "exited with code 1") for seat in seats)
    return msgspec.structs.replace(record, faults=faults)


# -- placement scores --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "sides", "scores"),
    [
        ((1, 2, 3), ALONE, [2, 1, 0]),
        ((3, 1, 2), ALONE, [0, 2, 1]),
        ((1, 1, 3), ALONE, [1.5, 1.5, 0]),
        ((1, 2, 2), ALONE, [2, 0.5, 0.5]),
        ((1, 1, 1), ALONE, [1, 1, 1]),
        ((1, 2, 1, 2), PAIRS, [1, 0]),
        ((1, 1, 1, 1), PAIRS, [0.5, 0.5]),
        ((3, 1, 2, 3, 1, 2), ((0, 3), (1, 4), (2, 5)), [0, 2, 1]),
    ],
)
def test_the_last_side_scores_0_and_shared_ranks_share_the_mean(
    ranks: tuple[int, ...], sides: tuple[tuple[int, ...], ...], scores: list[float]
) -> None:
    assert placement_scores(ranks, sides) == scores


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_a_game_always_gives_away_the_same_sum(levels: list[int]) -> None:
    ranks = [1 + sum(other < level for other in levels) for level in levels]
    scores = placement_scores(ranks, [(seat,) for seat in range(len(ranks))])
    assert sum(scores) == len(ranks) * (len(ranks) - 1) / 2
    assert sorted(scores, reverse=True) == [
        score for _, score in sorted(zip(ranks, scores, strict=True))
    ]


# -- boards ------------------------------------------------------------------------------------


def test_ranks_by_seat_are_given_to_who_sat_there() -> None:
    """Seat 0 wins and seat 2 loses each time: three games, everybody once in each seat."""
    records = [hand_made((1, 2, 3), rotation=rotation) for rotation in range(3)]
    assert rate_board(records, THREE) == BoardResult(THREE.id, (("a",), ("b",), ("c",)), (1, 1, 1))


def test_the_placement_scores_of_a_board_are_summed() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0),  # a b c sit there: a 2, b 1
        hand_made((2, 1, 3), rotation=1),  # c a b: a 2, c 1
        hand_made((1, 3, 2), rotation=2),  # b c a: b 2, a 1
    ]
    assert rate_board(records, THREE).ranks == (1, 2, 3)


def test_equal_scores_are_parted_by_points() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(9, 8, 7)),
        hand_made((1, 2, 3), rotation=1, points=(9, 8, 7)),
        hand_made((1, 2, 3), rotation=2, points=(20, 8, 7)),  # b sits at seat 0
    ]
    assert rate_board(records, THREE).ranks == (2, 1, 2)


def test_points_do_not_outweigh_placement() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(9, 8, 7)),
        hand_made((2, 1, 3), rotation=1, points=(9, 8, 7)),
        hand_made((1, 3, 2), rotation=2, points=(100, 8, 7)),  # b sits at seat 0
    ]
    assert rate_board(records, THREE).ranks == (1, 2, 3)


def test_partners_are_one_side_whose_points_count_once() -> None:
    result = rate_board(partners_won(), TEAMS)
    assert result == BoardResult(TEAMS.id, (("a", "c"), ("b", "d")), (1, 2))


def test_a_game_that_counts_twice_weighs_twice() -> None:
    records = [
        hand_made((1, 2, 2), rotation=0, win_weight=2),  # a wins
        hand_made((1, 2, 2), rotation=1),  # c wins
        hand_made((1, 2, 2), rotation=2),  # b wins
    ]
    assert rate_board(records, THREE).ranks == (1, 2, 2)


@given(st.permutations(range(3)))
def test_the_order_of_the_games_of_a_board_does_not_matter(order: list[int]) -> None:
    records = [
        hand_made(ranks, rotation=t) for t, ranks in enumerate([(1, 2, 3)] * 2 + [(2, 1, 3)])
    ]
    expected = rate_board(records, THREE)
    assert rate_board([records[number] for number in order], THREE) == expected


# -- draws -------------------------------------------------------------------------------------


def results(*ranks: tuple[int, ...]) -> list[BoardResult]:
    """Return results of boards with these ranks by side."""
    return [BoardResult(THREE.id, (("a",), ("b",), ("c",)), one) for one in ranks]


@pytest.mark.parametrize(
    ("boards", "probability"),
    [
        ([], 1 / 2),
        ([(1, 2, 3)], 1 / 4),
        ([(2, 1, 2)], 2 / 4),
        ([(1, 1, 1)], 3 / 4),
        ([(1, 1, 3), (3, 1, 2)], 2 / 6),
    ],
)
def test_neighbouring_places_are_counted_with_one_tie_and_one_difference_on_top(
    boards: list[tuple[int, ...]], probability: float
) -> None:
    assert draw_probability(results(*boards)) == probability


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_draw_is_never_impossible_and_never_certain(tied: int, decided: int) -> None:
    boards = results(*[(1, 1, 1)] * tied, *[(1, 2, 3)] * decided)
    assert 0 < draw_probability(boards) < 1


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
    """Tied sides that came equal leave equal, wherever they sat."""
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


def test_the_first_board_of_a_variant_is_rated_from_where_the_others_stand() -> None:
    """Overall, one rating grows over all variants; by variant each begins anew."""
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


def test_more_boards_make_a_rating_surer() -> None:
    few = table_of([record for number in (1, 2) for record in tied_board(number)])
    many = table_of([record for number in range(1, 21) for record in tied_board(number)])
    assert many["a"].sigma < few["a"].sigma < SIGMA


def test_a_surprise_after_hundreds_of_sure_results_is_survived() -> None:
    sure = [record for number in range(1, 301) for record in board_won_by("a", number)]
    for surprise in (tied_board(301), board_won_by("b", 301)):
        rows = table_of([*sure, *surprise])
        assert rows["a"].rating > rows["b"].rating >= rows["c"].rating
        assert all(row.games == 903 for row in rows.values())


# -- the table ---------------------------------------------------------------------------------


def test_games_of_incomplete_boards_are_counted_but_not_rated() -> None:
    records = [*board_won_by("a", 1), *board_won_by("b", 2)[:2]]
    board = ranked(records)
    assert (board.games, board.games_left_out) == (3, 2)
    assert board.overall == ranked(board_won_by("a", 1)).overall


def test_who_has_played_no_counted_game_stands_in_the_overall_table_only() -> None:
    board = ranked(board_won_by("a", 1), "abcd")
    (row,) = [row for row in board.overall if row.bot == "d"]
    assert (row.games, row.points_per_game, row.win_share, row.faults) == (0, 0.0, 0.0, 0)
    assert (row.mu, row.rank) == (25.0, 4)
    assert {row.bot for row in board.variants[THREE.id]} == {"a", "b", "c"}


def test_games_of_incomplete_boards_only_leave_everybody_where_they_began() -> None:
    board = ranked(board_won_by("a", 1)[:1])
    assert (board.games, board.games_left_out) == (0, 1)
    assert [(row.mu, row.rank) for row in board.overall] == [(25.0, 1)] * 3


def test_a_shared_win_counts_in_parts() -> None:
    records = [
        hand_made((1, 1, 3), rotation=0),  # a and b
        hand_made((1, 1, 1), rotation=1),  # all
        hand_made((1, 2, 2), rotation=2),  # b
    ]
    rows = table_of(records)
    assert rows["a"].win_share == pytest.approx((1 / 2 + 1 / 3) / 3)
    assert rows["b"].win_share == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)
    assert rows["c"].win_share == pytest.approx((1 / 3) / 3)


def test_a_win_that_counts_twice_is_two_of_the_wins() -> None:
    records = [
        hand_made((1, 2, 2), rotation=0, win_weight=2),  # a
        hand_made((1, 2, 2), rotation=1),  # c
        hand_made((1, 2, 2), rotation=2),  # b
    ]
    rows = table_of(records)
    assert [rows[name].win_share for name in "abc"] == [2 / 4, 1 / 4, 1 / 4]
    assert [rows[name].games for name in "abc"] == [3, 3, 3]


def test_partners_win_together() -> None:
    records = [
        hand_made((1, 2, 1, 2), entrants="abcd", variant=TEAMS.id, rotation=t) for t in range(4)
    ]
    rows = leaderboard(records, {TEAMS.id: TEAMS}, "abcd").overall
    assert {row.win_share for row in rows} == {1 / 2}


def test_whoever_has_a_fault_has_not_won() -> None:
    """Where all have a fault all are first and last; nobody has won."""
    everybody, nobody, one = (hand_made((1, 1, 1), rotation=t) for t in range(3))
    one = faulted(hand_made((1, 1, 3), rotation=2), 2)  # b c a sit there
    rows = table_of([faulted(everybody, 0, 1, 2), nobody, one])
    assert [rows[name].faults for name in "abc"] == [2, 1, 1]
    assert rows["a"].win_share == pytest.approx((1 / 3) / 3)
    assert rows["b"].win_share == pytest.approx((1 / 3 + 1 / 2) / 3)


def test_a_fault_is_counted_for_the_bot_and_not_for_its_partner() -> None:
    records = [
        hand_made((2, 1, 2, 1), entrants="abcd", variant=TEAMS.id, rotation=t) for t in range(4)
    ]
    records[0] = faulted(records[0], 2)  # c
    rows = {row.bot: row for row in leaderboard(records, {TEAMS.id: TEAMS}, "abcd").overall}
    assert [rows[name].faults for name in "abcd"] == [0, 0, 1, 0]


def test_points_are_the_mean_over_games() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(10, 5, -3)),  # a b c
        hand_made((1, 2, 3), rotation=1, points=(10, 5, -3)),  # c a b
        hand_made((1, 2, 3), rotation=2, points=(10, 5, -9)),  # b c a
    ]
    rows = table_of(records)
    assert [rows[name].points_per_game for name in "abc"] == [(10 + 5 - 9) / 3, 4.0, 4.0]


def test_rows_are_sorted_by_rating() -> None:
    rows = ranked([*board_won_by("a", 1), *board_won_by("b", 2), *board_won_by("a", 3)]).overall
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (2, "b"), (3, "c")]
    assert [row.rating for row in rows] == sorted([row.rating for row in rows], reverse=True)


@pytest.mark.parametrize("entrants", ["abcd", "dcba", "cdab"])
def test_equal_ratings_share_a_rank_and_come_by_name(entrants: str) -> None:
    """Partners who only ever play together cannot be told apart."""
    rows = leaderboard(partners_won(), {TEAMS.id: TEAMS}, entrants).overall
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (1, "c"), (3, "b"), (3, "d")]


@given(st.permutations("abc"))
def test_names_do_not_matter_to_the_numbers(names: list[str]) -> None:
    renamed = dict(zip("abc", names, strict=True))

    def results_of(to: dict[str, str]) -> dict[str, Row]:
        entrants = [to[name] for name in "abc"]
        records = [
            record
            for number, winner in enumerate("aababc", 1)
            for record in board_won_by(to[winner], number, entrants=entrants)
        ]
        return table_of(records, entrants)

    original = results_of({name: name for name in "abc"})
    for name, row in results_of(renamed).items():
        (old,) = [one for one, new in renamed.items() if new == name]
        assert msgspec.structs.replace(row, bot=old) == original[old]


@given(st.permutations("abc"))
def test_the_order_of_the_entrants_does_not_matter(entrants: list[str]) -> None:
    records = [*board_won_by("b", 1), *board_won_by("a", 2)]
    assert ranked(records, entrants) == ranked(records, "abc")
