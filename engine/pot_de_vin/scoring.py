"""What the cards that a side has taken are worth, and who is ahead of whom [7, 8].

`areas[seat]` is the list of cards that a seat has taken, `treasure[seat]` its number of won gems.
A tally counts the cards of an area by kind (see `cards`); its first six numbers are the symbols
in the seat's guild columns.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product

import msgspec

from engine.pot_de_vin.cards import (
    BONUS,
    GEM,
    GUILDS,
    JOKER,
    KIND,
    PENALTY,
    POT_DE_VIN,
    in_order,
    tally,
)

COLUMN_POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 15)
"""By number of symbols in a column [7.1]."""
POT_DE_VIN_POINTS = (0, -1, -3, -6, 10)
"""By number of Pot de Vin cards of one seat [7.4]."""

_UNSCORED = len(COLUMN_POINTS)
"""Stands in a row for a column of a teammate that is not scored [R28]."""
_POINTS = (*COLUMN_POINTS, 0)
_GAINS = (*(more - less for less, more in pairwise(COLUMN_POINTS)), 0, 0)
"""What a joker is worth, by number of symbols; no column has 8 without one."""
_GUILDS = range(len(GUILDS))
_Row = Sequence[int]
"""The columns of a seat, by guild: the number of natural symbols, or `_UNSCORED`."""


class Column(msgspec.Struct, frozen=True):
    """A scored column: its owner, its symbols with the joker, whether there is one, its points."""

    seat: int
    symbols: int
    joker: bool
    points: int


class Joker(msgspec.Struct, frozen=True):
    """Where a joker went: `guild` is None when it was discarded [7.2]."""

    card: str
    seat: int
    guild: str | None
    scored: bool
    """Whether it lies on a scored column."""


class Standing(msgspec.Struct, frozen=True, order=True):
    """The key by which sides are ranked, the greater the better [8]."""

    points: int
    cards: int
    gems: int


class Side(msgspec.Struct, frozen=True):
    """The result of one side [10.2]."""

    seats: tuple[int, ...]
    points: int
    cards: int
    gems: int
    rank: int
    guilds: dict[str, Column]
    bonus: int
    penalty: int
    pot_de_vin: int
    jokers: tuple[Joker, ...]


class Result(msgspec.Struct, frozen=True):
    """The result of a game [10.2]: the sides, `ranks[seat]`, and the seats with rank 1."""

    teams: tuple[Side, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]


def _best_jokers(row: _Row, jokers: int) -> list[int]:
    """Return the guilds that get a seat's jokers, one each, as many as can be placed [7.2, R20]."""
    columns = [guild for guild in _GUILDS if row[guild]]
    # A stable sort: of equal gains the first in guild order comes first [R21].
    columns.sort(key=lambda guild: -_GAINS[row[guild]])
    return columns[:jokers]


@cache
def _row_points(row: tuple[int, ...], jokers: int) -> int:
    """Return what the columns of a seat are worth with its jokers placed best [7.1, 7.2].

    The order of the columns does not matter. Sorted rows are so few that all can be remembered.
    """
    gains = sorted([_GAINS[symbols] for symbols in row if symbols], reverse=True)
    return sum([_POINTS[symbols] for symbols in row]) + sum(gains[:jokers])


def _team_rows(lower: Sequence[int], higher: Sequence[int]) -> Iterator[tuple[_Row, _Row]]:
    """Yield the rows of two teammates for each allowed choice of the scored columns [7.3]."""
    rows = list(lower[: len(_GUILDS)]), list(higher[: len(_GUILDS)])
    tied = []
    for guild in _GUILDS:
        low, high = lower[guild], higher[guild]
        if low and high:
            if low == high:
                tied.append(guild)
            else:
                rows[low < high][guild] = _UNSCORED
    for choice in product((0, 1), repeat=len(tied)):
        for guild, scored in zip(tied, choice, strict=True):
            rows[scored][guild] = lower[guild]
            rows[not scored][guild] = _UNSCORED
        yield tuple(rows[0]), tuple(rows[1])


def _best_rows(tallies: Sequence[Sequence[int]]) -> tuple[int, Sequence[_Row]]:
    """Return the points of a side's columns, and the row of each of its seats.

    Of equally good choices the first one is returned.
    """
    if len(tallies) == 1:
        row = tallies[0][:JOKER]
        return _row_points(tuple(sorted(row)), tallies[0][JOKER]), (row,)
    lower, higher = tallies
    best: tuple[int, Sequence[_Row]] | None = None
    for rows in _team_rows(lower, higher):
        points = _row_points(tuple(sorted(rows[0])), lower[JOKER])
        points += _row_points(tuple(sorted(rows[1])), higher[JOKER])
        if best is None or points > best[0]:
            best = (points, rows)
        if not lower[JOKER] and not higher[JOKER]:
            break  # only jokers make a difference between columns that are tied
    assert best is not None, "there is always a choice"
    return best


def score(tallies: Sequence[Sequence[int]]) -> Standing:
    """Return the key of a side from the tallies of its seats [8]."""
    points, _ = _best_rows(tallies)
    cards = gems = 0
    for own in tallies:
        points += 2 * (own[BONUS] - own[PENALTY]) + POT_DE_VIN_POINTS[own[POT_DE_VIN]]
        cards += sum(own) - own[GEM]
        gems += own[GEM]
        if own[JOKER]:  # a joker without a column is discarded and no longer the seat's [R25]
            columns = len(_GUILDS) - own[:JOKER].count(0)
            cards -= max(0, own[JOKER] - columns)
    return Standing(points + gems, cards, gems)


def standing(
    seats: Sequence[int], areas: Sequence[Sequence[str]], treasure: Sequence[int]
) -> Standing:
    """Return the key of the side of these seats if the game ended now [8]."""
    return score([tally(areas[seat], treasure[seat]) for seat in seats])


def rank_sides(standings: Sequence[Standing]) -> list[int]:
    """Return the rank of each side: 1 + the number of sides with a greater key [R27]."""
    best_first = sorted(standings, reverse=True)
    return [1 + best_first.index(key) for key in standings]


def describe(
    sides: Sequence[tuple[int, ...]], areas: Sequence[Sequence[str]], treasure: Sequence[int]
) -> Result:
    """Return the whole result of a finished game [10.2]."""
    standings = [standing(seats, areas, treasure) for seats in sides]
    side_ranks = rank_sides(standings)
    ranks = tuple([side_ranks[seat % len(sides)] for seat in range(len(areas))])
    return Result(
        teams=tuple(
            [_describe_side(*row, areas) for row in zip(sides, standings, side_ranks, strict=True)]
        ),
        ranks=ranks,
        winners=tuple([seat for seat, rank in enumerate(ranks) if rank == 1]),
    )


def _describe_side(
    seats: tuple[int, ...], standing: Standing, rank: int, areas: Sequence[Sequence[str]]
) -> Side:
    tallies = [tally(areas[seat]) for seat in seats]
    guilds: dict[str, Column] = {}
    jokers: list[Joker] = []
    for seat, own, row in zip(seats, tallies, _best_rows(tallies)[1], strict=True):
        joined = _best_jokers(row, own[JOKER])
        for guild in _GUILDS:
            if row[guild] and row[guild] != _UNSCORED:
                symbols = row[guild] + (guild in joined)
                guilds[GUILDS[guild]] = Column(
                    seat, symbols, guild in joined, COLUMN_POINTS[symbols]
                )
        # The joker cards in order go to the guilds in order; the rest are discarded [R21].
        cards = in_order([card for card in areas[seat] if KIND[card] == JOKER])
        for card, guild in zip(cards, sorted(joined), strict=False):
            jokers.append(Joker(card, seat, GUILDS[guild], row[guild] != _UNSCORED))
        jokers += [Joker(card, seat, None, False) for card in cards[len(joined) :]]
    return Side(
        seats=seats,
        points=standing.points,
        cards=standing.cards,
        gems=standing.gems,
        rank=rank,
        guilds={guild: guilds[guild] for guild in GUILDS if guild in guilds},
        bonus=2 * sum([own[BONUS] for own in tallies]),
        penalty=-2 * sum([own[PENALTY] for own in tallies]),
        pot_de_vin=sum([POT_DE_VIN_POINTS[own[POT_DE_VIN]] for own in tallies]),
        jokers=tuple(jokers),
    )
