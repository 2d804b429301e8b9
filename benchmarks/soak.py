"""A long run of honest, faulty and hostile bots that is killed again and again.

    python -m benchmarks.soak [--games 10000] [--kills 20] [--level auto]

plays one run. In its first half, it is killed with SIGKILL at random moments: the arena, a worker,
or all of them. Then it is resumed and watched to its end. The exit code is 1 unless

- every game of the schedule is stored exactly once,
- `arena verify` finds no difference,
- every fault is one that its bot provokes, and no honest bot has been replaced,
- no process, control group or temporary file is left,
- the arena holds no more at the end than when it was resumed.

    python -m benchmarks.soak --compare [--games 2000] [--kills 10]

plays the games of faulty bots twice: once without interruption, watching what the arena holds, and
once killed at random moments. Both runs must have each game once, and the same records and
leaderboard, byte for byte.
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

from arena.base.record import GameRecord, Observations
from arena.sandbox.cgroup import PREFIX, REFEREE
from arena.tournament.store import Store
from benchmarks.long_runs import (
    FAULTY_BOT,
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
COMPARED_VARIANT, COMPARED_BOTS = "pot-de-vin/3", 4
PATIENT = ("--set", "limits.move_ms=120000", "--set", "limits.start_ms=120000")
COMPARED_SLACK = {"descriptors": 6 * COMPARED_BOTS, "threads": 1, "zombies": 2}
"""Allowed growth of a whole run: bots come and go, each with three pipes."""
"""One of the eight parts of a digest as it is printed, at the end."""
END_S = 5.0
"""The time that the last processes have to end."""


class Soaked(NamedTuple):
    """The result of a soak, or of two runs that were compared."""

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
    faults, restarts = _broken(observed)
    wrong += _faults_wrong(faults, restarts)
    wrong += _verify(folder)
    wrong += _left(token, temporary, groups)
    wrong += growth(held, SLACK)
    return Soaked(len(observed), seconds, killed, faults, restarts, held, wrong)


def compare(folder: Path, games: int, kills: int, seed: int = 0) -> Soaked:
    """Play two runs of at least `games` games of faulty bots under `folder`, and compare them."""
    rng = random.Random(seed)
    arguments = ["run", "--variant", COMPARED_VARIANT, "--rounds", str(games), "--seed", "0"]
    arguments += [*PATIENT, "--set", "withdrawal=false", "--results", str(folder)]
    for number in range(COMPARED_BOTS):
        arguments += ["--bot", str(make_bot(folder, f"faulty-{number}", FAULTY_BOT))]
    began = time.monotonic()
    held = play_watched([*arguments, "--name", "whole"])
    seconds = time.monotonic() - began
    moments = sorted(rng.randrange(games) for _ in range(kills))
    killed_arguments = [*arguments, "--name", "killed"]
    killed = play_killed(killed_arguments, folder / "killed", moments, rng)
    play_watched(killed_arguments)
    wrong = _differences(folder) + growth(held, COMPARED_SLACK)
    with Store.open(folder / "whole") as store:
        observed = list(store.observed_records())
    return Soaked(len(observed), seconds, killed, *_broken(observed), held, wrong)


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


def _broken(
    observed: list[tuple[GameRecord, Observations]],
) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Return the faults by bot and kind, and the restarts by bot."""
    faults: Counter[tuple[str, str]] = Counter()
    restarts: Counter[str] = Counter()
    for record, seen in observed:
        faults.update((record.entrants[fault.seat], fault.kind) for fault in record.faults)
        restarts.update(record.entrants[restart.seat] for restart in seen.restarts)
    return faults, restarts


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


def _differences(folder: Path) -> list[str]:
    """Return a sentence for each difference between the runs, or from the schedule."""
    wrong = []
    with Store.open(folder / "whole") as whole, Store.open(folder / "killed") as killed:
        for name, store in (("whole", whole), ("killed", killed)):
            wrong += [f"{name}: {text}" for text in games_wrong(store)]
        for was, now in zip(whole.records(), killed.records(), strict=False):
            if was != now:
                wrong.append(f"another record of {was.title}: {was.faults}, then {now.faults}")
                break
    for file in ("leaderboard.json", "leaderboard.csv"):
        if (folder / "whole" / file).read_bytes() != (folder / "killed" / file).read_bytes():
            wrong.append(f"{file} differs")
    return wrong


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
    parser.add_argument("--compare", action="store_true", help="two runs of faulty bots")
    parser.add_argument("--games", type=int, help="default: 10000, compared 2000")
    parser.add_argument("--kills", type=int, help="default: 20, compared 10")
    parser.add_argument("--level", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    games = options.games or (2_000 if options.compare else 10_000)
    kills = (10 if options.compare else 20) if options.kills is None else options.kills
    with tempfile.TemporaryDirectory() as folder:
        if options.compare:
            result = compare(Path(folder), games, kills, options.seed)
        else:
            result = soak(Path(folder), games, kills, options.level, options.seed)
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
