"""Scores of boards that are hard to fit: ties, groups that never meet, teams that never part.

`cases/edges.json` has what is said of each, computed by a program in fractions that was written
from `docs/ratings.md`.
"""

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from arena.rating.complete_boards import BoardShares
from arena.rating.scores import fit_boards
from tests.arena.rating.made_tables import read_case, shares_of

NAMES = "abcdef"
SHAPES = [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3)]
"""Bots on a side, and sides."""


def drawn(
    seed: int, boards: int, shapes: Sequence[tuple[int, int]], bots: int
) -> list[BoardShares]:
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
            games.append((ranks, rng.choice((1, 1, 2))))
        found.append(shares_of(groups, games, number))
    return found


def decided(*sides: str, weights: Sequence[int] = ()) -> BoardShares:
    """Return a board on which sides are placed in this order from every seat."""
    games = [(range(1, len(sides) + 1), weight) for weight in weights or [1] * len("".join(sides))]
    return shares_of([tuple(side) for side in sides], games)


def tied(*sides: str) -> BoardShares:
    """Return a board on which nothing is decided."""
    games = [([1] * len(sides), 1)] * len("".join(sides))
    return shares_of([tuple(side) for side in sides], games)


def repeated(times: int, *boards: BoardShares) -> list[BoardShares]:
    """Return boards again and again, with new numbers."""
    return [board._replace(number=k) for k, board in enumerate(boards * times, 1)]


EDGES = {
    "two bots": repeated(4, decided("a", "b"), decided("a", "b"), decided("b", "a")),
    "two bots, one board": [decided("a", "b")],
    "two bots, always the same": repeated(9, decided("a", "b")),
    "all tied": repeated(12, tied("a", "b", "c")),
    "always the same": repeated(12, decided("a", "b", "c")),
    "two groups": repeated(7, decided("a", "b", "c"), tied("d", "e"), decided("c", "a")),
    "a board apart": repeated(1, *[decided("a", "b"), tied("b", "c")] * 9, decided("d", "e")),
    "fixed teams": repeated(8, decided("ab", "cd"), tied("ab", "cd")),
    "one fixed team": repeated(
        5, decided("ab", "cd"), decided("cf", "ab"), tied("ab", "df"), tied("df", "ab")
    ),
    "fixed teams in two sizes": repeated(6, decided("ab", "cd"), decided("a", "e", "f")),
    "a cycle": repeated(10, decided("a", "b"), decided("b", "c"), decided("c", "a")),
    "a chain": repeated(3, decided("a", "b"), tied("b", "c"), decided("c", "d")),
    "one game counts twice": repeated(5, decided("a", "b", weights=(2, 1)), tied("b", "a")),
    "drawn, all shapes": drawn(1, 24, SHAPES, 6),
    "drawn, teams": drawn(2, 12, SHAPES[3:4], 5),
    "drawn, few": drawn(3, 3, SHAPES[:3], 5),
    "drawn, duels": drawn(4, 20, SHAPES[:1], 4),
}


@pytest.mark.parametrize("name", EDGES)
def test_edge_cases_match_the_specification(name: str) -> None:
    """A bot without a board, z, changes nothing for the others but their ranks."""
    boards = EDGES[name]
    names = {bot for board in boards for side in board.sides for bot in side}
    for absent, expected in read_case("edges.json")[name].items():
        model = fit_boards([*names, *absent], boards)
        rows = {row.bot: row for row in model.scores}
        assert rows.keys() == expected["rows"].keys()
        for bot, (score, low, high, best, worst) in expected["rows"].items():
            row = rows[bot]
            assert (row.score, row.low, row.high) == pytest.approx((score, low, high), abs=1e-9)
            assert (row.best_rank, row.worst_rank) == (best, worst)
        pairs = {pair: model.gaps.get(*pair) for pair in permutations(names | {*absent}, 2)}
        gaps = {" ".join(pair): tuple(gap) for pair, gap in pairs.items() if gap}
        assert gaps.keys() == expected["gaps"].keys()
        for pair, gap in gaps.items():
            assert gap == pytest.approx(expected["gaps"][pair], abs=1e-9)
        assert model.interplay**2 == pytest.approx(expected["interplay"] ** 2, abs=1e-12)
