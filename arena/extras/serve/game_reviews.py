"""Reviews of games that students ask for, made by a process of their own."""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from pkgutil import resolve_name
from types import FrameType
from typing import NamedTuple

from arena.base.errors import ArenaError
from arena.base.record import GameRecord, read_record, write_record
from arena.contest.settings import Contest
from arena.extras.serve.background import watch_input
from arena.extras.serve.contest_dates import CurrentContest
from arena.extras.serve.ladder.ladder_files import is_final_under_way
from arena.extras.serve.serve_table import serve_of
from arena.extras.serve.server_database import DATABASE, ServerDatabase, local_time
from arena.plugins import ReplayPanel, replay_panels
from engine import EngineError

PANEL = "review"
"""The panel of replays that shows a review, and the name under which a plugin registers it."""
MAX_TRIES = 3
"""How often a review is begun. If its process failed or was killed each time, it is lost."""
LOST = (
    f"The review is lost: its process has ended {MAX_TRIES} times before it was done. "
    "Tell the teacher."
)


class ReviewRequest(NamedTuple):
    """The last review that was asked for a bot."""

    bot: str
    asked: float
    """Seconds since 1970."""
    record: GameRecord
    """With ids for names."""
    moves: int
    """The moves that are done."""
    tries: int
    content: bytes | None
    """What its panel shows; None until it is made."""
    failure: str

    @property
    def seat(self) -> int:
        """The seat of the bot."""
        return self.record.entrants.index(self.bot)

    @property
    def is_under_way(self) -> bool:
        """Whether it waits or is being made."""
        return self.content is None and not self.failure

    @property
    def tenths(self) -> int:
        """The tenths of the moves that are done."""
        return 10 * self.moves // len(self.record.actions)


class ReviewStore:
    """Stores the last review of each bot: its request, its progress, and what came of it."""

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database

    def of_bot(self, bot: str) -> ReviewRequest | None:
        """Return the last review of a bot; None if none was asked for."""
        return self._first("WHERE bot = ?", bot)

    def ask(self, bot: str, record: GameRecord, now: float) -> None:
        """Ask for the review of a game, unless one of the bot is under way."""
        self._database.write(
            "INSERT INTO reviews (bot, asked, record) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE "
            "SET asked = ?2, record = ?3, moves = 0, tries = 0, content = NULL, failure = '' "
            "WHERE content IS NOT NULL OR failure != ''",
            *(bot, now, write_record(record)),
        )

    def begin_next(self) -> ReviewRequest | None:
        """Begin the review that was asked for first, and return it; None if none waits.

        One that was begun `MAX_TRIES` times is lost.
        """
        while waiting := self._first("WHERE content IS NULL AND failure = '' ORDER BY asked, bot"):
            if waiting.tries < MAX_TRIES:
                self._set(waiting.bot, moves=0, tries=waiting.tries + 1)
                return waiting
            self.fail(waiting.bot, LOST)
        return None

    def tell(self, bot: str, moves: int) -> None:
        """Store how many moves are done."""
        self._set(bot, moves=moves)

    def wait_again(self, waiting: ReviewRequest) -> None:
        """Let a review that was begun wait as it did before."""
        self._set(waiting.bot, moves=0, tries=waiting.tries)

    def keep(self, bot: str, content: bytes) -> None:
        """Store what a review has found."""
        self._set(bot, content=content)

    def fail(self, bot: str, reason: str) -> None:
        """Store why a review could not be made."""
        self._set(bot, failure=reason)

    def _set(self, bot: str, **values: object) -> None:
        columns = ", ".join([f"{column} = ?" for column in values])
        self._database.write(f"UPDATE reviews SET {columns} WHERE bot = ?", *values.values(), bot)

    def _first(self, which: str, *values: object) -> ReviewRequest | None:
        columns = ", ".join(ReviewRequest._fields)
        row = self._database.row(f"SELECT {columns} FROM reviews {which}", *values)
        return ReviewRequest(*row)._replace(record=read_record(row["record"])) if row else None


def review_panel(contest: Contest) -> ReplayPanel | None:
    """Return the panel of the reviews that a contest offers; None if it offers none."""
    table, panel = serve_of(contest), replay_panels.find(PANEL)
    is_open = table.review_seconds and not table.archived
    return panel if panel and panel.make and is_open else None


# -- the process that makes reviews, one after the other ---------------------------------------


GRACE_S = 10
"""Seconds that a review may take beyond its budget before it is given up."""
MAX_MEMORY = 3 * 1024**3
TOO_LONG = "The review was given up, as one move took more than all the time that it has."
TOO_MUCH = f"The review took more than {MAX_MEMORY // 1024**3} GiB of memory."


class _OutOfTime(Exception):
    """A review has taken longer than its budget and the grace."""


class _FinalBegins(Exception):
    """The final is under way, so a review has to wait."""


class Reviewer:
    """Makes the reviews that wait."""

    def __init__(
        self,
        contest: Callable[[], Contest],
        folder: Path,
        store: ReviewStore,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take a function that returns the contest in `folder` as it is now."""
        self._contest = contest
        self._folder = folder
        self._store = store
        self._clock = clock

    def make_all(self) -> None:
        """Make reviews until none waits, or the final is under way."""
        try:
            while panel := review_panel(self._contest()):
                self._require_no_final()
                if (wanted := self._store.begin_next()) is None:
                    return
                self._make(wanted, panel)
        except _FinalBegins:
            return

    def _make(self, wanted: ReviewRequest, panel: ReplayPanel) -> None:
        def tell(moves: int) -> None:
            self._store.tell(wanted.bot, moves)
            self._require_no_final()

        seconds = serve_of(self._contest()).review_seconds
        make = resolve_name(panel.make)
        try:
            with _time_limit(seconds + GRACE_S):
                content = make(wanted.record, wanted.seat, seconds, tell)
            self._store.keep(wanted.bot, content)
        except _FinalBegins:
            self._store.wait_again(wanted)
            raise
        except (ArenaError, EngineError) as error:
            self._store.fail(wanted.bot, str(error))
        except MemoryError:
            self._store.fail(wanted.bot, TOO_MUCH)
        except _OutOfTime:
            self._store.fail(wanted.bot, TOO_LONG)

    def _require_no_final(self) -> None:
        if is_final_under_way(self._contest(), self._folder, local_time(self._clock())):
            raise _FinalBegins


def main() -> None:
    """Make reviews until none waits. If the server is killed, they are begun again later."""
    watch_input(lambda: os._exit(0))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    contest_file = Path(sys.argv[1])
    with closing(ServerDatabase(contest_file.parent / DATABASE)) as database:
        contest = CurrentContest(contest_file)
        Reviewer(contest, contest_file.parent, ReviewStore(database)).make_all()


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise `_OutOfTime` in this context after some seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _OutOfTime

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


if __name__ == "__main__":
    main()
