"""A long run of honest, faulty and hostile bots that is killed again and again.

    python -m benchmarks.soak [--games 10000] [--kills 20] [--level auto]

plays one run. In its first half, it is killed with SIGKILL at random moments: the arena, a worker,
or all of them. Then it is resumed and watched to its end. The exit code is 1 unless

- every game of the schedule is stored exactly once,
- `arena verify` finds no difference,
- every fault is one that its bot provokes, and no honest bot has been replaced,
- no process, control group or temporary file is left,
- the arena holds no more at the end than when it was resumed.
"""

import argparse
import contextlib
import fcntl
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.cgroup import PREFIX, REFEREE
from arena.tournament.store import Store
from benchmarks.long_runs import (
    Held,
    games_wrong,
    growth,
    kill_all,
    make_bot,
    play_killed,
    play_watched,
    print_held,
    processes_with,
    start_arena,
    wait_until,
)
from benchmarks.soak_bots import BOTS, HONEST, MEMORY_MIB, PROCESSES

VARIANT = "bribery/2"
GAMES_A_ROUND = len(BOTS) // 2
LIMITS = (
    *("--set", "limits.move_ms=500", "--set", "limits.bank_ms=2000"),
    *("--set", "limits.start_ms=20000"),
)
BOUNDS = (
    *("--set", f"sandbox.memory_mib={MEMORY_MIB}"),
    *("--set", f"sandbox.processes={PROCESSES}"),
)
NAME = "soak"
KILLED_SHARE = 0.5
"""The share of the games in which the run is killed."""
SLACK = {"descriptors": 6 * len(BOTS), "threads": 1, "zombies": 4, "main_memory_mib": 16}
"""Allowed growth from the first third of the last life to its last third. The memory is that of
one and a half of the largest portions of a schedule: while the next one begins, there are two.
"""
END_S = 5.0
"""The time that the last processes have to end."""


class Soaked(NamedTuple):
    """The result of a soak."""

    games: int
    seconds: float
    kills: int
    faults: Counter[tuple[str, str]]
    """By bot and kind."""
    restarts: Counter[str]
    """By bot: its processes that broke without a fault."""
    held: list[Held]
    """From the last start to the end."""
    wrong: list[str]
    """A sentence for each failure."""


def soak(folder: Path, games: int, kills: int, level: str, seed: int = 0) -> Soaked:
    """Play a run of at least `games` games in `folder`, and check it."""
    rng = random.Random(seed)
    token = f"soak-{rng.getrandbits(64):016x}-{time.monotonic_ns():x}"
    temporary = folder / "tmp"
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary)}
    groups = set(abandoned_groups())
    arguments = _arguments(folder, games, level, token)
    moments = sorted(rng.randrange(int(KILLED_SHARE * games) + 1) for _ in range(kills))
    began = time.monotonic()
    killed = play_killed(arguments, folder / NAME, moments, rng, environment)
    held = play_watched(arguments, environment=environment)
    seconds = time.monotonic() - began
    with Store.open(folder / NAME) as store:
        wrong = list(games_wrong(store))
        observed = list(store.observed_records())
    faults: Counter[tuple[str, str]] = Counter()
    restarts: Counter[str] = Counter()
    for record, seen in observed:
        faults.update((record.entrants[fault.seat], fault.kind) for fault in record.faults)
        restarts.update(record.entrants[restart.seat] for restart in seen.restarts)
    wrong += _faults_wrong(faults, restarts)
    wrong += _verify(folder)
    wrong += _left(token, temporary, groups)
    wrong += growth(held, SLACK)
    return Soaked(len(observed), seconds, killed, faults, restarts, held, wrong)


def _arguments(folder: Path, games: int, level: str, token: str) -> list[str]:
    rounds = math.ceil(games / GAMES_A_ROUND)
    arguments = ["run", "--variant", VARIANT, "--rounds", str(rounds), "--sandbox", level]
    arguments += [
        *LIMITS,
        *BOUNDS,
        "--set",
        "withdrawal=false",
        "--results",
        str(folder),
        "--name",
        NAME,
    ]
    for name, bot in BOTS.items():
        arguments += ["--bot", str(make_bot(folder / "bots", name, bot.program, token))]
    return arguments


# -- checks ------------------------------------------------------------------------------------


def _faults_wrong(faults: Counter[tuple[str, str]], restarts: Counter[str]) -> Iterator[str]:
    for (name, kind), number in sorted(faults.items()):
        if kind not in BOTS[name].faults:
            yield f"{name} is charged with {kind} in {number} games"
    for name in HONEST:
        if number := restarts[name]:
            yield f"{name} is replaced {number} times"


def _verify(folder: Path) -> Iterator[str]:
    process = start_arena(["verify", NAME, "--results", str(folder)], output=subprocess.PIPE)
    said, _ = process.communicate()
    if process.returncode:
        yield f"`arena verify` ends with {process.returncode}: {said.strip()}"


def _left(token: str, temporary: Path, groups: set[Path]) -> Iterator[str]:
    """Yield what is left of a run that is over. Processes that are left are killed."""
    if not wait_until(lambda: not processes_with(token), END_S):
        left = processes_with(token)
        yield f"{len(left)} processes are left"
        kill_all(left)
    if files := list(temporary.iterdir()):
        yield f"temporary files are left: {', '.join(file.name for file in files)}"
    if more := set(abandoned_groups()) - groups:
        yield f"control groups are left: {', '.join(map(str, sorted(more)))}"


def abandoned_groups() -> Iterator[Path]:
    """Yield the control groups of arenas that are gone. A living arena has locked its own."""
    for path in Path("/sys/fs/cgroup").glob(f"**/{PREFIX}*"):
        if path.name == REFEREE:  # belongs to all arenas of its group
            continue
        with contextlib.suppress(OSError):
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield path
            finally:
                os.close(folder)


def main() -> None:
    """Play the run and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--level", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = soak(Path(folder), options.games, options.kills, options.level, options.seed)
    print(
        f"{result.games} games in {result.seconds:.0f} s ({result.seconds / result.games:.3f} s "
        f"a game), killed {result.kills} times, {result.faults.total()} faults"
    )
    for name in sorted({name for name, _ in result.faults} | result.restarts.keys()):
        kinds = [f"{number} {kind}" for (bot, kind), number in result.faults.items() if bot == name]
        print(f"  {name:10} {', '.join(sorted(kinds)) or 'none'}", end="")
        print(f"; replaced {result.restarts[name]} times" if result.restarts[name] else "")
    print_held(result.held)
    for text in result.wrong:
        print(f"WRONG: {text}")
    sys.exit(bool(result.wrong))


if __name__ == "__main__":
    main()
