"""The order-free score: kept cases, what must always hold, and edge cases."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.complete_boards import BoardShares, board_shares
from arena.rating.intervals import Estimate
from arena.rating.scores import BoardModel, fit_boards
from tests.arena.rating.made_boards import THREE
from tests.arena.rating.made_tables import drawn_boards, read_case, shares_of_case
from tests.arena.runs import hand_made

TOLERANCE = 1e-9
FIELD = {"ann": 0.0, "ben": 0.5, "cy": 1.0, "dan": 1.5, "eve": 2.0}


def fit(boards: Iterable[BoardShares], entrants: Iterable[str] = FIELD) -> BoardModel:
    """Return what boards say of a field."""
    return fit_boards(entrants, boards)


def gaps_of(model: BoardModel) -> dict[tuple[str, str], Estimate | None]:
    """Return the gaps of all pairs."""
    return {pair: model.gaps.get(*pair) for pair in permutations(model.gaps.names, 2)}


def names_of(boards: Iterable[BoardShares]) -> set[str]:
    """Return all who sit at boards."""
    return set(chain.from_iterable(side for board in boards for side in board.sides))


@pytest.mark.parametrize("name", ["1_three_seats.json", "3_teams.json"])
def test_scores_match_the_specification(name: str) -> None:
    case = read_case(name)
    boards = [shares_of_case(board) for board in case["boards"]]
    model = fit(boards, names_of(boards))
    expected = case["expected"]
    assert [row.bot for row in model.scores] == [row["bot"] for row in expected["rows"]]
    for own, row in zip(model.scores, expected["rows"], strict=True):
        assert own.score == pytest.approx(row["score"], abs=TOLERANCE)
        assert (own.low, own.high) == pytest.approx(tuple(row["interval"]), abs=TOLERANCE)
        assert [own.best_rank, own.worst_rank] == row["ranks"]
        assert (own.boards, own.compared_with) == (row["boards"], row["compared_with"])
    for pair in expected["pairs"]:
        gap = model.gaps.get(*pair["pair"])
        assert gap
        assert gap.mean == pytest.approx(pair["gap"], abs=TOLERANCE)
        assert gap.error == pytest.approx(pair["error"], abs=TOLERANCE)
        assert gap.degrees == pytest.approx(pair["degrees"], abs=TOLERANCE)
        certainty = model.gaps.certainty(*pair["pair"])
        assert certainty == pytest.approx(pair["certainty"], abs=TOLERANCE)
    assert model.interplay == pytest.approx(expected["interplay"], abs=TOLERANCE)


# -- what must always hold -----------------------------------------------------------------------

seeds = st.integers(0, 10_000)


@dataclass(frozen=True)
class Shape:
    """Seats and teams of a table."""

    seats: int
    team_size: int


shapes = st.sampled_from([Shape(2, 1), Shape(3, 1), Shape(4, 1), Shape(4, 2)])


def drawn(shape: Shape, boards: int, seed: int) -> list[BoardShares]:
    """Return drawn boards of a shape."""
    return drawn_boards(FIELD, boards, seats=shape.seats, team_size=shape.team_size, seed=seed)


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(1, 30), seeds)
def test_ignores_order_of_boards(shape: Shape, number: int, seed: int) -> None:
    boards = drawn(shape, number, seed)
    shuffled = random.Random(seed).sample(boards, number)
    one, other = fit(shuffled), fit(boards)
    assert one.scores == other.scores
    assert one.estimates == other.estimates
    assert one.interplay == other.interplay
    assert gaps_of(one) == gaps_of(other)


def test_shares_use_win_weights() -> None:
    records = [
        hand_made((1, 2, 2), rotation=0, win_weight=2),
        hand_made((1, 2, 3), rotation=1),
        hand_made((2, 1, 3), rotation=2),
    ]
    found = board_shares(records, THREE)
    assert found.sides == (("a",), ("b",), ("c",))
    assert found.whole == 8
    assert found.before == ((0, 6, 4), (2, 0, 2), (4, 6, 0))


# -- edge cases ----------------------------------------------------------------------------------


def test_no_scores_without_boards() -> None:
    model = fit([], "abc")
    assert [row.bot for row in model.scores] == ["a", "b", "c"]
    assert {(row.score, row.low, row.best_rank, row.worst_rank) for row in model.scores} == {
        (None, None, 1, 3)
    }
    assert model.gaps.certainty("a", "b") is None
