"""Build the result of a finished game of Pot de Vin [10.2]."""

from collections.abc import Iterable, Sequence

import msgspec

from engine.pot_de_vin.cards import (
    BONUS,
    GEM_TALLY,
    GUILDS,
    JOKER,
    KIND,
    PENALTY,
    POT_DE_VIN,
    TALLY,
    in_order,
)
from engine.pot_de_vin.scoring import (
    COLUMN_POINTS,
    POT_DE_VIN_POINTS,
    UNSCORED,
    Score,
    Tally,
    choose_columns,
    columns_of,
    count,
    place_jokers,
    score_side,
)
from engine.state import rank


class Column(msgspec.Struct, frozen=True):
    """A guild column. The number of symbols includes the joker."""

    seat: int
    symbols: int
    joker: bool
    points: int


class Joker(msgspec.Struct, frozen=True):
    """A joker and the guild to which it was added, or None if the joker was discarded [7.2]."""

    card: str
    seat: int
    guild: str | None
    scored: bool


class SideScore(msgspec.Struct, frozen=True):
    """The score of a side [8]."""

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
    teams: tuple[Side, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]


def tally(cards: Iterable[str], gems: int = 0) -> Tally:
    return sum([TALLY[card] for card in cards]) + gems * GEM_TALLY


def describe(
    sides: Sequence[tuple[int, ...]], areas: Sequence[Sequence[str]], treasure: Sequence[int]
) -> Result:
    """Return the result of a game, given the cards and gems that each seat won [10.2]."""
    tallies = [tally(*won) for won in zip(areas, treasure, strict=True)]
    scores = [score_side([tallies[seat] for seat in seats]) for seats in sides]
    side_ranks = rank(scores)
    ranks = tuple([side_ranks[seat % len(sides)] for seat in range(len(areas))])
    rows = zip(sides, scores, side_ranks, strict=True)
    return Result(
        teams=tuple([_describe_side(*row, areas, tallies) for row in rows]),
        ranks=ranks,
        winners=tuple([seat for seat, place in enumerate(ranks) if place == 1]),
    )


def _describe_side(
    seats: tuple[int, ...],
    score: Score,
    place: int,
    areas: Sequence[Sequence[str]],
    tallies_by_seat: Sequence[Tally],
) -> Side:
    tallies = [tallies_by_seat[seat] for seat in seats]
    points, cards, gems = score
    guilds: dict[str, Column] = {}
    jokers: list[Joker] = []
    chosen = choose_columns(*tallies)[1:] if len(seats) > 1 else [columns_of(tallies[0])]
    for seat, own, columns in zip(seats, tallies, chosen, strict=True):
        joined = place_jokers(columns, count(own, JOKER))
        for guild, symbols in enumerate(columns):
            if symbols and symbols != UNSCORED:
                joker = guild in joined
                points_of_column = COLUMN_POINTS[symbols + joker]
                guilds[GUILDS[guild]] = Column(seat, symbols + joker, joker, points_of_column)
        # Assign the joker cards to the guilds in order, and discard the rest [R21].
        won = in_order([card for card in areas[seat] if KIND[card] == JOKER])
        for card, guild in zip(won, sorted(joined), strict=False):
            jokers.append(Joker(card, seat, GUILDS[guild], columns[guild] != UNSCORED))
        jokers += [Joker(card, seat, None, False) for card in won[len(joined) :]]
    return Side(
        seats=seats,
        points=points,
        cards=cards,
        gems=gems,
        rank=place,
        guilds={guild: guilds[guild] for guild in GUILDS if guild in guilds},
        bonus=2 * sum([count(own, BONUS) for own in tallies]),
        penalty=-2 * sum([count(own, PENALTY) for own in tallies]),
        pot_de_vin=sum([POT_DE_VIN_POINTS[count(own, POT_DE_VIN)] for own in tallies]),
        jokers=tuple(jokers),
    )
