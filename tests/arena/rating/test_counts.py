"""Tests of the counts over games."""

from arena.rating.board_points import (
    BoardSample,
    Counts,
    EntrantCounts,
    count_faults,
    count_wins,
    win_shares,
)
from arena.rating.complete_boards import read_board
from tests.arena.rating.made_boards import TEAMS, THREE, faulted
from tests.arena.runs import hand_made


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
    """Whoever sits at seat 0 has 5 points and wins, except against the rules."""
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
