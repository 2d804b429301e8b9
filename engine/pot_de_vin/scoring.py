"""What the cards that a side has taken are worth, and who is ahead of whom [7, 8].

`areas[seat]` is the list of cards that a seat has taken, `treasure[seat]` its number of won gems.
A tally counts the cards of an area by kind (see `cards`); its first six numbers are the symbols
in the seat's guild columns.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

import msgspec

from engine.pot_de_vin.cards import (
    BONUS,
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

_GAINS = tuple(more - less for less, more in zip(COLUMN_POINTS, COLUMN_POINTS[1:], strict=False))
"""What one more symbol is worth, by number of symbols."""
_GUILDS = tuple(range(len(GUILDS)))
_Live = tuple[Sequence[int], ...]
"""By seat of a side: the guilds whose column is scored there, if there is one."""


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


class Standing(msgspec.Struct, frozen=True):
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


def _best_jokers(symbols: Sequence[int], jokers: int, live: Collection[int]) -> list[int]:
    """Return the guilds that get a seat's jokers, one each, as many as can be placed [7.2, R20].

    `live` are the guilds whose column is scored; a joker elsewhere is worth nothing [R30].
    """
    columns = [guild for guild in _GUILDS if symbols[guild]]
    # A stable sort: of equal gains the first in guild order comes first [R21].
    columns.sort(key=lambda guild: -_GAINS[symbols[guild]] if guild in live else 0)
    return columns[:jokers]


def _seat_points(symbols: Sequence[int], jokers: int, live: Collection[int]) -> int:
    """Return what the live columns of a seat are worth with its jokers placed best."""
    points = sum([COLUMN_POINTS[symbols[guild]] for guild in live])
    if jokers:
        gains = [
            _GAINS[symbols[guild]] if guild in live else 0 for guild in _GUILDS if symbols[guild]
        ]
        gains.sort(reverse=True)
        points += sum(gains[:jokers])
    return points


def _live_choices(lower: Sequence[int], higher: Sequence[int]) -> Iterator[_Live]:
    """Yield each allowed choice of the columns of two teammates that are scored [7.3]."""
    low = [guild for guild in _GUILDS if 0 < lower[guild] and not 0 < higher[guild] < lower[guild]]
    high = [
        guild for guild in _GUILDS if 0 < higher[guild] and not 0 < lower[guild] <= higher[guild]
    ]
    tied = [guild for guild in low if lower[guild] == higher[guild]]
    if not tied:
        yield low, high
        return
    low = [guild for guild in low if guild not in tied]
    for choice in product((0, 1), repeat=len(tied)):
        moved = [guild for guild, place in zip(tied, choice, strict=True) if place]
        kept = [guild for guild, place in zip(tied, choice, strict=True) if not place]
        yield low + kept, high + moved


def _best_live(tallies: Sequence[Sequence[int]]) -> tuple[int, _Live]:
    """Return the points of a side's columns, and the scored guilds of each of its seats [7.3].

    Of equally good choices the first one is returned.
    """
    if len(tallies) == 1:
        return _seat_points(tallies[0], tallies[0][JOKER], _GUILDS), (_GUILDS,)
    best: tuple[int, _Live] | None = None
    for live in _live_choices(*tallies):
        points = sum(
            [
                _seat_points(own, own[JOKER], scored)
                for own, scored in zip(tallies, live, strict=True)
            ]
        )
        if best is None or points > best[0]:
            best = (points, live)
    assert best is not None, "there is always a choice"
    return best


def standing(
    seats: Sequence[int], areas: Sequence[Sequence[str]], treasure: Sequence[int]
) -> Standing:
    """Return the key of the side of these seats if the game ended now [8]."""
    tallies = [tally(areas[seat]) for seat in seats]
    points, _ = _best_live(tallies)
    cards = gems = 0
    for seat, own in zip(seats, tallies, strict=True):
        points += 2 * (own[BONUS] - own[PENALTY]) + POT_DE_VIN_POINTS[own[POT_DE_VIN]]
        cards += len(areas[seat])
        gems += treasure[seat]
        if own[JOKER]:  # a joker without a column is discarded and no longer the seat's [R25]
            columns = len(_GUILDS) - own[: len(_GUILDS)].count(0)
            cards -= max(0, own[JOKER] - columns)
    return Standing(points + gems, cards, gems)


def rank_sides(standings: Sequence[Standing]) -> list[int]:
    """Return the rank of each side: 1 + the number of sides with a greater key [R27]."""
    keys = [(one.points, one.cards, one.gems) for one in standings]
    return [1 + sum([other > key for other in keys]) for key in keys]


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
    for seat, own, live in zip(seats, tallies, _best_live(tallies)[1], strict=True):
        joined = _best_jokers(own, own[JOKER], live)
        for guild in live:
            if own[guild]:
                symbols = own[guild] + (guild in joined)
                guilds[GUILDS[guild]] = Column(
                    seat, symbols, guild in joined, COLUMN_POINTS[symbols]
                )
        # The joker cards in order go to the guilds in order; the rest are discarded [R21].
        cards = in_order([card for card in areas[seat] if KIND[card] == JOKER])
        for card, guild in zip(cards, sorted(joined), strict=False):
            jokers.append(Joker(card, seat, GUILDS[guild], guild in live))
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
