"""A long run of bots with many faults, compared with the same run killed and resumed many times.

    python benchmarks/soak.py [--games 10000] [--kills 20]

plays the same games twice: once without interruption, watching what the referee holds, and once
killed with SIGKILL at random moments. It ends with exit code 1 unless every game is recorded
exactly once, both runs have the same records and leaderboard, and the referee has no more
descriptors, threads and zombies at the end than at the start.
"""

import argparse
import contextlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arena.record import read_record
from arena.tournament.games import count_games
from arena.tournament.settings import Settings
from arena.tournament.store import Store

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main(prog_name='arena')")
VARIANT = "pot-de-vin/3"
BOTS = 4
SHARE = 0.05
"""The share of moves that are faulty."""
PATIENT = ("--move-ms", "120000", "--start-ms", "120000")
SAMPLE_S = 0.25
SLACK = {"descriptors": 6 * BOTS, "threads": 1, "zombies": 2}
"""Allowed growth from the first third to the last: bots come and go, each with three pipes."""

FAULTY_BOT = f"""\
import json, os, random, sys

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

FAULTS = ["illegal", "json", "turn", "exit", "abort", "flood"]
dice = {{}}
for line in sys.stdin:
    message = json.loads(line)
    kind, table = message["type"], message.get("table")
    if kind == "hello":
        say(json.dumps({{"type": "ready", "protocol": 1}}))
    elif kind == "start":
        dice[table] = random.Random(message["seed"])
    elif kind == "end":
        if dice.pop(table).random() < {SHARE}:
            raise RuntimeError("at the end")
    elif kind == "turn":
        answer = {{"type": "act", "table": table, "turn": message["turn"]}}
        answer["action"] = dice[table].choice(message["legal"])
        fault = None
        if dice[table].random() < {SHARE}:
            fault = dice[table].choice([*FAULTS, "leave"])
            sys.stderr.write(f"now {{fault}}\\n" * 50)
            sys.stderr.flush()
        if fault == "exit":
            os._exit(1)
        elif fault == "abort":
            os.kill(os.getpid(), 9)
        elif fault == "flood":
            say("x" * 100_000)
        elif fault == "json":
            say("{{oops")
        else:
            answer["turn"] += fault == "turn"
            answer["action"] += " twice" * (fault == "illegal")
            say(json.dumps(answer))
        if fault == "leave":
            os._exit(3)
"""


class Held(NamedTuple):
    """Resources that the processes of a referee hold at a moment."""

    processes: int
    descriptors: int
    threads: int
    zombies: int
    memory_mib: float


class Soak(NamedTuple):
    """The result of a soak."""

    games: int
    faults: dict[str, int]
    """By kind."""
    seconds: float
    """The time of the run without interruption."""
    kills: int
    held: list[Held]
    wrong: list[str]
    """A sentence for each failure."""


def soak(folder: Path, games: int, kills: int, seed: int = 0) -> Soak:
    """Play two runs of at least `games` games under `folder`, and compare them."""
    bots = [_make_bot(folder, f"faulty-{number}") for number in range(BOTS)]
    arguments = ["run", "--variant", VARIANT, "--rounds", str(games), "--seed", "0", *PATIENT]
    arguments += ["--no-withdrawal", "--results", str(folder)]
    for bot in bots:
        arguments += ["--bot", str(bot)]
    began = time.monotonic()
    held = _play_watched([*arguments, "--name", "whole"])
    seconds = time.monotonic() - began
    killed = _play_killed([*arguments, "--name", "killed"], kills, seconds, random.Random(seed))
    wrong = list(_differences(folder)) + list(_growth(held))
    with Store.open(folder / "whole") as store:
        records = [read_record(record) for record in store.raw_records()]
    faults = Counter(fault.kind for record in records for fault in record.faults)
    return Soak(len(records), dict(faults), seconds, killed, held, wrong)


def _make_bot(folder: Path, name: str) -> Path:
    bot = folder / name
    bot.mkdir()
    command = '["python", "-S", "-E", "bot.py"]'
    (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n')
    (bot / "bot.py").write_text(FAULTY_BOT)
    return bot


def _start(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*ARENA, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _play_watched(arguments: Sequence[str]) -> list[Held]:
    """Play a run to its end, and return samples of what its referee held."""
    held: list[Held] = []
    process = _start(arguments)
    while process.poll() is None:
        with contextlib.suppress(OSError):
            held.append(_held_by(process.pid))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SAMPLE_S)
    if process.returncode:
        raise SystemExit(f"`arena {' '.join(arguments)}` ended with {process.returncode}")
    return held


def _play_killed(arguments: Sequence[str], kills: int, seconds: float, rng: random.Random) -> int:
    """Play a run to its end, killed at most `kills` times; return the number of kills."""
    killed = 0
    while killed < kills:
        process = _start(arguments)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.5, 1.5) * seconds / max(1, kills))
        if process.poll() is not None:
            break
        workers = _workers_of(process.pid)
        for pid in rng.choice([[process.pid], workers, [process.pid, *workers]]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed += 1
        if process.pid and workers:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1.0)  # where only workers were killed, it starts new ones
        if process.poll() is None:
            process.kill()
        process.wait()
    last = _start(arguments)
    if last.wait():
        raise SystemExit(f"`arena {' '.join(arguments)}` ended with {last.returncode}")
    return killed


def _workers_of(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children]


def _held_by(pid: int) -> Held:
    referee = [pid, *_workers_of(pid)]
    descriptors = threads = zombies = 0
    memory_kib = 0
    for one in referee:
        descriptors += len(list(Path(f"/proc/{one}/fd").iterdir()))
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{one}/status").read_text().splitlines()
            if ":\t" in line
        )
        threads += int(status.get("Threads", 0))
        memory_kib += int(status.get("VmRSS", "0 kB").split()[0])
        for child in _workers_of(one):
            with contextlib.suppress(OSError):
                state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
                zombies += state == "Z"
    return Held(len(referee), descriptors, threads, zombies, memory_kib / 1024)


def _differences(folder: Path) -> list[str]:
    """Return a sentence for each difference between the runs, or from the schedule."""
    wrong = []
    with Store.open(folder / "whole") as whole, Store.open(folder / "killed") as killed:
        scheduled = count_games(whole.settings(Settings))
        for name, store in (("whole", whole), ("killed", killed)):
            keys = [game.key for game in store.all_games()]
            if not len(set(keys)) == len(keys) == store.count() == scheduled:
                wrong.append(
                    f"{name}: {len(keys)} games, {len(set(keys))} different, of {scheduled}"
                )
        for one, other in zip(whole.raw_records(), killed.raw_records(), strict=False):
            if one != other:
                was, now = read_record(one), read_record(other)
                wrong.append(f"another record of {was.title}: {was.faults}, then {now.faults}")
                break
    for file in ("leaderboard.json", "leaderboard.csv"):
        if (folder / "whole" / file).read_bytes() != (folder / "killed" / file).read_bytes():
            wrong.append(f"{file} differs")
    return wrong


def _growth(held: Sequence[Held]) -> list[str]:
    """Return a sentence for each resource that has grown from the first third to the last."""
    most = max((one.processes for one in held), default=0)
    at_work = [one for one in held if one.processes == most]
    third = len(at_work) // 3
    early, late = at_work[:third], at_work[-third:]
    if not third:
        return []
    return [
        f"{what} grow from {before} to {after}"
        for what, slack in SLACK.items()
        if (after := statistics.median(getattr(one, what) for one in late))
        > slack + (before := statistics.median(getattr(one, what) for one in early))
    ]


def main() -> None:
    """Play both runs and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = soak(Path(folder), options.games, options.kills, options.seed)
    faults = ", ".join(f"{number} {kind}" for kind, number in sorted(result.faults.items()))
    print(f"{result.games} games in {result.seconds:.0f} s, {sum(result.faults.values())} faults")
    print(f"  {faults}; the other run was killed {result.kills} times")
    print("share of the run   processes  descriptors  threads  zombies  memory MiB")
    for number in range(11):
        one = result.held[number * (len(result.held) - 1) // 10]
        print(
            f"{number / 10:16.0%} {one.processes:11} {one.descriptors:12} {one.threads:8} "
            f"{one.zombies:8} {one.memory_mib:11.1f}"
        )
    for text in result.wrong:
        print(f"WRONG: {text}")
    sys.exit(bool(result.wrong))


if __name__ == "__main__":
    main()
