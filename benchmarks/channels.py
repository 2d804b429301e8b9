"""What isolated bots can still tell each other, in bits that arrive and bits a second.

    python benchmarks/channels.py

starts two bots at the level `isolated`. One sends random bits, the other one reads them and
prints what it saw and how long that took. The referee passes nothing between them; it only tells
them when to begin. Numbers are those of `docs/security.md`. It needs Linux on x86_64.
"""

import json
import os
import random
import select
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.check.sandbox_probe import hold
from arena.contracts import SandboxSettings
from arena.process.bot_process import BotProcess
from arena.record import Entrant

START = """
import ctypes, fcntl, json, mmap, os, signal, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
SH = open("/bin/sh", "rb")
print(0, flush=True)
"""
LOCKS_SENT = """
for line in sys.stdin:
    for place, bit in enumerate(json.loads(line)):
        if bit:
            try:
                fcntl.fcntl(SH, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, place, 1, 0))
            except OSError:
                pass
    print(0, flush=True)
"""
LOCKS_READ = """
for line in sys.stdin:
    began, seen = time.perf_counter(), []
    for place in range(int(line)):
        try:
            asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, place, 1, 0)
            found = fcntl.fcntl(SH, 36, asked)
            seen.append(int(struct.unpack_from("h", found)[0] != fcntl.F_UNLCK))
        except OSError:
            seen.append(-1)
    print(json.dumps([seen, time.perf_counter() - began]), flush=True)
"""
FUTEX = """
libc.mmap.restype = ctypes.c_void_p
page = libc.mmap(None, 65536, 1, 1, SH.fileno(), 0)
def futex(place, operation, value, wait=None):
    where = ctypes.c_void_p(page + 4 * place)
    return libc.syscall(202, where, operation, value, wait, None, 0)
"""
FUTEX_SENT = (
    FUTEX
    + """
def wait(place):
    futex(place, 0, ctypes.c_int.from_address(page + 4 * place).value, (ctypes.c_long * 2)(2, 0))
for line in sys.stdin:
    for place, bit in enumerate(json.loads(line)):
        if bit:
            threading.Thread(target=wait, args=(place,), daemon=True).start()
    time.sleep(0.1)
    print(0, flush=True)
"""
)
FUTEX_READ = (
    FUTEX
    + """
for line in sys.stdin:
    began = time.perf_counter()
    seen = [futex(place, 1, 1) for place in range(int(line))]
    print(json.dumps([seen, time.perf_counter() - began]), flush=True)
"""
)
NAMES_SENT = """
for line in sys.stdin:
    for place, bit in enumerate(json.loads(line)):
        if bit:
            os.path.exists(f"/usr/lib/arena-{sys.argv[1]}-{place}")
    print(0, flush=True)
"""
NAMES_READ = """
for line in sys.stdin:
    took, all_began = [], time.perf_counter()
    for place in range(int(line)):
        name = f"/usr/lib/arena-{sys.argv[1]}-{place}"
        began = time.perf_counter_ns()
        os.path.exists(name)
        took.append(time.perf_counter_ns() - began)
    print(json.dumps([took, time.perf_counter() - all_began]), flush=True)
"""
TASKS_SENT = """
for line in sys.stdin:
    for bit in json.loads(line):
        children = []
        for _ in range(40 * bit):
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    print(0, flush=True)
"""
TASKS_READ = """
def tasks():
    told = ctypes.create_string_buffer(128)
    libc.sysinfo(told)
    return struct.unpack_from("l9LH", told.raw)[10]
before = tasks()
for line in sys.stdin:
    began = time.perf_counter()
    seen = [int(tasks() - before > 20)]
    print(json.dumps([seen, time.perf_counter() - began]), flush=True)
"""
FOLDER = Path(__file__).parent


def start(text: str, sandbox: SandboxSettings, salt: str) -> BotProcess:
    """Start a bot that is this text, and wait until it is ready."""
    command = (sys.executable, "-c", START + text, salt)
    bot = BotProcess(Entrant("bot", command, str(FOLDER), ""), sandbox=sandbox)
    hear(bot)
    return bot


def hear(bot: BotProcess) -> str:
    """Return the next line of a bot."""
    lines: list[bytes] | None = []
    while not lines:
        select.select([bot.stdout], [], [])
        lines = bot.read_lines()
        assert lines is not None, bot.exit_text() + bot.last_words
    return lines[0].decode()


def ask(bot: BotProcess, question: str) -> str:
    """Send a line to a bot and return its answer."""
    os.write(bot.stdin, question.encode() + b"\n")
    return hear(bot)


def alive_together(
    sent: str, read: str, bits: Sequence[int], sandbox: SandboxSettings, salt: str
) -> tuple[list[int], float]:
    """Return what a bot saw of the bits of another one that lives, and the seconds it took."""
    with start(read, sandbox, salt) as reader, start(sent, sandbox, salt) as sender:
        ask(sender, json.dumps(bits))
        seen, seconds = json.loads(ask(reader, str(len(bits))))
        return seen, seconds


def one_after_the_other(
    sent: str, read: str, bits: Sequence[int], sandbox: SandboxSettings, salt: str
) -> tuple[list[int], float]:
    """Return what a bot saw of the bits of another one that has ended."""
    with start(sent, sandbox, salt) as sender:
        ask(sender, json.dumps(bits))
    with start(read, sandbox, salt) as reader:
        times, seconds = json.loads(ask(reader, str(len(bits))))
    middle = statistics.median(times)
    fast, slow = ([one for one in times if (one < middle) is below] for below in (True, False))
    bound = (statistics.median(fast) + statistics.median(slow)) / 2
    return [int(one < bound) for one in times], seconds


CHANNELS: list[tuple[str, str, str, int, int, Callable[..., tuple[list[int], float]]]] = [
    ("locks on a file that both can read (75)", LOCKS_SENT, LOCKS_READ, 64, 5, alive_together),
    ("names that were looked up (84)", NAMES_SENT, NAMES_READ, 2000, 5, one_after_the_other),
    ("waiting at a file that both can read (85)", FUTEX_SENT, FUTEX_READ, 64, 5, alive_together),
    ("processes of the machine (86)", TASKS_SENT, TASKS_READ, 1, 40, alive_together),
]


def main() -> None:
    """Print a line for each channel."""
    sandbox = hold(SandboxSettings("isolated"))
    rng = random.Random(os.urandom(8))
    for title, sent, read, size, rounds, way in CHANNELS:
        right = total = 0
        seconds = 0.0
        for _ in range(rounds):
            bits = [rng.getrandbits(1) for _ in range(size)]
            salt = f"{rng.getrandbits(60):x}"
            seen, took = way(sent, read, bits, sandbox, salt)
            right += sum([one == other for one, other in zip(seen, bits, strict=True)])
            total += size
            seconds += took
        rate = f"{total / seconds:,.0f} bits/s read" if right else "denied"
        print(f"{title}: {100 * right / total:.1f} % right of {total}, {rate}")


if __name__ == "__main__":
    main()
