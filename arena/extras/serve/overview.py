"""The overview of a contest for its teacher: people, checks, ladder, times."""

import shutil
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from arena.contest.attempts import read_attempts, records_of
from arena.contest.contest_file import read_contest
from arena.contest.settings import Contest
from arena.errors import ArenaError
from arena.extras.serve.database import local_time
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    FinalFile,
    LadderState,
    StandingsFile,
    read_file,
    times_of,
)
from arena.extras.serve.people.person import ContestPerson
from arena.extras.serve.web.site import ContestSite
from arena.tournament.standings import is_complete
from arena.tournament.store import DATABASE, Store

LOW_SPACE = 2 * 1024**3
"""Bytes of free space below which the page warns."""


class Checks(NamedTuple):
    """Numbers of submissions, without a verdict and by verdict."""

    waiting: int
    checking: int
    accepted: int
    refused: int
    oldest: float | None
    """When the oldest submission without a verdict came, in seconds since 1970."""


class ContestTimes(NamedTuple):
    """The times of the contest; None where one is not set."""

    opens: datetime | None
    due: datetime | None
    closes: datetime | None
    """The end of the grace."""
    freezes: datetime | None
    is_frozen: bool


class Final(NamedTuple):
    """The final that was requested last."""

    run: str
    has_begun: bool
    is_over: bool


class Overview(NamedTuple):
    """The contest at one moment."""

    students: int
    bots: int
    """Students and teams."""
    fit: int
    """Students and teams with an accepted version."""
    missing: list[ContestPerson]
    """Students without an accepted version; the first member stands for a team."""
    checks: Checks
    state: LadderState | None
    board: StandingsFile | None
    times: ContestTimes
    final: Final | None
    free: int
    """Bytes on the disk of the contest."""
    problem: str
    """Why the contest file cannot be read any more; empty if it can."""

    @property
    def is_space_low(self) -> bool:
        """Whether the disk will soon be full."""
        return self.free < LOW_SPACE


def overview(site: ContestSite) -> Overview:
    """Return what the teacher's first page shows."""
    contest, problem = site.contest, ""
    try:
        contest = read_contest(site.contest_file)  # as the ladder does: it may have changed
    except ArenaError as error:
        problem = str(error)
    people = [one for one in site.people.all() if not one.is_teacher]
    owners = [one for one in people if one.id == one.owner]
    folder = contest.entrants.submissions
    records = records_of(read_attempts(Path(folder))) if folder else {}
    fit = {name for name, one in records.items() if one.versions}
    final = _final(site.folder, contest)
    return Overview(
        students=len(people),
        bots=len(owners),
        fit=len([one for one in owners if one.id in fit]),
        missing=[one for one in owners if one.id not in fit],
        checks=_checks(site),
        state=site.live.state(),
        board=site.live.board(sees_all=True),
        times=_times(contest, site.clock(), is_final_over=bool(final and final.is_over)),
        final=final,
        free=shutil.disk_usage(site.folder).free,
        problem=problem,
    )


def _checks(site: ContestSite) -> Checks:
    connection = site.database.connect()
    query = "SELECT state, count(*) FROM submissions GROUP BY state"
    many = dict(connection.execute(query))
    query = "SELECT min(came) FROM submissions WHERE state IN ('waiting', 'checking')"
    (oldest,) = connection.execute(query).fetchone()
    accepted = many.get("accepted", 0) + many.get("unchanged", 0)
    waiting, checking = many.get("waiting", 0), many.get("checking", 0)
    return Checks(waiting, checking, accepted, many.get("refused", 0), oldest)


def _times(contest: Contest, now: float, *, is_final_over: bool) -> ContestTimes:
    deadline, times = contest.deadline.deadline(), times_of(contest)
    is_frozen = times.is_frozen(local_time(now), is_final_over=is_final_over)
    return ContestTimes(
        deadline.opens if deadline else None,
        deadline.due if deadline else None,
        times.closes,
        times.freezes,
        is_frozen,
    )


def _final(contest_folder: Path, contest: Contest) -> Final | None:
    asked = read_file(contest_folder, FINAL, FinalFile)
    if asked is None:
        return None
    run = Path(contest.results) / asked.run
    if not (run / DATABASE).is_file():
        return Final(asked.run, has_begun=False, is_over=False)
    with Store.open(run) as store:
        return Final(asked.run, has_begun=True, is_over=is_complete(store))
