"""Store and process the game reviews that students request."""

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

from arena.base.errors import ArenaError
from arena.base.record import GameRecord, read_record, write_record
from arena.contest.settings import Contest
from arena.extras.serve.background import watch_input
from arena.extras.serve.current_contest import CurrentContest
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.plugins import ReplayPanel, replay_panels
from engine import EngineError

PANEL = "review"
LOST = "the review was interrupted; ask for it again"


class ReviewRequest(NamedTuple):
    bot: str
    record: GameRecord
    content: bytes | None
    failure: str

    @property
    def is_under_way(self) -> bool:
        return self.content is None and not self.failure


class ReviewStore:
    def __init__(self, database: ServerDatabase) -> None:
        self._database = database

    def of_bot(self, bot: str) -> ReviewRequest | None:
        return self._first("WHERE bot = ?", bot)

    def ask(self, bot: str, record: GameRecord, now: float) -> None:
        """Request a review of a bot's game, unless the bot has one that is queued or running."""
        self._database.write(
            "INSERT INTO reviews (bot, asked, record) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE "
            "SET asked = ?2, record = ?3, begun = 0, content = NULL, failure = '' "
            "WHERE content IS NOT NULL OR failure != ''",
            *(bot, now, write_record(record)),
        )

    def begin_next(self) -> ReviewRequest | None:
        """Start the oldest queued review and return it, or return None if no review is queued."""
        if waiting := self._first("WHERE begun = 0 ORDER BY asked, bot"):
            self._database.write("UPDATE reviews SET begun = 1 WHERE bot = ?", waiting.bot)
        return waiting

    def end(self, bot: str, content: bytes | None, failure: str = "") -> None:
        self._database.write(
            "UPDATE reviews SET content = ?, failure = ? WHERE bot = ?", content, failure, bot
        )

    def fail_interrupted(self) -> None:
        """Mark reviews as failed if an earlier process has begun but not finished them."""
        self._database.write(
            "UPDATE reviews SET failure = ? WHERE begun AND content IS NULL AND failure = ''", LOST
        )

    def _first(self, which: str, *values: object) -> ReviewRequest | None:
        columns = ", ".join(ReviewRequest._fields)
        row = self._database.row(f"SELECT {columns} FROM reviews {which}", *values)
        return ReviewRequest(*row)._replace(record=read_record(row["record"])) if row else None


def review_panel(contest: Contest) -> ReplayPanel | None:
    panel = replay_panels.find(PANEL)
    return panel if panel and panel.make and contest.serve.review_seconds else None


# -- the process that makes reviews, one after the other ---------------------------------------


GRACE_S = 60
MAX_MEMORY = 3 * 1024**3


def make_reviews(contest: Callable[[], Contest], store: ReviewStore) -> None:
    """Compute reviews until the queue is empty."""
    store.fail_interrupted()
    while (panel := review_panel(contest())) and (wanted := store.begin_next()):
        bot, record = wanted.bot, wanted.record
        seconds = contest().serve.review_seconds
        signal.alarm(seconds + GRACE_S)
        try:
            make = resolve_name(panel.make)
            store.end(bot, make(record, record.entrants.index(bot), seconds))
        except (ArenaError, EngineError) as error:
            store.end(bot, None, str(error))
        finally:
            signal.alarm(0)


def main() -> None:
    watch_input(lambda: os._exit(0))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    contest_file = Path(sys.argv[1])
    with closing(ServerDatabase(contest_file.parent / DATABASE)) as database:
        make_reviews(CurrentContest(contest_file), ReviewStore(database))


if __name__ == "__main__":
    main()
