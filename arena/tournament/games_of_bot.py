"""List a bot's games in a run, including their results."""

from collections.abc import Iterator

import msgspec

from arena.base.record import GameRecord
from arena.contest.run_roster import Names
from arena.tournament.database import Database
from arena.tournament.display_names import names_of
from arena.tournament.finished_boards import finished_games
from arena.tournament.standings import variants_of_run
from engine import get_variant


class GameOfBot(msgspec.Struct, frozen=True):
    key: str
    title: str
    variant: str
    place: int
    sides: int
    points: int
    margin: int
    """Number of points by which the bot's side leads the best opposing side."""
    share: float
    """Fraction of opponents that the bot beat in the game. A tie counts as half."""
    against: tuple[str, ...]
    faults: tuple[str, ...]


def games_of_bot(store: Database, bot: str, variant: str = "") -> Iterator[GameOfBot]:
    """Yield the games of the bot with the given id, in one variant or in all variants.

    Raises:
        SettingsError: The variant is not part of the run.
    """
    names = names_of(store)
    variants = variants_of_run(store.settings(), [variant] if variant else ())
    for record, _ in finished_games(store):
        if record.variant in variants and bot in record.entrants:
            yield _result(record, bot, names)


def worst_first(game: GameOfBot) -> tuple[float, int]:
    return game.share, game.margin


def _result(record: GameRecord, bot: str, names: Names) -> GameOfBot:
    seat = record.entrants.index(bot)
    sides = get_variant(record.variant).sides
    others = [other for side in sides if seat not in side for other in side]
    rank, points = record.ranks[seat], record.points[seat]
    placed = [record.ranks[other] for other in others]
    before = sum([1.0 if rank < other else 0.5 if rank == other else 0.0 for other in placed])
    return GameOfBot(
        record.key,
        record.title,
        record.variant,
        rank,
        len(sides),
        points,
        points - max([record.points[other] for other in others]),
        before / len(others),
        tuple([names.shown(record.entrants[other]) for other in others]),
        tuple([fault.kind for fault in record.faults_of(seat)]),
    )
