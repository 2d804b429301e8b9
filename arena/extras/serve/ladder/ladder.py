"""The ladder: it plays the contest's run as `arena run` does, and the final.

When there is a new fit version, the games are stopped as by Ctrl-C, and the ladder goes on with the
new lineup. The first boards of the new version are then played at once. When the order is certain,
the ladder waits for the next version.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.contest.contest_check import sandbox_of
from arena.contest.contest_file import read_contest
from arena.contest.lineup import Lineup
from arena.contest.settings import Contest, chosen_variants, with_server_sandbox
from arena.contest.snapshots import Snapshots
from arena.contest.submissions import unpacking
from arena.errors import ArenaError, RunStopped, ServeError
from arena.extras.serve.ladder.interrupts import Interrupts
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    STATE,
    Activity,
    FinalFile,
    LadderState,
    delete_file,
    final_name,
    read_file,
    run_name,
    write_file,
)
from arena.extras.serve.ladder.ladder_times import times_of
from arena.extras.serve.submissions.submission_store import are_unchecked
from arena.extras.serve.times import local_time
from arena.publish.refresh import refreshing
from arena.tournament.contest_run import (
    RunSoFar,
    former_settings,
    keep_roster,
    lineup_of,
    secret_of,
    settings_of,
)
from arena.tournament.executor_choice import executor_of
from arena.tournament.resuming import Given, check_resumable, grow
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, Store
from engine import EngineError

MAX_UNDISTURBED_S = 30.0
"""The longest time for which news does not stop games that have begun. Usually it is the time that
it took to begin them, so games are played however often versions come."""
MIN_PAUSE_S, MAX_PAUSE_S = 5.0, 120.0
"""The pause after a failure, which doubles each time."""


class _Plan(NamedTuple):
    """What a run is played with."""

    contest: Contest
    settings: Settings
    lineup: Lineup | None = None
    """The bots that were read now; None if they are those of the settings."""


class Ladder:
    """Plays the ladder of a contest, and tells in a file what it is doing."""

    def __init__(
        self,
        contest_file: Path,
        workers: int | None,
        interrupts: Interrupts,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take the contest file, and the number of workers; None means the number in that file."""
        self._contest_file = contest_file
        self._folder = contest_file.parent
        self._workers = workers
        self._interrupts = interrupts
        self._clock = clock

    def play_until_stopped(self) -> None:
        """Play the ladder and its finals until the process has to stop."""
        pause = MIN_PAUSE_S
        while not self._interrupts.must_stop:
            self._interrupts.take_news()
            try:
                self.play()
                pause, wait = MIN_PAUSE_S, None
            except (KeyboardInterrupt, RunStopped):
                pause, wait = MIN_PAUSE_S, 0.0
            except (ArenaError, EngineError, OSError) as error:
                self._tell("waiting", text=str(error))
                pause, wait = min(2 * pause, MAX_PAUSE_S), pause
            if wait != 0:
                self._interrupts.wait(wait)
        self._tell("stopped")

    def play(self) -> None:
        """Play the final if one is requested, then the ladder, until all is played.

        Raises:
            RunStopped, KeyboardInterrupt: there is news, or the process has to stop.
            ArenaError: the run cannot be played.
        """
        contest = self._contest()
        final = self._final(contest)
        results = Path(contest.results)
        if final and not _is_over(results / final.run):
            self._play(as_final(contest, final.run), is_final=True)
        self._play(msgspec.structs.replace(contest, name=run_name(contest)), is_final=False)

    def _contest(self) -> Contest:
        contest = with_server_sandbox(read_contest(self._contest_file))
        contest.stop_rule()  # refuses wrong settings
        if self._workers is None:
            return contest
        machine = msgspec.structs.replace(contest.machine, workers=self._workers)
        return msgspec.structs.replace(contest, machine=machine)

    def _final(self, contest: Contest) -> FinalFile | None:
        """Return the final that was requested last.

        A final is requested after the deadline, once all submissions are checked. If the deadline
        is moved after that, the request is deleted, and another final is played later.
        """
        final = read_file(self._folder, FINAL, FinalFile)
        times, now = times_of(contest), local_time(self._clock())
        if final and not final.by_hand and not times.is_final_due(local_time(final.asked)):
            delete_file(self._folder, FINAL)
            final = None
        if final is None and times.is_final_due(now) and not are_unchecked(self._folder):
            final = FinalFile(run=final_name(contest, Path(contest.results)), asked=self._clock())
            write_file(self._folder, FINAL, final)
        return final

    def _play(self, contest: Contest, *, is_final: bool) -> None:
        """Play a run of the contest, which has its name."""
        began = time.monotonic()
        name = contest.name or ""
        folder = Path(contest.results) / name
        self._tell("starting", name)
        former = former_settings(folder)
        secret = secret_of(contest, folder, former)
        with Snapshots(folder) as snapshots:
            if former and is_final and _has_copies(former):
                plan = _Plan(contest, former)  # a final keeps the lineup that it began with
            else:
                plan = self._plan(contest, RunSoFar(former, secret, snapshots))
            left_out = plan.lineup.warnings if plan.lineup else []
            with open_or_create(folder, plan.settings, _say, secret) as store:
                snapshots.keep(plan.settings.entrants)
                if plan.lineup:
                    keep_roster(store, plan.contest, plan.lineup)
                self._tell("playing", name, left_out=left_out)
                executor = executor_of(plan.contest.machine, folder, _say)
                undisturbed_s = min(MAX_UNDISTURBED_S, time.monotonic() - began)
                site = None if is_final else plan.contest.site
                with (
                    refreshing(folder, site, _say) as refresh,
                    self._interrupts.allowed(undisturbed_s),
                ):
                    play_missing(store, plan.settings, executor, lambda _: refresh())
                finish(store)
        self._tell("over", name, left_out=left_out)

    def _plan(self, contest: Contest, run: RunSoFar) -> _Plan:
        """Return the plan of a run with the submissions of now.

        Raises:
            ArenaError: bots cannot be read, or the run cannot go on with these settings.
        """
        name, variants = contest.name or "", chosen_variants(contest.variants, contest.games)
        source = Given(self._contest_file, ())
        if run.former:
            contest, variants, _ = grow(contest, variants, run.former, source)
        submissions = contest.entrants.submissions
        with unpacking(Path(submissions) if submissions is not None else None):
            sandbox = sandbox_of(contest, _say)
            lineup = lineup_of(contest, variants, sandbox, run)
            settings = settings_of(contest, variants, sandbox, lineup, run)
        if run.former:
            check_resumable(name, run.former, settings, source)
        return _Plan(contest, settings, lineup)

    def _tell(
        self, activity: Activity, run: str = "", *, text: str = "", left_out: Sequence[str] = ()
    ) -> None:
        state = LadderState(
            activity=activity,
            run=run,
            since=self._clock(),
            text=text,
            left_out=tuple(left_out),
            process=os.getpid(),
        )
        try:
            write_file(self._folder, STATE, state)
        except ServeError as error:  # the disk is full, which must not stop the games
            _say(str(error))


def as_final(contest: Contest, name: str) -> Contest:
    """Return the settings of a final. Its deals follow from a secret of its own."""
    return msgspec.structs.replace(contest, name=name, seed=None, secret=None)


def _has_copies(settings: Settings) -> bool:
    """Return whether all bots of a run are in the folders that its settings name.

    Some are missing if the process was killed while the run began.
    """
    return all(Path(one.folder).is_dir() for one in settings.entrants if one.folder)


def _is_over(run: Path) -> bool:
    if not (run / DATABASE).is_file():
        return False
    with Store.open(run) as store:
        return noted_digest(store) is not None


def _say(text: str) -> None:
    print(f"ladder: {text}", file=sys.stderr, flush=True)
