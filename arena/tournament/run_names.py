"""What is read of a run by people, with the names of the students in place of their ids.

Everything is computed with ids. These functions are applied to results, just before they are shown.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from arena.contest.run_roster import Names, RunStudent, read_run_roster
from arena.rating.certificate import Certificate
from arena.rating.columns import LeaderboardRow
from arena.rating.pairs import Pair, PairGap
from arena.rating.trueskill import RatingSnapshot
from arena.record import GameRecord
from arena.tournament.database import Database
from arena.tournament.run_leaderboard import RunLeaderboard
from arena.tournament.settings import Settings
from arena.tournament.store import Store


def names_of(store: Database) -> Names:
    """Return the names of the bots of a run, or of an exported file.

    Raises:
        StoreError: the roster of the run cannot be read.
    """
    ids = [one.name for one in store.settings(Settings).entrants]
    if isinstance(store, Store):
        return Names(ids, read_run_roster(store.folder).students)
    return Names(ids, [RunStudent(one, name) for one, name in store.display_names.items()])


def display_names_of(store: Database) -> dict[str, str]:
    """Return by id the names of the bots that are shown by another name than their id.

    Raises:
        StoreError: the roster of the run cannot be read.
    """
    names = names_of(store)
    ids = [one.name for one in store.settings(Settings).entrants]
    return {one: names.shown(one) for one in ids if names.shown(one) != one}


def named_board(board: RunLeaderboard, names: Names) -> RunLeaderboard:
    """Return a leaderboard with names. Its rows keep their order."""
    if names.is_plain:
        return board
    certificates = board.certificate
    if certificates is not msgspec.UNSET:
        certificates = {table: _certificate(one, names) for table, one in certificates.items()}
    return replace(
        board,
        overall=_rows(board.overall, names),
        variants={variant: _rows(rows, names) for variant, rows in board.variants.items()},
        certificate=certificates,
    )


def named_pairs(pairs: Iterable[Pair], names: Names) -> list[Pair]:
    """Return results against each other with names."""
    return [
        replace(one, bot=names.shown(one.bot), opponent=names.shown(one.opponent)) for one in pairs
    ]


def named_gap(gap: PairGap, names: Names) -> PairGap:
    """Return the gap between two bots with names."""
    first, second = [replace(one, bot=names.shown(one.bot)) for one in gap.bots]
    return replace(gap, bots=(first, second))


def named_course(course: Iterable[RatingSnapshot], names: Names) -> list[RatingSnapshot]:
    """Return the course of ratings with names."""
    return [
        replace(one, ratings={names.shown(bot): rating for bot, rating in one.ratings.items()})
        for one in course
    ]


def named_record(record: GameRecord, names: Names) -> GameRecord:
    """Return a record with names, to be shown and not to be stored."""
    if names.is_plain:
        return record
    return replace(record, entrants=tuple(map(names.shown, record.entrants)))


def _rows(rows: Sequence[LeaderboardRow], names: Names) -> tuple[LeaderboardRow, ...]:
    return tuple(
        [replace(row, bot=names.shown(row.bot), certainty=_certainty(row, names)) for row in rows]
    )


def _certainty(row: LeaderboardRow, names: Names) -> dict[str, float]:
    return {names.shown(other): certainty for other, certainty in row.certainty.items()}


def _certificate(one: Certificate, names: Names) -> Certificate:
    neighbours = [
        replace(two, better=names.shown(two.better), worse=names.shown(two.worse))
        for two in one.neighbours
    ]
    return replace(one, neighbours=tuple(neighbours))
