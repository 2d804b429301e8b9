"""Delay of the referee's decision after a bot's deadline, on a busy machine.

    python benchmarks/deadlines.py [--games 40] [--load 2]

plays games with a bot that never answers, while `--load` processes on each core compute, and prints
how late the referee is. The reference is how late the system wakes up a process that only waits. It
is measured in turn with the games.
"""

import argparse
import os
import random
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from arena.match.playing import watch_games
from arena.match.settings import MatchSettings
from arena.process.cores import usable
from arena.protocol import Limits, raw
from arena.record import Entrant, Game
from engine import get_variant

VARIANT = "pot-de-vin/3"
MOVE_MS = 200
SPIN = "while True: pass"
READY = '{"type":"ready","protocol":1}'
SILENT = f"import sys\nsys.stdin.readline()\nprint('{READY}', flush=True)\nsys.stdin.read()"
FIRST = f"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{READY}', flush=True)
    elif message["type"] == "turn":
        answer = {{"type": "act", "table": message["table"], "turn": message["turn"]}}
        print(json.dumps(answer | {{"action": message["legal"][0]}}), flush=True)
"""


def late_ms(games: int) -> tuple[list[float], list[float], int]:
    """Return the delays of the referee, those of a waiting process, and the number of stalls."""
    limits = Limits(start_ms=60_000, move_ms=MOVE_MS)
    entrants = {
        name: Entrant(name, (sys.executable, "-S", "-E", "-c", code), ".", "")
        for name, code in (("silent", SILENT), ("first", FIRST), ("other", FIRST))
    }
    variant = get_variant(VARIANT)
    late: list[float] = []
    waited, stalls = [], 0
    for number in range(games):
        deal = raw(variant.deal(random.Random(number)))
        names = ("silent", "first", "other")
        game = Game(str(number), VARIANT, number, 0, deal, names, (0, 0, 0))
        for _, seen in watch_games([game], entrants, MatchSettings(limits)):
            stalls += seen.stalls
            late += [one.wall_ms - MOVE_MS for one in seen.evidence if one.wall_ms is not None]
        waited.append(_wait_late_ms())
    return late, waited, stalls


def _wait_late_ms() -> float:
    began = time.monotonic()
    select.poll().poll(MOVE_MS)
    return (time.monotonic() - began) * 1000 - MOVE_MS


def _show(title: str, late: Sequence[float]) -> None:
    middle, worst = statistics.median(late), max(late)
    print(f"{title:34} median {middle:6.1f} ms   worst {worst:6.1f} ms   ({len(late)} times)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--load", type=int, default=2, help="busy processes per core")
    options = parser.parse_args()
    busy = [
        subprocess.Popen([sys.executable, "-S", "-c", SPIN])
        for _ in range(options.load * len(usable()))
    ]
    try:
        late, waited, stalls = late_ms(options.games)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(f"{len(busy)} busy processes on {len(usable())} cores, load {os.getloadavg()[0]:.1f}")
    _show("the referee, after a deadline", late)
    _show("a process that only waits", waited)
    print(
        f"ratio of the medians {statistics.median(late) / max(0.1, statistics.median(waited)):.1f}"
    )
    print(f"{stalls} games were played again, because the host stalled")


if __name__ == "__main__":
    main()
