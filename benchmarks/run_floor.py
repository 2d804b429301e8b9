"""Compare a whole run with a program that does only what any Python framework must do.

    python -m benchmarks.run_floor                  # all games, 60 rounds
    python -m benchmarks.run_floor --game pot-de-vin --rounds 400 --repeats 3

The program (`run_floor_program`) replays the run's games with the same quick bots, one process per
core. It computes views, events and legal actions, sends requests, reads replies and applies them.
As in a run, no bot process gets the same deal twice. It reads the deals from a file, and doesn't
measure the bots, handle faults, use a sandbox, store records or compute ratings. It must play the
same actions as the run. Both are timed from start to exit. "Own" is the processor time of all
processes except the bots.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from arena.base.record import Game
from arena.process.host import usable
from arena.tournament.games import scheduled_games
from arena.tournament.store import Store
from benchmarks.processes import ARENA, workers_of
from benchmarks.run_floor_program import Bot, Part, Played
from benchmarks.timing import environment

PROGRAM = (sys.executable, "-m", "benchmarks.run_floor_program")
POLL_S = 0.02


class Use(NamedTuple):
    """Seconds used by a run or by the program."""

    clock_s: float
    total_s: float
    """Processor time of all processes."""
    own_s: float
    """Processor time of all processes except the bots."""


def play_run(folder: Path, game: str, rounds: int, workers: int) -> Use:
    """Play a run of the quick bots in all variants of `game`, or of all games if it is empty."""
    command = [*ARENA, "run", "--results", str(folder.parent), "--name", folder.name, "--seed", "0"]
    command += ["--sandbox", "none", "--rounds", str(rounds), "--workers", str(workers)]
    command += ["--game", game] if game else []
    began, own = time.perf_counter(), dict[int, float]()
    with folder.with_suffix(".log").open("wb") as log:
        run = subprocess.Popen(command, stdout=log, stderr=log, env=environment())
        while not os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            own |= _own_s(run.pid)
            time.sleep(POLL_S)
    own |= _own_s(run.pid)
    total_s = _used_s(run)
    return Use(time.perf_counter() - began, total_s, sum(own.values()))


def _own_s(main: int) -> dict[int, float]:
    """Return the processor time of a run's main process and of its live workers, by pid."""
    found = {}
    for pid in (main, *workers_of(main)):
        with suppress(OSError):  # it has ended
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            found[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def parts_of(games: Sequence[Game], number: int) -> list[list[Game]]:
    """Divide the games into `number` parts of whole boards."""
    parts: list[list[Game]] = [[] for _ in range(number)]
    for place, (_, board) in enumerate(groupby(games, key=attrgetter("variant", "board"))):
        parts[place % number] += board
    return parts


def play_floor(folder: Path, run: Path, processes: int) -> Use:
    """Replay the run's games with the program. Raises `ValueError` if an action differs."""
    with Store.open(run) as store:
        settings = store.settings()
    bots = tuple(
        [Bot(entrant.name, entrant.command, entrant.folder) for entrant in settings.entrants]
    )
    parts = parts_of(list(scheduled_games(settings)), processes)
    files = [folder / f"part-{number}.json" for number in range(processes)]
    for file, core, games in zip(files, usable(), parts, strict=False):
        file.write_bytes(msgspec.json.encode(Part(core, bots, tuple(games))))
    with ExitStack() as stack:
        outputs = [stack.enter_context(file.with_suffix(".out").open("w+b")) for file in files]
        began = time.perf_counter()
        programs = [
            subprocess.Popen([*PROGRAM, str(file)], stdout=output, env=environment())
            for file, output in zip(files, outputs, strict=True)
        ]
        total_s = sum([_used_s(program) for program in programs])
        clock_s = time.perf_counter() - began
    played = [
        msgspec.json.decode(file.with_suffix(".out").read_bytes(), type=Played) for file in files
    ]
    _check(run, played)
    return Use(clock_s, total_s, sum([part.own_s for part in played]))


def _used_s(program: subprocess.Popen[bytes]) -> float:
    """Wait for a program, and return the processor time of it and its bots."""
    _, status, used = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode:
        raise ValueError(f"the program has failed: exit code {program.returncode}")
    return used.ru_utime + used.ru_stime


def _check(run: Path, played: Sequence[Played]) -> None:
    """Raise `ValueError` unless the program has played the run's games."""
    actions = {key: some for part in played for key, some in part.actions.items()}
    with Store.open(run) as store:
        if actions != {record.key: record.actions for record in store.records()}:
            raise ValueError("the program has played other games than the run")


def measure(game: str, rounds: int, processes: int) -> tuple[int, Use, Use]:
    """Return the number of games, and what the run and the program used."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "run")
        run = play_run(place, game, rounds, processes)
        floor = play_floor(Path(folder), place, processes)
        with Store.open(place) as store:
            games = store.count()
    return games, run, floor


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="", help="only this one; default: all")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--workers", type=int, default=len(usable()))
    parser.add_argument("--repeats", type=int, default=1)
    chosen = parser.parse_args()
    runs: list[Use] = []
    floors: list[Use] = []
    games = 0
    for _ in range(chosen.repeats):
        games, run, floor = measure(chosen.game, chosen.rounds, chosen.workers)
        runs.append(run)
        floors.append(floor)
    print(f"{games} games, {chosen.workers} workers, medians of {chosen.repeats}")
    for what, field in (
        ("on the clock", "clock_s"),
        ("processor time", "total_s"),
        ("of it own", "own_s"),
    ):
        ours, least = [[getattr(use, field) for use in some] for some in (runs, floors)]
        over = [one / other for one, other in zip(ours, least, strict=True)]
        print(
            f"{what:14} {median(ours):7.2f} s, the floor {median(least):7.2f} s: "
            f"{median(over):.2f} ({min(over):.2f} to {max(over):.2f})"
        )


if __name__ == "__main__":
    main()
