"""Tests of the leaderboard: its tables and what they count."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.leaderboard import Row, leaderboard
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    faulted,
    partners_won,
    ranked,
    table_of,
)
from tests.arena.runs import hand_made


def test_games_of_incomplete_boards_are_counted_but_not_rated() -> None:
    records = [*board_won_by("a", 1), *board_won_by("b", 2)[:2]]
    board = ranked(records)
    assert (board.games, board.games_left_out) == (3, 2)
    assert board.overall == ranked(board_won_by("a", 1)).overall


def test_entrants_without_counted_games_are_in_the_overall_table_only() -> None:
    board = ranked(board_won_by("a", 1), "abcd")
    (row,) = [row for row in board.overall if row.bot == "d"]
    assert (row.games, row.points_per_game, row.win_share, row.faults) == (0, 0.0, 0.0, 0)
    assert (row.mu, row.rank) == (25.0, 4)
    assert {row.bot for row in board.variants[THREE.id]} == {"a", "b", "c"}


def test_games_of_incomplete_boards_alone_change_no_rating() -> None:
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


def test_bots_with_a_fault_have_not_won() -> None:
    """If all bots have a fault, no bot has won."""
    all_faulty, none_faulty, one = (hand_made((1, 1, 1), rotation=t) for t in range(3))
    one = faulted(hand_made((1, 1, 3), rotation=2), 2)  # b c a sit there
    rows = table_of([faulted(all_faulty, 0, 1, 2), none_faulty, one])
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
def test_equal_ratings_share_a_rank_and_are_sorted_by_name(entrants: str) -> None:
    """Partners that always play together have equal ratings."""
    rows = leaderboard(partners_won(), {TEAMS.id: TEAMS}, entrants).overall
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (1, "c"), (3, "b"), (3, "d")]


@given(st.permutations("abc"))
def test_figures_do_not_depend_on_names(names: list[str]) -> None:
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
