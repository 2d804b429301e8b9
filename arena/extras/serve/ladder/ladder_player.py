"""The process that plays all games of a contest, including its final.

When a new bot version is accepted, running games are interrupted, and the new version's games are
played first. Once the ranking is statistically certain, no games are played until the next new
version.
"""

import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

import msgspec

from arena.base.errors import ArenaError, RunStopped, ServeError
from arena.contest.admission import rules_of
from arena.contest.lineup import Lineup
from arena.contest.settings import Contest
from arena.extras.serve.background import watch_input
from arena.extras.serve.checker import with_server_sandbox
from arena.extras.serve.current_contest import file_stamp, read_served
from arena.extras.serve.enrolment import keep_in_run
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    STATE,
    Activity,
    FinalFile,
    LadderState,
    final_name,
    final_rounds,
    finished_final,
    frozen_since,
    is_final_due,
    is_over,
    requested_final,
    run_name,
)
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase, local_time
from arena.publish.build import publish, published_secret
from arena.publish.site_folder import Site
from arena.tournament.contest_run import RunObserver, RunRequest, StartedRun, play_contest
from arena.tournament.store import Store
from engine import EngineError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
CHANGE_SIGNAL = signal.SIGUSR1
TICK_S = 0.2


class Interrupts:
    """Raises `KeyboardInterrupt` in the main thread when the process receives a signal."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.must_stop = False
        self._has_changes = False
        self._clock = clock
        self._allowed_from = math.inf

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        former = {number: signal.signal(number, self._stop) for number in STOP_SIGNALS}
        former[CHANGE_SIGNAL] = signal.signal(CHANGE_SIGNAL, self._on_change)
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    @property
    def has_changes(self) -> bool:
        return self._has_changes

    def take_changes(self) -> None:
        self._has_changes = False

    @contextlib.contextmanager
    def allowed(self, after_s: float = 0.0) -> Iterator[None]:
        """Raise `KeyboardInterrupt` in the `with` block when `CHANGE_SIGNAL` arrives.

        During the first `after_s` seconds, the signal sets `has_changes` but raises no
        exception.
        """
        self._allowed_from = self._clock() + after_s
        try:
            if self.must_stop or (self._has_changes and not after_s):
                raise KeyboardInterrupt
            yield
        finally:
            self._allowed_from = math.inf

    def wait(self, seconds: float | None) -> None:
        end = math.inf if seconds is None else self._clock() + seconds
        with contextlib.suppress(KeyboardInterrupt), self.allowed():
            while (left := end - self._clock()) > 0:
                time.sleep(min(TICK_S, left))

    def _stop(self, _: int, __: FrameType | None) -> None:
        is_first, self.must_stop = not self.must_stop, True
        if is_first:  # a second one would interrupt the end of the work
            raise KeyboardInterrupt

    def _on_change(self, _: int, __: FrameType | None) -> None:
        self._has_changes = True
        if self._clock() >= self._allowed_from:
            raise KeyboardInterrupt


# -- changes: new versions, other settings, a final that is due -----------------------------------


class ChangeWatcher:
    def __init__(self, contest_file: Path, clock: Callable[[], float] = time.time) -> None:
        self._contest_file = contest_file
        self._clock = clock
        self._state: tuple[object, ...] = ()
        self.has_changed()

    def has_changed(self) -> bool:
        try:
            state = self._read_state()
        except (ArenaError, EngineError, OSError) as error:  # the ladder itself reports it
            state = (str(error),)
        has_changed, self._state = state != self._state, state
        return has_changed

    def _read_state(self) -> tuple[object, ...]:
        contest = read_served(self._contest_file)
        rules = rules_of(contest)
        folder, now = self._contest_file.parent, local_time(self._clock())
        return (
            file_stamp(self._contest_file),
            FINAL.read(folder),
            is_final_due(contest, now) and not are_unchecked(contest),
            frozen_since(contest, folder, now),
            [(version.owner, version.version) for version in rules.inbox.lineup()] if rules else [],
        )


def are_unchecked(contest: Contest) -> bool:
    rules = rules_of(contest)
    return rules is not None and any(
        not submission.is_trial for submission in rules.inbox.unchecked()
    )


# -- the ladder --------------------------------------------------------------------------------


MAX_UNDISTURBED_S = 30.0  # otherwise, frequent uploads could keep games from ever finishing
PAUSE_S = 15.0


class _LadderRun(RunObserver):
    def __init__(
        self,
        contest_folder: Path,
        interrupts: Interrupts,
        report: Callable[..., object],
    ) -> None:
        self._contest_folder = contest_folder
        self._interrupts = interrupts
        self._report = report
        self._began = time.monotonic()

    @contextlib.contextmanager
    def playing(self, run: StartedRun) -> Iterator[None]:
        with contextlib.closing(ServerDatabase(self._contest_folder / DATABASE)) as database:
            keep_in_run(People(database), run.contest, run.store.folder)
        self._report("playing", run.store.folder.name, left_out=_exclusions(run.lineup))
        undisturbed_s = min(MAX_UNDISTURBED_S, time.monotonic() - self._began)
        with self._interrupts.allowed(undisturbed_s):
            yield


class Ladder:
    def __init__(
        self,
        contest_file: Path,
        workers: int,
        interrupts: Interrupts,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._contest_file = contest_file
        self._folder = contest_file.parent
        self._workers = workers
        self._interrupts = interrupts
        self._clock = clock

    def play_until_stopped(self) -> None:
        while not self._interrupts.must_stop:
            wait_s = self.play_or_wait()
            if wait_s != 0:
                self._interrupts.wait(wait_s)
        self._report("stopped")

    def play_or_wait(self) -> float | None:
        """Play all games that can be played now.

        Return how many seconds to wait before the next call, or None to wait for a signal.
        """
        self._interrupts.take_changes()
        try:
            self._play_all()
        except (KeyboardInterrupt, RunStopped):
            return 0.0
        except (ArenaError, EngineError, OSError) as error:
            self._report("waiting", text=str(error))
            return PAUSE_S
        return None

    def _play_all(self) -> None:
        contest = self._contest()
        final = self._final(contest)
        results = Path(contest.results)
        if final and not is_over(results / final.run):
            self._play(as_final(contest, final.run), final)
        self._play(msgspec.structs.replace(contest, name=run_name(contest)))
        is_frozen = frozen_since(contest, self._folder, local_time(self._clock())) is not None
        if contest.publish and not (is_frozen or contest.serve.pseudonyms):  # the site shows names
            final = finished_final(contest, self._folder)
            run = results / (final.run if final else run_name(contest))
            with Store.open(run) as store, Site(Path(contest.publish)) as site:
                publish(store, site, _say, published_secret(store) if final else None)

    def _contest(self) -> Contest:
        contest = with_server_sandbox(read_served(self._contest_file))
        contest.stop_rule()  # refuses wrong settings
        machine = msgspec.structs.replace(contest.machine, workers=self._workers)
        return msgspec.structs.replace(contest, machine=machine)

    def _final(self, contest: Contest) -> FinalFile | None:
        """Return the latest final or rehearsal. If a final is due, request it."""
        final, now = requested_final(contest, self._folder), local_time(self._clock())
        is_due = is_final_due(contest, now) and not are_unchecked(contest)
        if is_due and (final is None or final.is_rehearsal):
            name = final_name(contest, Path(contest.results))
            final = FinalFile(run=name, asked=self._clock())
            FINAL.write(self._folder, final)
        return final

    def _play(self, contest: Contest, final: FinalFile | None = None) -> None:
        name = contest.name or ""
        self._report("starting", name)
        folder = Path(contest.results) / name
        request = RunRequest(
            contest,
            folder,
            self._contest_file,
            is_final=final is not None and not final.is_rehearsal,
            accepts_risk=True,
            keeps_bots=final is not None,
        )
        observer = _LadderRun(self._folder, self._interrupts, self._report)
        played = play_contest(request, observer)
        self._report("over", name, left_out=_exclusions(played.lineup))

    def _report(
        self, activity: Activity, run: str = "", *, text: str = "", left_out: Sequence[str] = ()
    ) -> None:
        state = LadderState(
            activity=activity,
            run=run,
            since=self._clock(),
            text=text,
            left_out=tuple(left_out),
            workers=self._workers,
        )
        try:
            STATE.write(self._folder, state)
        except ServeError as error:  # the disk is full, which must not stop the games
            _say(str(error))


def as_final(contest: Contest, name: str) -> Contest:
    rounds = final_rounds(contest)
    return msgspec.structs.replace(contest, name=name, seed=None, secret=None, rounds=rounds)


def _exclusions(lineup: Lineup | None) -> Sequence[str]:
    return lineup.warnings if lineup else ()


def _say(text: str) -> None:
    print(f"ladder: {text}", file=sys.stderr, flush=True)


# -- the process that plays the ladder of a contest, and its final -----------------------------


POLL_S = 1.0


def main() -> None:
    interrupts = Interrupts()
    with contextlib.suppress(KeyboardInterrupt), interrupts.listening():
        contest_file, workers = sys.argv[1:]
        watcher = ChangeWatcher(Path(contest_file))
        watch_input(lambda: _send_signal(signal.SIGTERM), lambda: _send_signal(CHANGE_SIGNAL))
        threading.Thread(target=_watch, args=[watcher, interrupts], daemon=True).start()
        Ladder(Path(contest_file), int(workers), interrupts).play_until_stopped()


def _watch(watcher: ChangeWatcher, interrupts: Interrupts) -> None:
    while True:
        time.sleep(POLL_S)
        if watcher.has_changed() or interrupts.has_changes:
            _send_signal(CHANGE_SIGNAL)


def _send_signal(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()
