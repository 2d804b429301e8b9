"""Delay of the referee's decision after the deadline of a bot, at each level of the sandbox.

    python benchmarks/deadlines.py [--games 300] [--load 0]

plays games with a bot that sleeps through its deadline, and prints how late the referee decides, in
whole milliseconds. The reference is how late the system wakes up a process that only waits. It is
measured in turn with the games. `--load` processes on each core compute meanwhile. Deadlines that
were moved, since these took the bot's time, are left out.
"""

import argparse
import math
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.check.sandbox_probe import hold
from arena.contracts import SandboxSettings
from arena.errors import SandboxError
from arena.match.playing import watch_games
from arena.match.settings import MatchSettings
from arena.process import cores
from arena.protocol import Limits, raw
from arena.record import Entrant, Game
from engine import get_variant

FOLDER = str(Path(__file__).parent)
VARIANT = "pot-de-vin/3"
NAMES = ("sleeper", "first", "other")
LEVELS = ("none", "limits", "isolated")
MOVE_MS = 100
AIM_MS = 20
"""The most of the 99th percentile on a machine without other work."""
SPIN = "while True: pass"
PLAYS = """
import json, sys, time
print('{"type":"ready","protocol":1}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        if SLEEPS:
            time.sleep(600)
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
"""


def late_ms(level: SandboxSettings, games: int) -> tuple[list[float], list[float], int]:
    """Return the delays of the referee, those of a waiting process, and the deadlines that moved.

    A delay counts from the deadline to the moment at which the referee decides, in milliseconds.
    """
    limits = Limits(start_ms=60_000, move_ms=MOVE_MS)
    entrants = {
        name: Entrant(name, (sys.executable, "-S", "-E", "-c", code), FOLDER, "")
        for name in NAMES
        for code in [f"SLEEPS = {name == 'sleeper'}\n{PLAYS}"]
    }
    waited: list[float] = []
    seen = watch_games(_games(games, waited), entrants, MatchSettings(limits, level))
    times_ms = [one.wall_ms for _, observed in seen for one in observed.evidence]
    late = [time_ms - MOVE_MS for time_ms in times_ms if time_ms is not None]
    in_time = [
        float(one) for one in late if one < MOVE_MS / 4
    ]  # a moved deadline moves by that at least
    return in_time, waited, len(late) - len(in_time)


def _games(number: int, waited: list[float]) -> Iterator[Game]:
    """Yield games, and add to `waited` before each how late a wait has ended."""
    variant = get_variant(VARIANT)
    for one in range(number):
        began = time.monotonic()
        select.poll().poll(MOVE_MS)
        waited.append((time.monotonic() - began) * 1000 - MOVE_MS)
        deal = raw(variant.deal(random.Random(one)))
        yield Game(str(one), VARIANT, one, 0, deal, NAMES, (0, 0, 0))


def _figures(late: Sequence[float]) -> str:
    ordered = sorted(late)
    median, p99 = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.5, 0.99))
    return f"{median:9.1f} {p99:8.1f} {ordered[-1]:8.1f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=300, help="at each level")
    parser.add_argument("--load", type=int, default=0, help="busy processes per core")
    options = parser.parse_args()
    usable = sorted(cores.usable())
    spinners = [
        subprocess.Popen([sys.executable, "-S", "-c", SPIN])
        for _ in range(options.load * len(usable))
    ]
    cores.pin(0, {usable[-1]})  # as a worker and its bots are
    print(f"{len(spinners)} busy processes, load {os.getloadavg()[0]:.1f}; aim: p99 < {AIM_MS} ms")
    print(f"ms after a deadline of {MOVE_MS} ms         median      p99    worst")
    try:
        for level in LEVELS:
            try:
                settings = hold(SandboxSettings(level))
            except SandboxError as error:
                print(f"{level}: {error}")
                continue
            late, waited, moved = late_ms(settings, options.games)
            print(f"{level:10} the referee decides     {_figures(late)}   ({len(late)} times)")
            print(f"{'':10} a waiting process wakes {_figures(waited)}")
            if moved:
                print(f"{'':10} {moved} deadlines moved, since others took the bot's time")
    finally:
        for process in spinners:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
