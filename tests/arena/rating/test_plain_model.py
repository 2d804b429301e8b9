"""The scores against a slow and plain program, on boards of every shape."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.scores import BoardModel, fit_boards
from arena.rating.stop_rule import Looks
from tests.arena.rating.made_tables import shares_of
from tests.arena.rating.plain_model import Game, PlainBoard, PlainModel, plain_borders, plain_model

NAMES = "abcdef"
SHAPES = [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3)]
"""Bots on a side, and sides."""


def drawn(seed: int, boards: int, shapes: Sequence[tuple[int, int]], bots: int) -> list[PlainBoard]:
    """Return boards of drawn shapes, with ties, double weights and bots of different strength."""
    rng = random.Random(seed)
    luck = rng.choice((0, 1, 3))
    found = []
    for number in range(1, boards + 1):
        size, sides = rng.choice(shapes)
        table = rng.sample(NAMES[:bots], size * sides)
        groups = [tuple(table[k * size : (k + 1) * size]) for k in range(sides)]
        games = []
        for _ in range(size * sides):
            results = [
                sum(NAMES.index(name) // 2 + rng.randint(0, luck) for name in group)
                for group in groups
            ]
            ranks = [1 + sum(other > own for other in results) for own in results]
            games.append(Game(ranks, rng.choice((1, 1, 2))))
        found.append(PlainBoard(number, groups, games))
    return found


def fitted(names: str, boards: Sequence[PlainBoard]) -> BoardModel:
    """Return what the arena says."""
    shares = [shares_of(list(one.sides), list(one.games), one.number) for one in boards]
    return fit_boards(names, shares)


def assert_same(model: BoardModel, plain: PlainModel) -> None:
    """Compare all that is said."""
    assert {row.bot for row in model.scores} == set(plain.scores)
    for row in model.scores:
        assert row.score == pytest.approx(plain.scores[row.bot], abs=1e-9)
        interval = plain.intervals[row.bot]
        assert (row.low, row.high) == pytest.approx(interval or (None, None), abs=1e-9)
        assert (row.best_rank, row.worst_rank) == plain.ranks[row.bot]
    assert set(model.gaps) == set(plain.gaps)
    for pair, gap in model.gaps.items():
        assert tuple(gap) == pytest.approx(plain.gaps[pair], abs=1e-9)
    assert model.interplay**2 == pytest.approx(plain.interplay**2, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    boards=st.integers(1, 24),
    shapes=st.sampled_from([[shape] for shape in SHAPES] + [SHAPES[:3], SHAPES[2:4], SHAPES]),
    spare=st.integers(0, 2),
)
def test_it_says_what_the_plain_program_says(
    seed: int, boards: int, shapes: list[tuple[int, int]], spare: int
) -> None:
    bots = min(len(NAMES), max(size * sides for size, sides in shapes) + spare)
    found = drawn(seed, boards, shapes, bots)
    assert_same(fitted(NAMES[:bots], found), plain_model(NAMES[:bots], found))


def decided(number: int, *sides: str, weights: Sequence[int] = ()) -> PlainBoard:
    """Return a board on which sides are placed in this order from every seat."""
    count = sum(map(len, sides))
    ranks = range(1, len(sides) + 1)
    games = [Game(ranks, weight) for weight in weights or [1] * count]
    return PlainBoard(number, [tuple(side) for side in sides], games)


def tied(number: int, *sides: str) -> PlainBoard:
    """Return a board on which nothing is decided."""
    count = sum(map(len, sides))
    return PlainBoard(number, [tuple(side) for side in sides], [Game([1] * len(sides), 1)] * count)


def repeated(times: int, *boards: PlainBoard) -> list[PlainBoard]:
    """Return boards again and again, with new numbers."""
    return [board._replace(number=k) for k, board in enumerate(boards * times, 1)]


EDGES = {
    "two bots": repeated(4, decided(1, "a", "b"), decided(1, "a", "b"), decided(1, "b", "a")),
    "two bots, one board": [decided(1, "a", "b")],
    "two bots, always the same": repeated(9, decided(1, "a", "b")),
    "all tied": repeated(12, tied(1, "a", "b", "c")),
    "always the same": repeated(12, decided(1, "a", "b", "c")),
    "two groups": repeated(7, decided(1, "a", "b", "c"), tied(1, "d", "e"), decided(1, "c", "a")),
    "a board apart": [*repeated(9, decided(1, "a", "b"), tied(1, "b", "c")), decided(99, "d", "e")],
    "fixed teams": repeated(8, decided(1, "ab", "cd"), tied(1, "ab", "cd")),
    "one fixed team": repeated(
        5, decided(1, "ab", "cd"), decided(1, "cf", "ab"), tied(1, "ab", "df"), tied(1, "df", "ab")
    ),
    "fixed teams in two sizes": repeated(6, decided(1, "ab", "cd"), decided(1, "a", "e", "f")),
    "a cycle": repeated(10, decided(1, "a", "b"), decided(1, "b", "c"), decided(1, "c", "a")),
    "a chain": repeated(3, decided(1, "a", "b"), tied(1, "b", "c"), decided(1, "c", "d")),
    "one game counts twice": repeated(5, decided(1, "a", "b", weights=(2, 1)), tied(1, "b", "a")),
}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("absent", ["", "z"])
def test_it_says_the_same_of_edge_cases(name: str, absent: str) -> None:
    boards = EDGES[name]
    names = "".join(sorted({one for board in boards for one in board.names()})) + absent
    assert_same(fitted(names, boards), plain_model(names, boards))


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    portions=st.lists(st.integers(1, 12), min_size=1, max_size=4),
    shape=st.sampled_from(SHAPES[:4]),
    epsilon=st.sampled_from([0.05, 0.3, 0.9]),
)
def test_looks_say_what_the_plain_program_says(
    seed: int, portions: list[int], shape: tuple[int, int], epsilon: float
) -> None:
    boards = drawn(seed, sum(portions), [shape], 4)
    looks, plain = Looks(epsilon=epsilon), []
    for end in [sum(portions[: k + 1]) for k in range(len(portions))]:
        model = fitted(NAMES[:4], boards[:end])
        certificate = looks.look(model)
        plain.append(plain_model(NAMES[:4], boards[:end]))
    names = [row.bot for row in model.scores]
    assert [one.border for one in certificate.neighbours] == plain_borders(plain, names, epsilon)
