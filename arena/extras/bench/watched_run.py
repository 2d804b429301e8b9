"""A run of `arena run` as a process, watched from outside: what each process of it uses.

Nothing of the run is changed. The system tells the processor time of everything when the run ends;
that of main process, workers and bots is read while they live, so a few milliseconds of each
process may be missing.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.errors import BenchError
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")
WORKER = b"arena.tournament.executors.worker"
POLL_S = 0.005
POLLS_A_LOOK = 20
"""Polls for the end of the run between two looks at its processes."""


class RunUse(NamedTuple):
    """What a run has used, in seconds of processor time unless it says otherwise."""

    folder: Path
    games: int
    clock_s: float
    """From Enter to the end, in seconds on the clock."""
    first_game_s: float
    """From Enter to the first stored game, in seconds on the clock."""
    total_s: float
    main_s: float
    workers_s: float
    bot_processes: int
    main_mib: float
    """The peak memory of the main process."""
    record_bytes: float
    """The size of the database, over its games."""

    @property
    def busy_s(self) -> float:
        """The processor time of everything, per game."""
        return self.total_s / self.games


def settings_of(use: RunUse) -> Settings:
    """Return the settings of a run."""
    with Store.open(use.folder) as store:
        return store.settings(Settings)


def records_of(use: RunUse) -> list[bytes]:
    """Return the records of a run, as JSON."""
    with Store.open(use.folder) as store:
        return list(store.raw_records())


def watched_run(folder: Path, options: Sequence[str]) -> RunUse:
    """Return the use of `arena run` with `options`, as the run `folder`.

    Raises:
        BenchError: the run failed.
    """
    output = folder.with_suffix(".log")
    place = ("--results", str(folder.parent), "--name", folder.name)
    command = [*ARENA, "run", *place, "--seed", "0", "--sandbox", "none", *options]
    begin = time.perf_counter()
    with open(output, "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=_environment())
        watch = _Watch(process.pid, folder / f"{DATABASE}-wal")
        watch.until_the_end()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    end = time.perf_counter()
    if process.returncode:
        lines = output.read_text(errors="replace").strip().splitlines()
        raise BenchError(f"`arena run` failed: {lines[-1] if lines else 'it said nothing'}")
    with Store.open(folder) as store:
        games = store.count()
    return RunUse(
        folder=folder,
        games=games,
        clock_s=end - begin,
        first_game_s=watch.first_game - begin,
        total_s=used.ru_utime + used.ru_stime,
        main_s=watch.seconds("main"),
        workers_s=watch.seconds("worker"),
        bot_processes=watch.number("bot"),
        main_mib=watch.main_mib,
        record_bytes=(folder / DATABASE).stat().st_size / games,
    )


def _environment() -> Mapping[str, str]:
    """Return an environment in which Python is as installed: it uses its compiled modules."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


class _Watch:
    """Looks at the processes of a run until its main process ends."""

    def __init__(self, main: int, log: Path) -> None:
        """`log` is the file that is no longer empty when the first game is stored."""
        self.first_game = 0.0
        """When the first game was stored, by `time.perf_counter`."""
        self.main_mib = 0.0
        self._main = main
        self._log = log
        self._roles = {main: "main"}
        self._used: dict[int, float] = {}

    def seconds(self, role: str) -> float:
        """Return the processor time of all processes of a role."""
        return sum([used for pid, used in self._used.items() if self._roles[pid] == role])

    def number(self, role: str) -> int:
        """Return the number of processes of a role."""
        return sum([own_role == role for own_role in self._roles.values()])

    def until_the_end(self) -> None:
        """Return when the main process has ended. It is not reaped."""
        polls = 0
        while not os.waitid(os.P_PID, self._main, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if not self.first_game and self._log.exists() and self._log.stat().st_size:
                self.first_game = time.perf_counter()
            if polls % POLLS_A_LOOK == 0:
                self._look()
            polls += 1
            time.sleep(POLL_S)
        self.first_game = self.first_game or time.perf_counter()
        self._used[self._main] = _used_s(self._main)

    def _look(self) -> None:
        waiting = [(self._main, "main")]
        while waiting:
            pid, role = waiting.pop()
            self._roles[pid] = role
            try:
                self._used[pid] = _used_s(pid)
                if role == "main":
                    self.main_mib = max(self.main_mib, _peak_mib(pid))
                waiting += [(child, self._role(child, role)) for child in children_of(pid)]
            except OSError:  # it ended
                continue

    def _role(self, child: int, parent: str) -> str:
        """Return the role of a process by that of its parent."""
        if parent != "main":
            return "bot" if parent in ("worker", "bot") else parent
        if self._roles.get(child) == "worker":  # it may have ended, and has no command any more
            return "worker"
        return "worker" if WORKER in Path(f"/proc/{child}/cmdline").read_bytes() else "other"


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started; none if it has ended."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def _used_s(pid: int) -> float:
    """Return the processor time of a process, of all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mib(pid: int) -> float:
    """Return the peak memory of a process. One that has ended has none."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def start_s(
    command: Sequence[str],
    folder: str,
    hello: bytes,
    environment: Mapping[str, str] | None = None,
) -> float:
    """Return the processor time of a program from its start to its first line, in seconds.

    It is sent `hello`. Without an `environment`, Python is as installed.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=_environment() if environment is None else environment,
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(hello)
        process.stdout.readline()
        ran_ns = int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0])
        process.stdin.close()
    return ran_ns / 1e9
