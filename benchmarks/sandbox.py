"""Cost of the sandbox levels against a bare process, and processes that outlive a killed bot.

    python benchmarks/sandbox.py [--rounds 25] [--trips 2000] [--kills 1000]

starts bots, exchanges messages with them and kills them at each level that this machine has, in
turn. A figure is the median of the rounds, a ratio the median of the ratios to `none` in the same
round. Beside them stand the aims for a machine without other work: an isolated bot starts in less
than 60 ms, and a round trip takes at most 1.1 times as long as without a sandbox.
"""

import argparse
import os
import select
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena.check.sandbox_probe import hold
from arena.contracts import SandboxSettings
from arena.errors import SandboxError
from arena.process import cores
from arena.process.bot_process import BotProcess
from arena.record import Entrant

LEVELS = ("none", "limits", "isolated")
ECHO = """
import os
line = b""
while data := os.read(0, 65536):
    line += data
    while b"\\n" in line:
        line = line.partition(b"\\n")[2]
        os.write(1, b"x" * 39 + b"\\n")
"""
JSON_ECHO = "import json" + ECHO
"""A Python bot starts with this import."""
FORKING = """
import os, signal
token = {token!r}
for child in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.pause()
        os._exit(0)
os.write(1, b"here\\n")
while True:
    if os.fork() == 0:
        signal.pause()
    os.wait()
"""
"""Leaves three daemons, and forks children one after the other."""
FOLDER = Path(__file__).parent
REQUEST = b"x" * 914 + b"\n"
MAX_START_MS, MAX_TRIP_RATIO = 60.0, 1.1
"""The aims at the level `isolated`."""


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=25, help="starts at each level")
    parser.add_argument("--trips", type=int, default=2000, help="round trips a block")
    parser.add_argument("--kills", type=int, default=1000, help="forking bots to be killed")
    options = parser.parse_args()
    cores.pin(0, {cores.usable()[-1]})
    sandbox = held_levels()
    print(f"load {os.getloadavg()[0]:.1f}")
    report(
        f"start of a Python bot, ms (aim: isolated < {MAX_START_MS:.0f} ms)",
        compare(sandbox, start_ms, options.rounds),
    )
    bots = {level: start(JSON_ECHO, one) for level, one in sandbox.items()}
    trips = {
        level: lambda bot=bot: round_trip_us(bot, options.trips) for level, bot in bots.items()
    }
    report(
        f"round trip, us (aim: isolated <= x {MAX_TRIP_RATIO:.2f})",
        compare(trips, lambda trip: trip(), options.rounds),
    )
    for bot in bots.values():
        bot.kill()
    for level, one in sandbox.items():
        if level != "none":
            survivors = kill_forking_bots(one, options.kills)
            print(f"{level}: {survivors} processes left of {options.kills} forking bots")


def held_levels() -> dict[str, SandboxSettings]:
    """Return the levels that this machine has, and print why the others are missing."""
    found = {}
    for level in LEVELS:
        try:
            found[level] = hold(SandboxSettings(level))
        except SandboxError as error:
            print(f"{level}: {error}")
    return found


def compare(
    things: Mapping[str, Any], measure: Callable[[Any], float], rounds: int
) -> dict[str, list[float]]:
    """Return the measurements of each thing by name. The things take turns in each round."""
    measured: dict[str, list[float]] = {name: [] for name in things}
    for _ in range(rounds):
        for name, thing in things.items():
            measured[name].append(measure(thing))
    return measured


def report(what: str, measured: dict[str, list[float]]) -> None:
    """Print the median of each level and its ratio to the level `none`."""
    print(what)
    for level, values in measured.items():
        ratios = [value / bare for value, bare in zip(values, measured["none"], strict=True)]
        low, _, high = statistics.quantiles(ratios, n=4)
        print(
            f"  {level:10} {statistics.median(values):7.1f}   x {statistics.median(ratios):.2f}"
            f" ({low:.2f}-{high:.2f})"
        )


def start(text: str, sandbox: SandboxSettings) -> BotProcess:
    """Start a bot with this text as its program."""
    return BotProcess(
        Entrant("bot", (sys.executable, "-c", text), str(FOLDER), ""), sandbox=sandbox
    )


def wait_for_line(bot: BotProcess) -> None:
    """Wait until the bot has sent a line."""
    lines: list[bytes] | None = []
    while not lines:
        select.select([bot.stdout], [], [])
        lines = bot.read_lines()
        assert lines is not None, bot.exit_text() + bot.last_words


def start_ms(sandbox: SandboxSettings) -> float:
    """Return the milliseconds from the start of a bot to its first answer."""
    began = time.perf_counter()
    with start(JSON_ECHO, sandbox) as bot:
        os.write(bot.stdin, REQUEST)
        wait_for_line(bot)
        return (time.perf_counter() - began) * 1000


def round_trip_us(bot: BotProcess, trips: int) -> float:
    """Return the mean microseconds of a round trip, over `trips`."""
    began = time.perf_counter()
    for _ in range(trips):
        os.write(bot.stdin, REQUEST)
        wait_for_line(bot)
    return (time.perf_counter() - began) / trips * 1e6


def kill_forking_bots(sandbox: SandboxSettings, kills: int) -> int:
    """Kill `kills` bots and return the number of processes that they have left."""
    token = os.urandom(8).hex()
    for _ in range(kills):
        with start(FORKING.format(token=token), sandbox) as bot:
            wait_for_line(bot)
    deadline = time.monotonic() + 5
    while (left := processes_with(token)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def processes_with(token: str) -> int:
    """Return the number of processes with `token` in their command line."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += token.encode() in path.read_bytes()
        except OSError:
            continue
    return found


if __name__ == "__main__":
    main()
