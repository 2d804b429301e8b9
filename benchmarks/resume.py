"""A run of bots with many faults, compared with the same run killed and resumed many times.

    python -m benchmarks.resume [--games 2000] [--kills 10]

plays the same games twice: once without interruption, watching what the arena holds, and once
killed with SIGKILL at random moments. It ends with exit code 1 unless every game is recorded
exactly once, both runs have the same records and leaderboard, and the arena has no more
descriptors, threads and zombies at the end than at the start.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from arena.record import read_record
from arena.tournament.store import Store
from benchmarks.long_runs import (
    FAULTY_BOT,
    Held,
    check_result,
    games_wrong,
    growth,
    make_bot,
    play_killed,
    play_watched,
    print_held,
    start_arena,
)

VARIANT = "pot-de-vin/3"
BOTS = 4
PATIENT = ("--move-ms", "120000", "--start-ms", "120000")
SLACK = {"descriptors": 6 * BOTS, "threads": 1, "zombies": 2}
"""Allowed growth from the first third to the last: bots come and go, each with three pipes."""


class Comparison(NamedTuple):
    """The result of two runs."""

    games: int
    faults: dict[str, int]
    """By kind."""
    seconds: float
    """The time of the run without interruption."""
    kills: int
    held: list[Held]
    wrong: list[str]
    """A sentence for each failure."""


def compare(folder: Path, games: int, kills: int, seed: int = 0) -> Comparison:
    """Play two runs of at least `games` games under `folder`, and compare them."""
    bots = [make_bot(folder, f"faulty-{number}", FAULTY_BOT) for number in range(BOTS)]
    arguments = ["run", "--variant", VARIANT, "--rounds", str(games), "--seed", "0", *PATIENT]
    arguments += ["--no-withdrawal", "--results", str(folder)]
    for bot in bots:
        arguments += ["--bot", str(bot)]
    began = time.monotonic()
    held = play_watched([*arguments, "--name", "whole"])
    seconds = time.monotonic() - began
    killed = _play_killed([*arguments, "--name", "killed"], folder / "killed", games, kills, seed)
    wrong = list(_differences(folder)) + growth(held, SLACK)
    with Store.open(folder / "whole") as store:
        records = [read_record(record) for record in store.raw_records()]
    faults = Counter[str](fault.kind for record in records for fault in record.faults)
    return Comparison(len(records), dict(faults), seconds, killed, held, wrong)


def _play_killed(arguments: list[str], run: Path, games: int, kills: int, seed: int) -> int:
    """Play a run to its end, killed at most `kills` times; return the number of kills."""
    rng = random.Random(seed)
    moments = sorted(rng.randrange(games) for _ in range(kills))
    killed = play_killed(arguments, run, moments, rng)
    last = start_arena(arguments)
    last.wait()
    check_result(last, arguments)
    return killed


def _differences(folder: Path) -> list[str]:
    """Return a sentence for each difference between the runs, or from the schedule."""
    wrong = []
    with Store.open(folder / "whole") as whole, Store.open(folder / "killed") as killed:
        for name, store in (("whole", whole), ("killed", killed)):
            wrong += [f"{name}: {text}" for text in games_wrong(store)]
        for one, other in zip(whole.raw_records(), killed.raw_records(), strict=False):
            if one != other:
                was, now = read_record(one), read_record(other)
                wrong.append(f"another record of {was.title}: {was.faults}, then {now.faults}")
                break
    for file in ("leaderboard.json", "leaderboard.csv"):
        if (folder / "whole" / file).read_bytes() != (folder / "killed" / file).read_bytes():
            wrong.append(f"{file} differs")
    return wrong


def main() -> None:
    """Play both runs and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = compare(Path(folder), options.games, options.kills, options.seed)
    faults = ", ".join(f"{number} {kind}" for kind, number in sorted(result.faults.items()))
    print(f"{result.games} games in {result.seconds:.0f} s, {sum(result.faults.values())} faults")
    print(f"  {faults}; the other run was killed {result.kills} times")
    print_held(result.held)
    for text in result.wrong:
        print(f"WRONG: {text}")
    sys.exit(bool(result.wrong))


if __name__ == "__main__":
    main()
