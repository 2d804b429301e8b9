"""Bots that spin to make their rivals time out: who is charged.

    python benchmarks/hostile.py [--games 100] [--level isolated] [--spinners 12]

plays games of an attacker against two rivals. After its first answer the attacker starts spinners,
each in a session of its own and on all cores. The rivals need 150 ms of processor time for some of
their answers, of 1,000 ms that are allowed. All share one core, as a worker and its bots do.
"""

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from arena.check.sandbox_probe import hold
from arena.contracts import SandboxSettings
from arena.match.playing import watch_games
from arena.match.settings import MatchSettings
from arena.process import cores
from arena.protocol import Limits, raw
from arena.record import Entrant, Game
from engine import get_variant

FOLDER = str(Path(__file__).parent)
VARIANT = "pot-de-vin/3"
NAMES = ("attacker", "rival", "other")
LIMITS = Limits(start_ms=60_000, move_ms=1_000)
NEEDED_MS = 150
THINKING_TURNS = (1, 2, 3)
PLAYS = """
import json, os, signal, sys, time
print('{"type":"ready","protocol":1}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        think(message)
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
        spin()
"""
RIVAL = f"""
import time
def think(message):
    if message["turn"] in {THINKING_TURNS}:
        until = time.process_time() + {NEEDED_MS / 1000}
        while time.process_time() < until:
            pass
def spin():
    pass
"""
ATTACKER = """
import ctypes, os, signal
spinners = []
def think(message):
    pass
def spin():
    while len(spinners) < {spinners}:
        child = os.fork()
        if child:
            spinners.append(child)
            continue
        os.setsid()
        try:
            os.sched_setaffinity(0, range(os.cpu_count()))
        except OSError:
            pass
        {goes_on}
        while True:
            pass
"""
TIMER = """
        signal.signal(signal.SIGCONT, lambda *_: None)
        libc = ctypes.CDLL(None)
        event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)
        timer, soon = ctypes.c_void_p(), (ctypes.c_long * 4)(0, 0, 0, 80_000_000)
        libc.timer_create(1, event, ctypes.byref(timer))
        while True:
            libc.timer_settime(timer, 0, soon, None)
"""
"""Has the system continue it 80 ms after it was stopped."""


def bots(spinners: int, goes_on: str) -> dict[str, Entrant]:
    """Return the bots by name."""
    codes = dict.fromkeys(NAMES, RIVAL + PLAYS)
    codes["attacker"] = ATTACKER.format(spinners=spinners, goes_on=goes_on.strip()) + PLAYS
    command = (sys.executable, "-S", "-E", "-c")
    return {name: Entrant(name, (*command, text), FOLDER, "") for name, text in codes.items()}


def games(number: int) -> Iterator[Game]:
    """Yield games in which the attacker sits first."""
    variant = get_variant(VARIANT)
    for one in range(number):
        deal = raw(variant.deal(random.Random(one)))
        yield Game(str(one), VARIANT, one, 0, deal, NAMES, (0, 0, 0))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--level", default="isolated")
    parser.add_argument("--spinners", type=int, default=12)
    parser.add_argument(
        "--goes-on",
        action="store_true",
        help="have the system continue them (denied by the filter of system calls)",
    )
    options = parser.parse_args()
    cores.pin(0, {cores.usable()[-1]})
    settings = MatchSettings(LIMITS, hold(SandboxSettings(options.level)))
    began = time.monotonic()
    charged: Counter[str] = Counter()
    worst_ms, stalls, played = [], 0, 0
    entrants = bots(options.spinners, TIMER if options.goes_on else "")
    for record, seen in watch_games(list(games(options.games)), entrants, settings):
        played += 1
        charged.update({record.entrants[fault.seat] for fault in record.faults})
        stalls += seen.stalls
        worst_ms += [one.worst_us / 1000 for one in seen.timings[1:]]
    print(f"{options.level}: {played} games in {time.monotonic() - began:.0f} s")
    print(f"  games in which a rival was charged: {charged['rival']} and {charged['other']}")
    print(f"  games in which the attacker was charged: {charged['attacker']}")
    print(f"  repeated because of the host: {stalls}")
    if worst_ms:
        print(
            f"  longest answer of a rival in a game: median {statistics.median(worst_ms):.0f} ms, "
            f"worst {max(worst_ms):.0f} ms"
        )


if __name__ == "__main__":
    main()
