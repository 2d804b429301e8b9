"""The matrix of results, and which of them the scores do not explain."""

from itertools import combinations

import pytest

from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.complete_boards import BoardShares
from arena.rating.pairs import PairResult, result_matrix
from tests.arena.rating.made_tables import drawn_boards, shares_of

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


def test_where_all_meet_equally_often_a_row_has_the_score_as_its_mean() -> None:
    results = [(FIRST, FIRST), (FIRST, SECOND), (TIE, SECOND)]
    boards = [
        duel(*pair, *games) for pair, games in zip(combinations("abc", 2), results, strict=True)
    ]
    cells = cells_of(boards, "abc")
    for score in fit_boards(BoardSums("abc", boards)).scores:
        row = [cell.share for (bot, _), cell in cells.items() if bot == score.bot]
        assert sum(row) / 2 == pytest.approx(score.score)


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


def test_extra_boards_count_for_what_is_expected_only() -> None:
    balanced = [duel("a", "b", FIRST, SECOND), duel("b", "c", FIRST, SECOND)]
    extra = duel("a", "b", FIRST, FIRST)._replace(challengers=("a",))
    cells = cells_of([*balanced, extra], "abc")
    assert cells["a", "b"].share == 0.5
    assert cells["a", "b"].boards == 1
    assert cells["a", "b"].expected == pytest.approx(0.75)


def test_a_single_pair_is_judged_with_the_whole_doubt() -> None:
    """The departure has a probability of 1.4 % on its side: between a quarter and half of 5 %."""
    balanced = [duel("a", "b", FIRST, FIRST), duel("a", "b", FIRST, SECOND)] * 15
    extra = duel("a", "b", SECOND, SECOND)._replace(challengers=("a",))
    cells = cells_of([*balanced, *[extra] * 5], "ab")
    assert all(cell.departs for cell in cells.values())


def test_without_boards_there_is_no_cell() -> None:
    assert result_matrix([], ["a", "b"]) == []
