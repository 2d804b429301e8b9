"""Two bots against each other: their results."""

from arena.rating.pairs import Pair, pairs
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    boards_in,
    partners_won,
    tied_board,
)


def test_tie_counts_half() -> None:
    records = [*board_won_by("a", 1), *board_won_by("a", 2), *board_won_by("b", 3), *tied_board(4)]
    found = {
        (pair.bot, pair.opponent): pair for pair in pairs(boards_in(records, {THREE.id: THREE}))
    }
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")]
    assert {pair.boards for pair in found.values()} == {4}
    assert found["a", "b"].ahead == (2 + 0 + 0.5) / 4
    assert found["b", "a"].ahead == (0 + 1 + 0.5) / 4
    assert found["b", "c"].ahead == (0.5 + 0.5 + 1 + 0.5) / 4


def test_partners_are_not_a_pair() -> None:
    found = pairs(boards_in(partners_won(), {TEAMS.id: TEAMS}))
    assert found == [
        *[Pair(bot, opponent, 1, 1.0) for bot in "a" for opponent in "bd"],
        *[Pair(bot, opponent, 1, 0.0) for bot in "b" for opponent in "ac"],
        *[Pair(bot, opponent, 1, 1.0) for bot in "c" for opponent in "bd"],
        *[Pair(bot, opponent, 1, 0.0) for bot in "d" for opponent in "ac"],
    ]


def test_adds_boards_of_all_variants() -> None:
    found = pairs(
        boards_in([*board_won_by("a", 1), *partners_won()], {THREE.id: THREE, TEAMS.id: TEAMS})
    )
    boards = {(pair.bot, pair.opponent): pair.boards for pair in found}
    assert boards["a", "b"] == 2
    assert boards["a", "c"] == boards["a", "d"] == 1
