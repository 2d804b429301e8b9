"""The versions of a bot, with the rating of each when it last played."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from arena.contest.arrivals import Attempt, read_attempts
from arena.contest.bot_files import versions
from arena.extras.serve.server_database import ServerDatabase
from arena.rating.columns import LeaderboardRow


class VersionRating(NamedTuple):
    """The rank and rating of a version when it last played."""

    rank: int
    best_rank: int
    worst_rank: int
    rating: float
    score: float | None
    games: int
    faults: int
    at: float
    """When that was, in seconds since 1970."""


class BotVersion(NamedTuple):
    """A version of a bot."""

    number: int
    came: datetime | None
    """When it was submitted; None if the log does not say."""
    file: str
    is_late: bool
    same_as: int
    """The number of the first version with the same code; its own if it is the first."""
    is_newest: bool
    """Whether it is the one that plays."""
    rating: VersionRating | None
    """None before its first complete board."""


_COLUMNS = ", ".join(VersionRating._fields)


def note_ratings(
    database: ServerDatabase,
    rows: Sequence[LeaderboardRow],
    fingerprints: Mapping[str, str],
    at: float,
) -> None:
    """Store the ranks and ratings of the versions that play now.

    Args:
        database: the database of the server.
        rows: the overall table of the leaderboard.
        fingerprints: by bot, the digest of the code that plays.
        at: the time, in seconds since 1970.
    """
    noted = [
        [
            *(row.bot, fingerprints[row.bot], row.rank, row.best_rank, row.worst_rank),
            *(row.rating, row.score, row.games, row.faults, at),
        ]
        for row in rows
        if row.games and row.bot in fingerprints
    ]
    with database.transaction() as connection:
        connection.executemany(
            "INSERT OR REPLACE INTO version_ratings "
            f"(bot, fingerprint, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            noted,
        )


def version_history(database: ServerDatabase, submissions: Path, bot: str) -> list[BotVersion]:
    """Return the versions of a bot, newest first.

    Args:
        database: the database of the server.
        submissions: the folder of submissions.
        bot: the id of the bot.

    Raises:
        SubmissionError: the log of submissions cannot be read.
    """
    query = f"SELECT fingerprint, {_COLUMNS} FROM version_ratings WHERE bot = ?"
    rows = database.rows(query, bot)
    ratings = {row[0]: VersionRating(*row[1:]) for row in rows}
    accepted = [attempt for attempt in read_attempts(submissions) if attempt.outcome == "accepted"]
    logged = {attempt.number: attempt for attempt in accepted if attempt.id == bot}
    numbers = versions(submissions / bot)
    first: dict[str, int] = {}
    for number in numbers:
        first.setdefault(_code(logged.get(number), number), number)
    return [
        _version(number, logged.get(number), first, ratings, number == numbers[-1])
        for number in reversed(numbers)
    ]


def _code(attempt: Attempt | None, number: int) -> str:
    """Return the digest of the code of a version, or its number if the log does not have it."""
    return attempt.fingerprint if attempt else str(number)


def _version(
    number: int,
    attempt: Attempt | None,
    first: Mapping[str, int],
    ratings: Mapping[str, VersionRating],
    is_newest: bool,
) -> BotVersion:
    code = _code(attempt, number)
    return BotVersion(
        number,
        attempt.time.replace(tzinfo=UTC) if attempt else None,
        attempt.file if attempt else "",
        attempt.late if attempt else False,
        first[code],
        is_newest,
        ratings.get(code),
    )
