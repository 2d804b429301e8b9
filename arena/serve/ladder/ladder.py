"""The process that plays the ladder of a contest, and its final.

    python -m arena.serve.ladder.ladder CONTEST_FILE [WORKERS]

It plays the contest's run as `arena run` does. When there is a new fit version, it stops as by
Ctrl-C and goes on with the new lineup, whose first boards are then played at once. When all is
certain, it waits for the next version. A line on its standard input has it look again, and the end
of the input, which the server holds, stops it.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from arena.contest.attempts import LOG, read_attempts
from arena.contest.contest_check import sandbox_of
from arena.contest.contest_file import read_contest
from arena.contest.lineup import rules_of
from arena.contest.server_risk import with_server_sandbox
from arena.contest.settings import Contest
from arena.contest.snapshots import Snapshots
from arena.contest.submissions import unpacking
from arena.contest.variant_choice import chosen_variants
from arena.errors import ArenaError, RunStopped, ServeError
from arena.publish.refresh import refreshing
from arena.serve.submissions.submission_store import are_unchecked
from arena.serve.ladder.interrupts import NEWS_SIGNAL, Interrupts
from arena.serve.ladder.ladder_files import (
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
from arena.serve.ladder.ladder_times import times_of
from arena.tournament.contest_run import (
    RunSoFar,
    executor_of,
    former_settings,
    keep_roster,
    lineup_of,
    secret_of,
    settings_of,
)
from arena.tournament.resuming import Given, check_resumable, grow
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, Store
from engine import EngineError

LOOK_S = 1.0
"""How often the process looks for new versions, and whether the final is due."""
MAX_UNDISTURBED_S = 30.0
"""News does not stop the games for as long as it took to begin them, at most so long: however often
there are new versions, games are played."""
MIN_PAUSE_S, MAX_PAUSE_S = 5.0, 120.0
"""The pause after a failure, which doubles each time."""


class Ladder:
    """Plays the ladder of a contest, and tells in a file what it is doing."""

    def __init__(
        self,
        contest_file: Path,
        workers: int | None,
        interrupts: Interrupts,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take the contest, and the number of workers, None for that of the contest."""
        self._contest_file = contest_file
        self._folder = contest_file.parent
        self._workers = workers
        self._interrupts = interrupts
        self._clock = clock

    def play_until_stopped(self) -> None:
        """Play whatever there is to play, until the interrupts say to stop."""
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
        """Play the final that has been asked for, or else the ladder, until all is played.

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
        """Return the final that was asked for last.

        After the deadline one is asked for, once all that was handed in is checked. If the deadline
        is put off after that, the final is forgotten, and another one is played later.
        """
        final = read_file(self._folder, FINAL, FinalFile)
        times, now = times_of(contest), _time_of(self._clock())
        if final and not final.by_hand and not times.is_final_due(_time_of(final.asked)):
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
            run = RunSoFar(former, secret, snapshots)
            left_out: list[str] = []
            lineup = None
            if former and is_final and _has_copies(former):
                settings = former  # its lineup is that of its beginning
            else:
                variants = chosen_variants(contest.variants, contest.games)
                source = Given(self._contest_file, ())
                if former:
                    contest, variants, _ = grow(contest, variants, former, source)
                submissions = contest.entrants.submissions
                with unpacking(Path(submissions) if submissions is not None else None):
                    sandbox = sandbox_of(contest, _say)
                    lineup = lineup_of(contest, variants, sandbox, run)
                    left_out = lineup.warnings
                    settings = settings_of(contest, variants, sandbox, lineup, run)
                if former:
                    check_resumable(name, former, settings, source)
            with open_or_create(folder, settings, _say, secret) as store:
                snapshots.keep(settings.entrants)
                if lineup:
                    keep_roster(store, contest, lineup)
                self._tell("playing", name, left_out=left_out)
                executor = executor_of(contest.machine, folder, _say)
                undisturbed_s = min(MAX_UNDISTURBED_S, time.monotonic() - began)
                with (
                    refreshing(folder, None if is_final else contest.site, _say) as refresh,
                    self._interrupts.allowed(undisturbed_s),
                ):
                    play_missing(store, settings, executor, lambda _: refresh())
                finish(store)
        self._tell("over", name, left_out=left_out)

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
        except ServeError as error:  # the disk is full: playing, not telling, is what matters
            _say(str(error))


def as_final(contest: Contest, name: str) -> Contest:
    """Return the settings of a final: its deals follow from a secret that it draws itself."""
    return msgspec.structs.replace(contest, name=name, seed=None, secret=None)


def _time_of(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds).astimezone()


def _has_copies(settings: Settings) -> bool:
    """Return whether all bots of a run are where its settings say.

    They are not if the process was killed while the run began.
    """
    return all(Path(one.folder).is_dir() for one in settings.entrants if one.folder)


def _is_over(run: Path) -> bool:
    if not (run / DATABASE).is_file():
        return False
    with Store.open(run) as store:
        return noted_digest(store) is not None


class News:
    """What a running ladder has to know of: new versions, other settings, a final that is due."""

    def __init__(self, contest_file: Path, clock: Callable[[], float] = time.time) -> None:
        self._contest_file = contest_file
        self._clock = clock
        self._log: tuple[object, ...] = ()
        self._playing: dict[str, tuple[int, str]] = {}
        self._known: tuple[object, ...] = ()
        self.has_come()

    def has_come(self) -> bool:
        """Return whether there is news since the last call."""
        try:
            known = self._look()
        except (ArenaError, EngineError, OSError):  # the ladder itself says what is wrong
            return False
        has_come, self._known = known != self._known, known
        return has_come

    def _look(self) -> tuple[object, ...]:
        contest = read_contest(self._contest_file)
        now = _time_of(self._clock())
        folder = self._contest_file.parent
        final = read_file(folder, FINAL, FinalFile)
        return (
            _stamp(self._contest_file),
            final or (times_of(contest).is_final_due(now) and not are_unchecked(folder)),
            self._newest_versions(contest),
        )

    def _newest_versions(self, contest: Contest) -> dict[str, tuple[int, str]]:
        """Return by student the number and the digest of the version that was accepted last."""
        rules = rules_of(contest)
        if rules is None:
            return {}
        if (log := _stamp(rules.folder / LOG)) != self._log:
            attempts = read_attempts(rules.folder)
            accepted = [one for one in attempts if one.outcome == "accepted"]
            self._playing = {one.id: (one.number, one.fingerprint) for one in accepted}
            self._log = log
        return self._playing


def _stamp(file: Path) -> tuple[object, ...]:
    """Return what changes with a file."""
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _say(text: str) -> None:
    print(f"ladder: {text}", file=sys.stderr, flush=True)


def _listen() -> None:
    """Tell the main thread of lines on the standard input, and stop it at its end."""
    while os.read(0, 1024):
        os.kill(os.getpid(), NEWS_SIGNAL)
    os.kill(os.getpid(), signal.SIGTERM)


def _watch(news: News, interrupts: Interrupts) -> None:
    """Tell the main thread of news, again and again until it has taken it."""
    while True:
        time.sleep(LOOK_S)
        if news.has_come() or interrupts.has_news:
            os.kill(os.getpid(), NEWS_SIGNAL)


def main() -> None:
    """Play until the standard input ends."""
    interrupts = Interrupts()
    with contextlib.suppress(KeyboardInterrupt), interrupts.listening():
        contest_file, *workers = sys.argv[1:]
        news = News(Path(contest_file))
        threading.Thread(target=_listen, daemon=True).start()
        threading.Thread(target=_watch, args=[news, interrupts], daemon=True).start()
        ladder = Ladder(Path(contest_file), int(workers[0]) if workers else None, interrupts)
        ladder.play_until_stopped()


if __name__ == "__main__":
    main()
