"""The rating of each version of a bot."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.contest.admission import SubmissionRules
from arena.contest.inbox import Submission
from arena.extras.serve.server_database import ServerDatabase
from arena.rating.columns import LeaderboardRow, interval_text


class VersionRating(NamedTuple):
    rank: int
    best_rank: int
    worst_rank: int
    rating: float
    score: float | None
    games: int
    faults: int
    at: float
    score_low: float | None
    score_high: float | None

    @property
    def score_text(self) -> str:
        return interval_text(self.score, self.score_low, self.score_high)


class BotVersion(NamedTuple):
    submission: Submission
    is_late: bool
    same_as: int
    shared_with: tuple[str, ...]
    rating: VersionRating | None

    @property
    def number(self) -> int:
        return self.submission.version


_RATING_COLUMNS = ", ".join(VersionRating._fields)


def note_ratings(
    database: ServerDatabase,
    rows: Sequence[LeaderboardRow],
    fingerprints: Mapping[str, str],
    at: float,
) -> None:
    """Store the current rank and rating of each bot."""
    noted = [
        [
            *(row.bot, fingerprints[row.bot], row.rank, row.best_rank, row.worst_rank),
            *(row.rating, row.score, row.games, row.faults, at, row.score_low, row.score_high),
        ]
        for row in rows
        if row.games and row.bot in fingerprints
    ]
    with database.transaction() as connection:
        connection.executemany(
            "INSERT OR REPLACE INTO version_ratings "
            f"(bot, fingerprint, {_RATING_COLUMNS}) VALUES ({', '.join('?' * 12)})",
            noted,
        )


def version_history(
    database: ServerDatabase, rules: SubmissionRules, owner: str
) -> list[BotVersion]:
    query = f"SELECT fingerprint, {_RATING_COLUMNS} FROM version_ratings WHERE bot = ?"
    ratings = {row[0]: VersionRating(*row[1:]) for row in database.rows(query, owner)}
    versions = rules.inbox.versions(owner)
    late = rules.late(versions)
    first: dict[str, int] = {}
    for version in versions:
        first.setdefault(version.fingerprint, version.version)
    return [
        BotVersion(
            version,
            version.id in late,
            first[version.fingerprint],
            rules.inbox.others_with(version),
            ratings.get(version.fingerprint),
        )
        for version in reversed(versions)
    ]
