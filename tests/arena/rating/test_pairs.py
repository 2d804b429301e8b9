"""Two bots against each other: results and the matrix."""

from itertools import combinations

import pytest

from arena.rating.complete_boards import BoardShares
from arena.rating.pairs import Pair, PairResult, pairs, result_matrix
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    boards_in,
    partners_won,
    tied_board,
)
from tests.arena.rating.made_tables import drawn_boards, shares_of


def test_the_share_of_boards_ahead_counts_a_tie_half() -> None:
    records = [*board_won_by("a", 1), *board_won_by("a", 2), *board_won_by("b", 3), *tied_board(4)]
    found = {
        (pair.bot, pair.opponent): pair for pair in pairs(boards_in(records, {THREE.id: THREE}))
    }
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")]
    assert {pair.boards for pair in found.values()} == {4}
    assert found["a", "b"].ahead == (2 + 0 + 0.5) / 4
    assert found["b", "a"].ahead == (0 + 1 + 0.5) / 4
    assert found["b", "c"].ahead == (0.5 + 0.5 + 1 + 0.5) / 4


def test_partners_are_no_pair() -> None:
    found = pairs(boards_in(partners_won(), {TEAMS.id: TEAMS}))
    assert found == [
        *[Pair(bot, opponent, 1, 1.0) for bot in "a" for opponent in "bd"],
        *[Pair(bot, opponent, 1, 0.0) for bot in "b" for opponent in "ac"],
        *[Pair(bot, opponent, 1, 1.0) for bot in "c" for opponent in "bd"],
        *[Pair(bot, opponent, 1, 0.0) for bot in "d" for opponent in "ac"],
    ]


def test_boards_of_all_variants_are_added() -> None:
    found = pairs(
        boards_in([*board_won_by("a", 1), *partners_won()], {THREE.id: THREE, TEAMS.id: TEAMS})
    )
    boards = {(pair.bot, pair.opponent): pair.boards for pair in found}
    assert boards["a", "b"] == 2
    assert boards["a", "c"] == boards["a", "d"] == 1


# -- the matrix of results beside what scores say ------------------------------------------------


FIRST, SECOND, TIE = ([1, 2], 1), ([2, 1], 1), ([1, 1], 1)


def duel(one: str, other: str, *games: tuple[list[int], int]) -> BoardShares:
    """Return a board for two."""
    return shares_of([(one,), (other,)], games)


def cells_of(boards: list[BoardShares], names: str) -> dict[tuple[str, str], PairResult]:
    """Return the cells by pair."""
    return {(cell.bot, cell.opponent): cell for cell in result_matrix(boards, list(names))}


def test_a_cell_has_the_share_of_games_by_weight_and_a_tie_counts_half() -> None:
    boards = [duel("a", "b", FIRST, SECOND), duel("b", "a", TIE, ([2, 1], 3))]
    cells = cells_of(boards, "abc")
    assert list(cells) == [("a", "b"), ("b", "a")]
    assert cells["a", "b"].share == pytest.approx((1 / 2 + 3.5 / 4) / 2)
    assert cells["b", "a"].share == pytest.approx(1 - cells["a", "b"].share)
    assert cells["a", "b"].expected == pytest.approx(cells["a", "b"].share)
    assert cells["a", "b"].boards == 2


@pytest.mark.parametrize(("boards", "departs"), [(2, False), (3, False), (9, True)])
def test_a_cycle_is_marked_when_there_are_enough_boards(boards: int, departs: bool) -> None:
    cycle = [duel("a", "b", FIRST), duel("b", "c", FIRST), duel("c", "a", FIRST)]
    cells = cells_of(cycle * boards, "abc")
    assert {cell.departs for cell in cells.values()} == {departs}
    assert {cell.share for cell in cells.values()} == {0.0, 1.0}
    assert [cell.expected for cell in cells.values()] == pytest.approx([0.5] * 6)


def test_only_the_pair_that_departs_is_marked() -> None:
    results = [(FIRST, FIRST), (SECOND, SECOND)] * 15
    others = [pair for pair in combinations("abcdef", 2) if pair != ("a", "b")]
    boards = [duel(*pair, *games) for pair in others for games in results]
    boards += [duel("a", "b", FIRST, FIRST)] * 30
    cells = cells_of(boards, "abcdef")
    assert [pair for pair, cell in cells.items() if cell.departs] == [("a", "b"), ("b", "a")]
    assert cells["a", "b"].share > cells["a", "b"].expected > 0.5


def test_few_fields_without_interplay_have_a_mark() -> None:
    names = [f"bot-{number}" for number in range(6)]
    fields = [drawn_boards(dict.fromkeys(names, 0.0), 60, seed=seed) for seed in range(30)]
    marked = [any(cell.departs for cell in result_matrix(boards, names)) for boards in fields]
    assert sum(marked) <= 2


def test_what_is_expected_lies_within_0_and_1() -> None:
    boards = [duel("a", "b", FIRST), duel("b", "c", FIRST), duel("a", "c", FIRST)] * 20
    boards += [duel("a", "b", FIRST)] * 40 + [duel("b", "c", FIRST)] * 40
    cells = cells_of(boards, "abc")
    assert cells["a", "c"].expected == 1.0
    assert not cells["a", "c"].departs
    assert cells["c", "a"].expected == 0.0


def test_partners_have_no_cell() -> None:
    cells = cells_of([shares_of([("a", "c"), ("b", "d")], [FIRST])], "abcd")
    assert set(cells) == {
        (one, other) for one in "abcd" for other in "abcd" if (one in "ac") != (other in "ac")
    }
