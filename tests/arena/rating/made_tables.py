"""Boards for the tests of scores: made by hand, drawn at random, or read from the kept cases."""

import json
import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from arena.rating.complete_boards import BoardShares

CASES = Path(__file__).with_name("cases")


def read_case(name: str) -> Mapping[str, Any]:
    """Return a kept case: boards, and what must be said of them."""
    case: Mapping[str, Any] = json.loads((CASES / name).read_text("utf-8"))
    return case


def shares_of_case(board: Mapping[str, Any]) -> BoardShares:
    """Return the shares of a board of a case."""
    first = board["games"][0]["seats"]
    seats = board.get("sides") or [[seat] for seat in range(len(first))]
    sides = [tuple([first[seat] for seat in side]) for side in seats]
    games = [
        ([game["ranks"][game["seats"].index(side[0])] for side in sides], game.get("win_weight", 1))
        for game in board["games"]
    ]
    return shares_of(sides, games, board["board"], board["variant"])


def shares_of(
    sides: Sequence[tuple[str, ...]],
    games: Sequence[tuple[Sequence[int], int]],
    number: int = 1,
    variant: str = "made/up",
) -> BoardShares:
    """Return the shares of a board with the ranks of its sides in each game, and its win weight."""
    before = [[0] * len(sides) for _ in sides]
    for ranks, weight in games:
        for one, other in combinations(range(len(sides)), 2):
            if ranks[one] == ranks[other]:
                before[one][other] += weight
                before[other][one] += weight
            elif ranks[one] < ranks[other]:
                before[one][other] += 2 * weight
            else:
                before[other][one] += 2 * weight
    whole = 2 * sum(weight for _, weight in games)
    return BoardShares(variant, number, tuple(sides), tuple(map(tuple, before)), whole)


def drawn_boards(
    strengths: Mapping[str, float],
    boards: int,
    *,
    seats: int = 3,
    team_size: int = 1,
    seed: int = 1,
) -> list[BoardShares]:
    """Return boards at which each bot's strength and its luck are added in each game.

    Luck is drawn for each game, an integer below 4, so ties occur.
    """
    rng = random.Random(seed)
    names = sorted(strengths)
    found = []
    for number in range(1, boards + 1):
        table = rng.sample(names, seats)
        sides = [tuple(table[first :: seats // team_size]) for first in range(seats // team_size)]
        games = []
        for _ in range(seats):
            results = [sum(strengths[name] + rng.randrange(4) for name in side) for side in sides]
            games.append(
                ([1 + sum(b > a for b in results) for a in results], rng.choice((1, 1, 2)))
            )
        found.append(shares_of(sides, games, number))
    return found
