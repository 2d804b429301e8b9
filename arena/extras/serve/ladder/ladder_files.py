"""Formats of the JSON files that the game and leaderboard processes write for the web server.

ladder/state.json    what the ladder is doing
ladder/board.json    the leaderboard
ladder/final.json    the latest requested final or rehearsal, if any
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Generic, Literal, TypeVar

import msgspec

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import ServeError
from arena.contest.admission import rules_of
from arena.contest.run_roster import read_run_roster
from arena.contest.settings import Contest
from arena.extras.serve.ladder.bot_results import BotResults, PlayedGame
from arena.extras.serve.server_database import local_time, time_of
from arena.narration.telling import counted
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

Activity = Literal["starting", "playing", "over", "waiting", "stopped"]
FileT = TypeVar("FileT", bound="LadderFile")


class LadderFile(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = SCHEMA


class LadderState(LadderFile, frozen=True, kw_only=True):
    activity: Activity
    run: str
    since: float
    text: str = ""
    left_out: tuple[str, ...] = ()
    workers: int = 1


class StandingsFile(LadderFile, frozen=True, kw_only=True):
    """A leaderboard and the data for its pages. Bots are identified by id, not by name."""

    run: str
    is_final: bool
    is_over: bool
    made: float
    scheduled: int
    may_end_early: bool
    board: Leaderboard
    students: dict[str, str]
    bots: dict[str, BotResults]
    latest: tuple[PlayedGame, ...]
    digest: RunDigest | None = None
    secret: str = ""  # empty until the final is finished


class FinalFile(LadderFile, frozen=True, kw_only=True):
    run: str
    asked: float
    is_rehearsal: bool = False


@dataclass(frozen=True)
class ReportFile(Generic[FileT]):
    name: str
    kind: type[FileT]

    def path(self, contest_folder: Path) -> Path:
        return contest_folder / FOLDER / self.name

    def write(self, contest_folder: Path, value: FileT) -> None:
        path = self.path(contest_folder)
        with os_error_as(ServeError, f"cannot write {path.parent}"):
            path.parent.mkdir(OWNER_ONLY, exist_ok=True)
            with atomic_file(path) as file:
                file.write(msgspec.json.encode(value))

    def delete(self, contest_folder: Path) -> None:
        path = self.path(contest_folder)
        with os_error_as(ServeError, f"cannot delete {path}"):
            path.unlink(missing_ok=True)

    def read(self, contest_folder: Path) -> FileT | None:
        """Return the file's content.

        Return None if the file is missing, can't be read, or has a different schema version.
        """
        try:
            value = msgspec.json.decode(self.path(contest_folder).read_bytes(), type=self.kind)
        except (OSError, ValueError):
            return None
        return value if value.schema == SCHEMA else None


STATE = ReportFile("state.json", LadderState)
BOARD = ReportFile("board.json", StandingsFile)
FINAL = ReportFile("final.json", FinalFile)


def run_name(contest: Contest) -> str:
    return contest.name or DEFAULT_NAME


def final_name(contest: Contest, results: Path, *, is_rehearsal: bool = False) -> str:
    """Return an unused run name such as `spring-final` or `spring-final-2`."""
    first = f"{run_name(contest)}-{'rehearsal' if is_rehearsal else 'final'}"
    number = 1
    while (results / (name := first if number == 1 else f"{first}-{number}")).exists():
        number += 1
    return name


def final_rounds(contest: Contest) -> int:
    named = msgspec.structs.replace(contest, name=run_name(contest))
    return contest.serve.final_rounds or rounds_reached(named)


def plan_of_final(contest: Contest, workers: int) -> str:
    """Describe how many rounds and games the final has, and how long it will take."""
    rounds = final_rounds(contest)
    text = counted(rounds, "round")
    run = Path(contest.results, run_name(contest))
    if (settings := settings_of_run(run)) is None:
        return text
    with Store.open(run) as store:
        whole = msgspec.structs.replace(settings, rounds=rounds)
        return f"{text}: {estimate(store, whole, workers)}"


def has_begun(run: Path) -> bool:
    return (run / DATABASE).is_file()


def is_over(run: Path) -> bool:
    if not has_begun(run):
        return False
    with Store.open(run) as store:
        return noted_digest(store) is not None


def requested_final(contest: Contest, contest_folder: Path) -> FinalFile | None:
    """Return the latest final or rehearsal. Ignore a final whose results don't count."""
    final = FINAL.read(contest_folder)
    return final if final and (final.is_rehearsal or counts(final, contest)) else None


def finished_final(contest: Contest, contest_folder: Path) -> FinalFile | None:
    """Return the contest's final. Return None if it isn't over, doesn't count or is a rehearsal."""
    final = requested_final(contest, contest_folder)
    if final is None or final.is_rehearsal or not is_over(Path(contest.results, final.run)):
        return None
    return final


def frozen_since(contest: Contest, contest_folder: Path, now: datetime) -> datetime | None:
    """Return when the leaderboard was frozen, or None if it isn't frozen."""
    deadline, closes = contest.deadline.deadline(), closing_time(contest)
    if deadline is None or closes is None or not contest.serve.freeze_minutes:
        return None
    since = deadline.due - timedelta(minutes=contest.serve.freeze_minutes)
    has_ended = now > closes and not contest.serve.final
    if now < since or has_ended or finished_final(contest, contest_folder):
        return None
    return since


def freeze_in_words(
    contest: Contest, contest_folder: Path, now: datetime
) -> tuple[str, str] | None:
    """Describe when the leaderboard freeze starts and ends. Without a freeze, return None."""
    since, closes = frozen_since(contest, contest_folder, now), closing_time(contest)
    if since is None or closes is None:
        return None
    end = time_of(closes)
    if contest.serve.final:
        end = f"the end of the final, which is played after {end}"
    return time_of(since), end


def counts(final: FinalFile, contest: Contest) -> bool:
    """Return whether the results of a final are valid.

    A final must not be requested before the deadline and all extensions have passed. Every bot
    version that was submitted in time must have played in the final.
    """
    closes = closing_time(contest)
    if closes is not None and local_time(final.asked) <= closes:
        return False
    run = Path(contest.results, final.run)
    return not (has_begun(run) and _lacks_versions(contest, run))


def _lacks_versions(contest: Contest, run: Path) -> bool:
    rules = rules_of(contest)
    if rules is None:
        return False
    seen = {student.id: student.versions for student in read_run_roster(run).students}
    playing = {version.owner for version in rules.inbox.lineup()}
    versions = rules.inbox.versions()
    late = rules.late(versions)
    return any(
        version.version > seen.get(version.owner, 0)
        and version.owner in playing
        and version.id not in late
        for version in versions
    )


def closing_time(contest: Contest) -> datetime | None:
    """Return the latest deadline, including extensions, or None if the contest has no deadline."""
    deadline, rules = contest.deadline.deadline(), rules_of(contest)
    if deadline is None:
        return None
    extensions = rules.inbox.extensions() if rules else {}
    removed = rules.inbox.removed() if rules else ()
    extended = [local_time(due) for owner, due in extensions.items() if owner not in removed]
    return max([deadline.due, *extended])


def is_final_due(contest: Contest, now: datetime) -> bool:
    closes = closing_time(contest)
    return contest.serve.final and closes is not None and now > closes


def is_before_the_end(contest: Contest, now: datetime) -> bool:
    """Return whether the deadline or any extension has yet to expire."""
    closes = closing_time(contest)
    return closes is not None and now <= closes
