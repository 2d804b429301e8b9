"""List the games of a bot in a run, with results."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from arena.base.record import GameRecord
from arena.tournament.database import Database
from arena.tournament.display_names import names_of
from arena.tournament.finished_boards import finished_games
from engine import get_variant


class GameFilter(NamedTuple):
    bot: str
    variant: str = ""
    """Id of a variant. Empty for all variants."""
    only_lost: bool = False
    """Whether to yield only games in which another side finished ahead."""


class GameOfBot(msgspec.Struct, frozen=True):
    key: str
    title: str
    variant: str
    seat: int
    place: int
    """The bot's place, from 1. Tied sides share a place."""
    sides: int
    points: int
    margin: int
    """The points of the bot's side minus the points of the best other side."""
    share: float
    """Share of the other sides that the bot beat in the game, from 0 to 1. A tie counts as half."""
    against: tuple[str, ...]
    faults: tuple[str, ...]


def games_of_bot(store: Database, wanted: GameFilter) -> Iterator[GameOfBot]:
    names = names_of(store)
    for record, _ in finished_games(store):
        if wanted.variant not in ("", record.variant) or wanted.bot not in record.entrants:
            continue
        others = opposing_seats(record, record.entrants.index(wanted.bot))
        result = _result(record, wanted.bot, others)
        if result.place > 1 or not wanted.only_lost:
            against = tuple([names.shown(record.entrants[seat]) for seat in others])
            yield msgspec.structs.replace(result, against=against)


def worst_first(game: GameOfBot) -> tuple[float, int]:
    return game.share, game.margin


def opposing_seats(record: GameRecord, seat: int) -> list[int]:
    sides = get_variant(record.variant).sides
    return [other for side in sides if seat not in side for other in side]


def _result(record: GameRecord, bot: str, others: list[int]) -> GameOfBot:
    seat = record.entrants.index(bot)
    rank, points = record.ranks[seat], record.points[seat]
    placed = [record.ranks[other] for other in others]
    before = sum([1.0 if rank < other else 0.5 if rank == other else 0.0 for other in placed])
    return GameOfBot(
        record.key,
        record.title,
        record.variant,
        seat,
        rank,
        len(get_variant(record.variant).sides),
        points,
        points - max([record.points[other] for other in others]),
        before / len(others),
        (),
        tuple([fault.kind for fault in record.faults_of(seat)]),
    )
