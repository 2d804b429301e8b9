"""The order-free score: kept cases, what must always hold, and edge cases."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.record import GameRecord
from arena.rating.complete_boards import BoardShares, board_shares, read_boards
from arena.rating.scores import BoardLog, BoardModel, Score, fit_boards
from engine import get_variant
from tests.arena.rating.made_boards import TEAMS, THREE, board_won_by, partners_won
from tests.arena.rating.made_tables import drawn_boards, read_case, shares_of, shares_of_case
from tests.arena.runs import hand_made

TOLERANCE = 1e-9
FIELD = {"ann": 0.0, "ben": 0.5, "cy": 1.0, "dan": 1.5, "eve": 2.0}


def fit(boards: Iterable[BoardShares], entrants: Iterable[str] = FIELD) -> BoardModel:
    """Return what boards say of a field."""
    return fit_boards(BoardLog(entrants, boards))


def test_entrants_without_a_board_change_nothing_for_the_others() -> None:
    boards = drawn_boards(FIELD, 40)
    among = BoardLog(FIELD)
    among.add_all(BoardLog([*FIELD, "abe", "dora", "zoe"], boards))
    assert (among.boards, among.names) == (len(boards), sorted(FIELD))
    assert fit_boards(among) == fit(boards)


def rows(model: BoardModel) -> dict[str, Score]:
    """Return the scores by bot."""
    return {score.bot: score for score in model.scores}


def scores(model: BoardModel) -> dict[str, float]:
    """Return the scores of bots that have one, as numbers."""
    return {row.bot: row.score for row in model.scores if row.score is not None}


def names_of(boards: Iterable[BoardShares]) -> set[str]:
    """Return all who sit at boards."""
    return set(chain.from_iterable(side for board in boards for side in board.sides))


@pytest.mark.parametrize("name", ["1_three_seats.json", "3_teams.json"])
def test_a_kept_case_comes_out_so(name: str) -> None:
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
        gap = model.gaps[tuple(pair["pair"])]
        assert gap.mean == pytest.approx(pair["gap"], abs=TOLERANCE)
        assert gap.error == pytest.approx(pair["error"], abs=TOLERANCE)
        assert gap.degrees == pytest.approx(pair["degrees"], abs=TOLERANCE)
        assert model.certainty(*pair["pair"]) == pytest.approx(pair["certainty"], abs=TOLERANCE)
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
def test_the_order_of_boards_changes_no_bit(shape: Shape, number: int, seed: int) -> None:
    boards = drawn(shape, number, seed)
    shuffled = random.Random(seed).sample(boards, number)
    assert fit(shuffled) == fit(boards)


@pytest.mark.parametrize("records", [board_won_by("b", 1), partners_won()], ids=["alone", "teams"])
def test_the_order_of_the_games_of_a_board_does_not_matter(records: list[GameRecord]) -> None:
    variant = get_variant(records[0].variant)
    assert board_shares(records[::-1], variant) == board_shares(records, variant)
    assert [board.shares for board in read_boards(records[1:], {variant.id: variant})] == [], (
        "a game is missing"
    )


def test_shares_count_games_by_their_win_weight_and_ties_half() -> None:
    records = [
        hand_made((1, 2, 2), rotation=0, win_weight=2),
        hand_made((1, 2, 3), rotation=1),
        hand_made((2, 1, 3), rotation=2),
    ]
    found = board_shares(records, THREE)
    assert found.sides == (("a",), ("b",), ("c",))
    assert found.whole == 8
    assert found.before == ((0, 6, 4), (2, 0, 2), (4, 6, 0))


def test_partners_share_what_their_side_is_worth() -> None:
    found = board_shares(partners_won(), TEAMS)
    assert found.sides == (("a", "c"), ("b", "d"))
    assert found.before == ((0, 8), (0, 0))


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(2, 25), seeds)
def test_other_names_permute_the_rows(shape: Shape, number: int, seed: int) -> None:
    boards = drawn(shape, number, seed)
    names = dict(zip(FIELD, random.Random(seed).sample("vwxyz", len(FIELD)), strict=True))
    renamed = [
        board._replace(sides=tuple(tuple(names[name] for name in side) for side in board.sides))
        for board in boards
    ]
    before, after = rows(fit(boards)), rows(fit(renamed, names.values()))
    for name, row in before.items():
        other = after[names[name]]
        assert other.score == pytest.approx(row.score, abs=1e-12)
        assert (other.low, other.high) == pytest.approx((row.low, row.high), abs=1e-12)
        assert (other.best_rank, other.worst_rank) == (row.best_rank, row.worst_rank)


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(10, 30), seeds)
def test_scores_of_a_connected_field_have_the_mean_one_half(
    shape: Shape, number: int, seed: int
) -> None:
    model = fit(drawn(shape, number, seed))
    if all(row.compared_with == len(FIELD) - 1 for row in model.scores):
        assert sum(scores(model).values()) == pytest.approx(len(FIELD) / 2, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(2, 25), seeds)
def test_turning_every_ranking_round_mirrors_the_scores(
    shape: Shape, number: int, seed: int
) -> None:
    boards = drawn(shape, number, seed)
    turned = [board._replace(before=tuple(zip(*board.before, strict=True))) for board in boards]
    before, after = rows(fit(boards)), rows(fit(turned))
    for name, row in before.items():
        mirrored = after[name]
        if row.score is not None:
            assert mirrored.score == pytest.approx(1 - row.score, abs=1e-9)
        size = len(FIELD) + 1
        assert (mirrored.best_rank, mirrored.worst_rank) == (
            size - row.worst_rank,
            size - row.best_rank,
        )


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(2, 25), seeds)
def test_doubling_every_win_weight_changes_nothing(shape: Shape, number: int, seed: int) -> None:
    boards = drawn(shape, number, seed)
    doubled = [
        board._replace(
            before=tuple(tuple(2 * value for value in row) for row in board.before),
            whole=2 * board.whole,
        )
        for board in boards
    ]
    assert fit(doubled) == fit(boards)


def balanced_boards() -> list[BoardShares]:
    """Return a round-robin of two seats in which each pair meets three times."""
    rng = random.Random(4)
    names = sorted(FIELD)
    pairs = [(a, b) for a in names for b in names if a < b] * 3
    return [
        shares_of(
            [(a,), (b,)], [((1, 2) if rng.random() < 0.6 else (2, 1), 1) for _ in range(2)], k
        )
        for k, (a, b) in enumerate(pairs)
    ]


def test_balanced_meetings_give_the_plain_mean() -> None:
    boards = balanced_boards()
    for name, score in scores(fit(boards)).items():
        own = [
            row[1 - board.sides.index((name,))] / board.whole
            for board in boards
            if (name,) in board.sides
            for row in [board.before[board.sides.index((name,))]]
        ]
        assert score == pytest.approx(sum(own) / len(own), abs=1e-12)


def test_who_met_stronger_opponents_is_credited() -> None:
    """The bots a and b each win half of their games, a against the strong one."""
    half = [((1, 2), 1), ((2, 1), 1)]
    lost = [((1, 2), 1), ((1, 2), 1)]
    boards = [
        shares_of([("a",), ("strong",)], half, 1),
        shares_of([("b",), ("weak",)], half, 2),
        *[shares_of([("strong",), ("weak",)], lost, number) for number in (3, 4)],
        shares_of([("a",), ("b",)], half, 5),
    ]
    found = scores(fit(boards, ("a", "b", "strong", "weak")))
    assert found["strong"] > found["a"] > 0.5 > found["b"] > found["weak"]


# -- edge cases ----------------------------------------------------------------------------------


def tied(number: int, names: Sequence[str] = ("a", "b", "c")) -> BoardShares:
    """Return a board on which nothing is decided."""
    return shares_of([(name,) for name in names], [([1] * len(names), 1)] * len(names), number)


def test_without_boards_nothing_is_said() -> None:
    model = fit([], "abc")
    assert [row.bot for row in model.scores] == ["a", "b", "c"]
    assert {(row.score, row.low, row.best_rank, row.worst_rank) for row in model.scores} == {
        (None, None, 1, 3)
    }
    assert model.certainty("a", "b") is None


def test_a_bot_that_never_sat_down_comes_last_without_a_score() -> None:
    model = fit([tied(number) for number in range(20)], "abcd")
    last = model.scores[-1]
    assert (last.bot, last.score, last.best_rank, last.worst_rank) == ("d", None, 1, 4)
    assert all(row.worst_rank == 4 for row in model.scores)


def test_one_board_gives_a_score_without_an_interval() -> None:
    model = fit([drawn_boards(FIELD, 1)[0]])
    known = [row for row in model.scores if row.score is not None]
    assert len(known) == 3
    assert all(row.low is None and (row.best_rank, row.worst_rank) == (1, 5) for row in known)


def test_all_tied_is_a_half_each_with_an_error_of_half_a_board() -> None:
    model = fit([tied(number) for number in range(20)], "abc")
    assert [row.bot for row in model.scores] == ["a", "b", "c"]
    for row in model.scores:
        assert row.score == pytest.approx(0.5, abs=1e-12)
        assert row.low is not None
        assert row.low < 0.5
    assert model.gaps["a", "b"].error == pytest.approx((2 / 400) ** 0.5)


def test_groups_that_never_met_are_scored_each_in_its_group() -> None:
    boards = [tied(number) for number in range(9)]
    boards += [
        shares_of([("x",), ("y",), ("z",)], [((1, 2, 3), 1)] * 3, number) for number in range(9, 18)
    ]
    model = fit(boards, "abcxyz")
    found = scores(model)
    assert found["x"] == pytest.approx(1.0)
    assert found["a"] == pytest.approx(0.5)
    assert model.certainty("x", "a") is None
    assert rows(model)["x"].compared_with == 2
    assert {row.low for row in model.scores} == {None}, "they might have met others"
    assert rows(model)["a"].worst_rank == 6


def test_fixed_teams_have_the_mean_of_their_boards_and_no_interval() -> None:
    won = [((1, 2), 1)] * 4
    boards = [shares_of([("a", "b"), ("c", "d")], won, number) for number in range(12)]
    model = fit(boards, "abcd")
    assert scores(model) == {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}
    assert {
        (row.low, row.compared_with, row.best_rank, row.worst_rank) for row in model.scores
    } == {(None, 0, 1, 4)}


def test_a_cycle_has_equal_scores_and_interplay() -> None:
    won = [((1, 2), 1)] * 2
    boards = [
        shares_of([(one,), (other,)], won, 3 * number + place)
        for number in range(10)
        for place, (one, other) in enumerate(("ab", "bc", "ca"))
    ]
    model = fit(boards, "abc")
    assert {round(score, 9) for score in scores(model).values()} == {0.5}
    assert model.interplay == pytest.approx(0.5)


def certainties(model: BoardModel) -> Mapping[tuple[str, str], float | None]:
    """Return the certainty of all pairs."""
    return {pair: model.certainty(*pair) for pair in model.gaps}


def test_certainties_of_a_pair_add_up_to_1() -> None:
    found = certainties(fit(drawn_boards(FIELD, 60)))
    assert len(found) == 20
    for (one, other), value in found.items():
        reverse = found[other, one]
        assert value is not None
        assert reverse is not None
        assert value + reverse == pytest.approx(1)


def test_many_boards_tell_the_order() -> None:
    model = fit(drawn_boards(FIELD, 400))
    assert [row.bot for row in model.scores] == sorted(FIELD, reverse=True)
    assert [(row.best_rank, row.worst_rank) for row in model.scores] == [
        (k, k) for k in range(1, 6)
    ]
