"""The result of a game as data: what each side has, column by column, and how it ranks [10.2].

`areas[seat]` is the list of cards that a seat has taken, `treasure[seat]` its number of won gems.
How points come about is in `tally`.
"""

from collections.abc import Sequence

import msgspec

from engine.pot_de_vin.cards import (
    BONUS,
    GUILDS,
    JOKER,
    KIND,
    PENALTY,
    POT_DE_VIN,
    in_order,
)
from engine.pot_de_vin.tally import (
    COLUMN_POINTS,
    POT_DE_VIN_POINTS,
    UNSCORED,
    best_rows,
    place_jokers,
    rank_sides,
    score,
    tally,
)


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


def standing(
    seats: Sequence[int], areas: Sequence[Sequence[str]], treasure: Sequence[int]
) -> Standing:
    """Return the key of the side of these seats if the game ended now [8]."""
    return Standing(*score([tally(areas[seat], treasure[seat]) for seat in seats]))


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
    for seat, own, row in zip(seats, tallies, best_rows(tallies)[1], strict=True):
        joined = place_jokers(row, own[JOKER])
        for guild, name in enumerate(GUILDS):
            if row[guild] and row[guild] != UNSCORED:
                symbols = row[guild] + (guild in joined)
                guilds[name] = Column(seat, symbols, guild in joined, COLUMN_POINTS[symbols])
        # The joker cards in order go to the guilds in order; the rest are discarded [R21].
        cards = in_order([card for card in areas[seat] if KIND[card] == JOKER])
        for card, guild in zip(cards, sorted(joined), strict=False):
            jokers.append(Joker(card, seat, GUILDS[guild], row[guild] != UNSCORED))
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
