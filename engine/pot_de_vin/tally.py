"""What a tally is worth, and who is ahead of whom [7, 8]; every playout asks this at its end.

A tally counts the cards that a seat has taken, and its won gems, by kind (see `cards`); its first
six numbers are the symbols in the seat's guild columns.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final

from engine.pot_de_vin.cards import (
    BONUS,
    GEM,
    GUILDS,
    JOKER,
    KIND,
    KINDS,
    PENALTY,
    POT_DE_VIN,
)

COLUMN_POINTS: Final = (0, 1, 3, 6, -1, -3, -6, 10, 15)
"""By number of symbols in a column [7.1]."""
POT_DE_VIN_POINTS: Final = (0, -1, -3, -6, 10)
"""By number of Pot de Vin cards of one seat [7.4]."""

UNSCORED: Final = len(COLUMN_POINTS)
"""Stands in a row for a column of a teammate that is not scored [R28]."""
_POINTS: Final = [*COLUMN_POINTS, 0]
_GAINS: Final = [*[more - less for less, more in pairwise(COLUMN_POINTS)], 0, 0]
"""What a joker is worth, by number of symbols; no column has 8 without one."""
_GUILDS: Final = range(len(GUILDS))

Tally = list[int]
Row = list[int]
"""The columns of a seat, by guild: the number of natural symbols, or `UNSCORED`."""
Key = tuple[int, int, int]
"""The key by which sides are ranked, the greater the better: points, cards, gems [8]."""


def tally(cards: Iterable[str], gems: int = 0) -> Tally:
    """Return how many of each kind there are, by kind."""
    counts = [0] * KINDS
    counts[GEM] = gems
    for card in cards:
        counts[KIND[card]] += 1
    return counts


def place_jokers(row: Row, jokers: int) -> list[int]:
    """Return the guilds that get a seat's jokers, one each, as many as can be placed [7.2, R20]."""
    columns = [guild for guild in _GUILDS if row[guild]]
    # A stable sort: of equal gains the first in guild order comes first [R21].
    columns.sort(key=lambda guild: -_GAINS[row[guild]])
    return columns[:jokers]


def _row_points(row: Row, jokers: int) -> int:
    """Return what the columns of a seat are worth with its jokers placed best [7.1, 7.2]."""
    points = 0
    for symbols in row:
        points += _POINTS[symbols]
    if jokers:
        gains = [_GAINS[symbols] for symbols in row if symbols]
        gains.sort()
        for gain in gains[-jokers:]:
            points += gain
    return points


def _pair_points(rows: list[Row], lower: Tally, higher: Tally) -> int:
    return _row_points(rows[0], lower[JOKER]) + _row_points(rows[1], higher[JOKER])


def best_rows(tallies: list[Tally]) -> tuple[int, list[Row]]:
    """Return the points of a side's columns, and the row of each of its seats.

    Teammates score one column of each guild, that with fewer symbols; of equal ones they choose
    what is best for them [7.3]. Of equally good choices the first one is returned.
    """
    if len(tallies) == 1:
        own = tallies[0]
        row = own[:JOKER]
        return _row_points(row, own[JOKER]), [row]
    lower, higher = tallies
    rows = [lower[:JOKER], higher[:JOKER]]
    tied: list[int] = []
    for guild in _GUILDS:
        low, high = lower[guild], higher[guild]
        if low and high:
            if low == high:
                tied.append(guild)
                rows[1][guild] = UNSCORED
            elif low < high:
                rows[1][guild] = UNSCORED
            else:
                rows[0][guild] = UNSCORED
    points = _pair_points(rows, lower, higher)
    if not tied or not (lower[JOKER] or higher[JOKER]):
        return points, rows  # only jokers make a difference between columns that are tied
    tied.reverse()  # so the first guild is the slowest to change from choice to choice
    best, best_choice = points, rows
    for choice in range(1, 1 << len(tied)):  # bit by bit: which of the two is scored
        rows = [rows[0].copy(), rows[1].copy()]
        for place, guild in enumerate(tied):
            scored = choice >> place & 1
            rows[scored][guild] = lower[guild]
            rows[1 - scored][guild] = UNSCORED
        points = _pair_points(rows, lower, higher)
        if points > best:
            best, best_choice = points, rows
    return best, best_choice


def score(tallies: list[Tally]) -> Key:
    """Return the key of a side from the tallies of its seats [8]."""
    points, _ = best_rows(tallies)
    cards = gems = 0
    for own in tallies:
        points += 2 * (own[BONUS] - own[PENALTY]) + POT_DE_VIN_POINTS[own[POT_DE_VIN]]
        cards += sum(own) - own[GEM]
        gems += own[GEM]
        jokers = own[JOKER]
        if jokers:  # a joker without a column is discarded and no longer the seat's [R25]
            columns = len(GUILDS) - own[:JOKER].count(0)
            cards -= max(0, jokers - columns)
    return points + gems, cards, gems


def rank_sides(keys: list[Any]) -> list[int]:
    """Return the rank of each side: 1 + the number of sides with a greater key [R27]."""
    best_first = sorted(keys, reverse=True)
    return [1 + best_first.index(key) for key in keys]
