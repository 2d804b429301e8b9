"""The files by which the ladder reports to the server, in the folder `ladder` of a contest.

ladder/state.json    what the ladder is doing
ladder/board.json    the board as the teacher sees it
ladder/public.json   the public board, which does not change while it is frozen
ladder/final.json    the final that was requested last, if any
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import ServeError
from arena.contest.admission import rules_of
from arena.contest.run_roster import read_run_roster
from arena.contest.settings import Contest
from arena.extras.serve.ladder.bot_results import BotResults, PlayedGame
from arena.extras.serve.people import last_extension
from arena.extras.serve.server_database import local_time
from arena.narration.telling import counted
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import Leaderboard
from arena.tournament.digest import RunDigest
from arena.tournament.estimate import estimate
from arena.tournament.runs import rounds_reached, settings_of_run
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, Store

FOLDER = "ladder"
SCHEMA = 1
OWNER_ONLY = 0o700
DEFAULT_NAME = "ladder"
"""The name of the run of a contest without a name."""

Activity = Literal["starting", "playing", "over", "waiting", "stopped"]
FileT = TypeVar("FileT", bound="LadderFile")


class LadderFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the folder."""

    schema: int = SCHEMA


class LadderState(LadderFile, frozen=True, kw_only=True):
    """The present work of the ladder."""

    activity: Activity
    run: str
    since: float
    """Seconds since 1970."""
    text: str = ""
    """Why it waits, for the teacher."""
    left_out: tuple[str, ...] = ()
    """Sentences for the teacher about bots that do not play, with the reasons."""
    process: int = 0
    workers: int = 1


class StandingsFile(LadderFile, frozen=True, kw_only=True):
    """The board of a run, with all that its pages show. Bots are named by their ids."""

    run: str
    is_final: bool
    is_over: bool
    is_rehearsal: bool = False
    """Whether it is of a rehearsal; `is_final` is true as well."""
    is_replaced: bool = False
    """Whether it is of a final that another one replaces."""
    made: float
    """Seconds since 1970."""
    stored: int
    """The number of the last game that was stored. Later games are not shown with this board."""
    scheduled: int
    """Games of the run, or their maximum if the run may end early."""
    may_end_early: bool
    board: Leaderboard
    students: dict[str, str]
    """By id, the names of the students on the roster of the run."""
    bots: dict[str, BotResults]
    latest: tuple[PlayedGame, ...]
    """The games that were played last, the last one first."""
    fingerprints: dict[str, str] = {}
    """By bot, the digest of the code that plays."""
    newcomers: tuple[LeaderboardRow, ...] = ()
    """Provisional rows of versions whose games are not on the board yet."""
    digest: RunDigest | None = None
    """The digest of a run that is over."""
    secret: str = ""
    """The secret of a final that is over, to check its deals with."""


class FinalFile(LadderFile, frozen=True, kw_only=True):
    """The final that was requested last."""

    run: str
    asked: float
    """Seconds since 1970."""
    is_rehearsal: bool = False
    """Whether the teacher requested it before the deadline. A rehearsal never counts."""
    is_replaced: bool = False
    """Whether another final follows: the deadline was moved after this one, or this one lacks a
    version that came in time. It stays published until the other one is over."""
    former: str = ""
    """The run of the final that stays published until this one is over; empty without one."""


@dataclass(frozen=True)
class ReportFile(Generic[FileT]):
    """A file in the folder of the ladder, and its kind of content."""

    name: str
    kind: type[FileT]

    def path(self, contest_folder: Path) -> Path:
        """Return the path of the file in a contest."""
        return contest_folder / FOLDER / self.name

    def write(self, contest_folder: Path, value: FileT) -> None:
        """Replace the file. Readers see the old or the new one, never a part.

        Raises:
            ServeError: the folder cannot be written.
        """
        path = self.path(contest_folder)
        with os_error_as(ServeError, f"cannot write {path.parent}"):
            path.parent.mkdir(OWNER_ONLY, exist_ok=True)
            with atomic_file(path) as file:
                file.write(msgspec.json.encode(value))

    def delete(self, contest_folder: Path) -> None:
        """Delete the file, if it is there. Raises `ServeError` if it cannot be deleted."""
        path = self.path(contest_folder)
        with os_error_as(ServeError, f"cannot delete {path}"):
            path.unlink(missing_ok=True)

    def read(self, contest_folder: Path) -> FileT | None:
        """Return the content; None without a file, or if it has another schema version.

        The next process writes all files again, except that of the final.
        """
        try:
            value = msgspec.json.decode(self.path(contest_folder).read_bytes(), type=self.kind)
        except (OSError, ValueError):
            return None
        return value if value.schema == SCHEMA else None


STATE = ReportFile("state.json", LadderState)
BOARD = ReportFile("board.json", StandingsFile)
PUBLIC = ReportFile("public.json", StandingsFile)
FINAL = ReportFile("final.json", FinalFile)


def run_name(contest: Contest) -> str:
    """Return the name of the run that the ladder plays."""
    return contest.name or DEFAULT_NAME


def final_name(contest: Contest, results: Path, *, is_rehearsal: bool = False) -> str:
    """Return the name of the next final or rehearsal: `spring-final`, then `spring-final-2` ..."""
    first = f"{run_name(contest)}-{'rehearsal' if is_rehearsal else 'final'}"
    number = 1
    while (results / (name := first if number == 1 else f"{first}-{number}")).exists():
        number += 1
    return name


def final_rounds(contest: Contest) -> int:
    """Return the rounds of the next final or rehearsal of a contest."""
    named = msgspec.structs.replace(contest, name=run_name(contest))
    return contest.serve.final_rounds or rounds_reached(named)


def plan_of_final(contest: Contest, workers: int) -> str:
    """Return what the next final plays and how long that takes, estimated from the ladder's games.

    The text is such as `60 rounds: 6000 games, about 12 min`.
    """
    rounds = final_rounds(contest)
    text = counted(rounds, "round")
    run = Path(contest.results, run_name(contest))
    if (settings := settings_of_run(run)) is None:
        return text
    with Store.open(run) as store:
        whole = msgspec.structs.replace(settings, rounds=rounds)
        return f"{text}: {estimate(store, whole, workers)}"


def published_final(final: FinalFile | None, results: Path) -> str:
    """Return the run of the final that counts: the last one that is over; empty without one."""
    if final is None:
        return ""
    return final.run if is_over(results / final.run) else final.former


def has_begun(run: Path) -> bool:
    """Return whether a run has been begun."""
    return (run / DATABASE).is_file()


def is_over(run: Path) -> bool:
    """Return whether a run was played to its end."""
    if not has_begun(run):
        return False
    with Store.open(run) as store:
        return noted_digest(store) is not None


def is_final_under_way(contest: Contest, contest_folder: Path, now: datetime) -> bool:
    """Return whether a final or a rehearsal is due or requested, and not over."""
    final = FINAL.read(contest_folder)
    if final and not final.is_replaced and not is_over(Path(contest.results, final.run)):
        return True
    has_counting = final is not None and not (final.is_rehearsal or final.is_replaced)
    return not has_counting and times_of(contest, contest_folder).is_final_due(now)


def counts(final: FinalFile, contest: Contest, contest_folder: Path) -> bool:
    """Return whether a final is that of the contest's deadline.

    It was requested after the deadline, all extensions included, and every version that came in
    time was there when it began.

    Raises:
        SettingsError: the deadline is not a time.
        StoreError: the inbox or the roster of the run cannot be read.
    """
    closes = times_of(contest, contest_folder).closes
    if final.is_rehearsal or (closes is not None and local_time(final.asked) <= closes):
        return False
    run = Path(contest.results, final.run)
    return not (has_begun(run) and _lacks_versions(contest, run))


def _lacks_versions(contest: Contest, run: Path) -> bool:
    """Return whether a student of the contest has an on-time version that a run began without."""
    rules = rules_of(contest)
    if rules is None:
        return False
    seen = {student.id: student.versions for student in read_run_roster(run).students}
    playing = {version.owner for version in rules.inbox.lineup()}
    versions = rules.inbox.all("kind = 'hand-in' AND state = 'accepted'")
    late = rules.late(versions)
    return any(
        one.version > seen.get(one.owner, 0) and one.owner in playing and one.id not in late
        for one in versions
    )


# -- when the public board is frozen, and when the final is due. Pure: the caller gives the time


class LadderTimes(NamedTuple):
    """The times of a contest that the ladder depends on."""

    freezes: datetime | None = None
    """The time from which the public board is frozen. None means never."""
    closes: datetime | None = None
    """The end of the deadline's grace. None means no deadline."""
    has_final: bool = True
    """Whether a final is played after the deadline."""

    def is_frozen(self, now: datetime, *, is_final_over: bool) -> bool:
        """Return whether the public board is frozen at a time.

        It stays frozen until the final is over, or without a final until the deadline.
        """
        if self.freezes is None or self.closes is None or now < self.freezes or is_final_over:
            return False
        return self.has_final or now <= self.closes

    def is_final_due(self, now: datetime) -> bool:
        """Return whether the final should have begun by a time."""
        return self.has_final and self.closes is not None and now > self.closes

    def is_rehearsal(self, now: datetime) -> bool:
        """Return whether a final that the teacher requests at a time is a rehearsal."""
        return self.closes is not None and now <= self.closes


def times_of(contest: Contest, contest_folder: Path) -> LadderTimes:
    """Return the times of a contest, which closes with the last deadline that was extended.

    Raises:
        SettingsError: the deadline is not a time.
    """
    deadline = contest.deadline.deadline()
    if deadline is None or deadline.due is None:
        return LadderTimes(has_final=contest.serve.final)
    minutes = contest.serve.freeze_minutes
    last = last_extension(contest_folder)
    due = max(deadline.due, local_time(last)) if last else deadline.due
    return LadderTimes(
        deadline.due - timedelta(minutes=minutes) if minutes else None,
        due + deadline.grace,
        contest.serve.final,
    )
