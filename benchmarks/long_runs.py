"""Long runs of the arena as processes, which `soak.py` watches and kills."""

import contextlib
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from arena.base.errors import ArenaError
from arena.tournament.games import count_games
from arena.tournament.store import Store

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")
WORKER = b"arena.tournament.executors.worker"
SAMPLE_S = 0.25
"""The time between two samples of what a run holds."""
LOOK_S = 0.05
"""The time between two looks at the number of its games."""
MAX_DELAY_S, END_S = 0.5, 0.5
"""The longest time from a number of games to the kill, and what the arena gets to end after it."""


def make_bot(folder: Path, name: str, program: str, *arguments: str) -> Path:
    """Make the folder of a bot that starts quickly, and return it."""
    bot = folder / name
    bot.mkdir(parents=True)
    command = str(["python", "-S", "-E", "bot.py", *arguments]).replace("'", '"')
    (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n')
    (bot / "bot.py").write_text(program)
    return bot


# -- processes ---------------------------------------------------------------------------------


def start_arena(
    arguments: Sequence[str],
    output: IO[str] | int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start an `arena` command in a session of its own."""
    return subprocess.Popen(
        [*ARENA, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    )


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started; none if it has ended."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def workers_of(pid: int) -> list[int]:
    """Return the workers of an arena process; none if it is gone."""
    return [child for child in children_of(pid) if WORKER in command_of(child)]


def command_of(pid: int) -> bytes:
    """Return the command of a process, its words ended by zeros; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def processes_with(token: str) -> list[int]:
    """Return the processes with `token` in their command."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        pid = int(path.parent.name)
        if token.encode() in command_of(pid):
            found.append(pid)
    return found


def kill_all(pids: Sequence[int]) -> None:
    """Send SIGKILL to these processes."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def play_killed(
    arguments: Sequence[str],
    run: Path,
    moments: Sequence[int],
    rng: random.Random,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Start a run again and again, and kill it each time; return the number of kills.

    It is killed soon after each of `moments`, numbers of games that are stored in its folder `run`.
    Where only a worker is killed, the arena goes on. At the end the arena is killed.
    """
    killed = 0
    process: subprocess.Popen[str] | None = None
    for moment in moments:
        if process is None or process.poll() is not None:
            process = start_arena(arguments, environment=environment)
        while count_stored(run) < moment and process.poll() is None:
            time.sleep(LOOK_S)
        time.sleep(rng.uniform(0.0, MAX_DELAY_S))
        if process.poll() is not None:  # too late
            check_result(process, arguments)
            break
        workers = workers_of(process.pid)
        kill_all(rng.choice([[process.pid], workers[:1], [process.pid, *workers]]))
        killed += 1
        wait_until(_has_ended(process), END_S)
    if process and process.poll() is None:
        process.kill()
        process.wait()
    return killed


def _has_ended(process: subprocess.Popen[str]) -> Callable[[], bool]:
    return lambda: process.poll() is not None


def check_result(process: subprocess.Popen[str], arguments: Sequence[str]) -> None:
    """End the program if a process that has ended has failed."""
    if process.returncode:
        raise SystemExit(f"`arena {' '.join(arguments)}` ended with {process.returncode}")


def count_stored(run: Path) -> int:
    """Return the number of games that a run has stored."""
    try:
        with Store.open(run) as store:
            return store.count()
    except ArenaError:  # it has not begun
        return 0


def games_wrong(store: Store) -> Iterator[str]:
    """Yield what is wrong unless each game of the schedule is stored exactly once."""
    scheduled = count_games(store.settings())
    keys = [game.key for game in store.all_games()]
    if not len(set(keys)) == len(keys) == store.count() == scheduled:
        yield f"{len(keys)} games, {len(set(keys))} different, of {scheduled}"


# -- what a run holds --------------------------------------------------------------------------


class Held(NamedTuple):
    """Resources that the arena and its workers hold at a moment."""

    processes: int
    descriptors: int
    threads: int
    zombies: int
    memory_mib: float
    """Of all of them."""
    main_memory_mib: float
    """Of the first process."""


def held_by(pid: int) -> Held:
    """Return what an arena process and its workers hold now.

    Raises:
        OSError: one of them has just ended.
    """
    referee = [pid, *workers_of(pid)]
    descriptors = threads = zombies = 0
    memory_mib = []
    for process in referee:
        descriptors += len(list(Path(f"/proc/{process}/fd").iterdir()))
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{process}/status").read_text().splitlines()
            if ":\t" in line
        )
        threads += int(status.get("Threads", 0))
        memory_mib.append(int(status.get("VmRSS", "0 kB").split()[0]) / 1024)
        for child in children_of(process):
            with contextlib.suppress(OSError):
                state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
                zombies += state == "Z"
    total_mib = sum(memory_mib)
    return Held(len(referee), descriptors, threads, zombies, total_mib, memory_mib[0])


def play_watched(arguments: Sequence[str], **options: Any) -> list[Held]:
    """Play a run to its end, and return samples of what it holds while all its workers are there.

    `options` are those of `start_arena`.
    """
    held: list[Held] = []
    process = start_arena(arguments, **options)
    while process.poll() is None:
        with contextlib.suppress(OSError):
            held.append(held_by(process.pid))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SAMPLE_S)
    check_result(process, arguments)
    most = max((sample.processes for sample in held), default=0)
    return [sample for sample in held if sample.processes == most]


def growth(held: Sequence[Held], slack: Mapping[str, float]) -> list[str]:
    """Return a sentence for each resource that grows by more than `slack`.

    The medians of the first third and of the last third of the samples are compared.
    """
    third = len(held) // 3
    if not third:
        return []
    early, late = held[:third], held[-third:]
    return [
        f"{what} grow from {before:.1f} to {after:.1f}"
        for what, most in slack.items()
        if (after := statistics.median(getattr(sample, what) for sample in late))
        > most + (before := statistics.median(getattr(sample, what) for sample in early))
    ]


def print_held(held: Sequence[Held]) -> None:
    """Print eleven of the samples."""
    print("share of the time  processes  descriptors  threads  zombies  memory MiB  of the first")
    for number in range(11 if held else 0):
        one = held[number * (len(held) - 1) // 10]
        print(
            f"{number / 10:17.0%} {one.processes:10} {one.descriptors:12} {one.threads:8} "
            f"{one.zombies:8} {one.memory_mib:11.1f} {one.main_memory_mib:13.1f}"
        )


def wait_until(is_so: Callable[[], bool], seconds: float) -> bool:
    """Wait until `is_so` returns True, at most `seconds`; return what it returned last."""
    deadline = time.monotonic() + seconds
    while not (result := is_so()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return result
