"""Samples of a Python process by its processor time, for `benchmarks/where_time_goes.py`.

Python imports this module at its start if its folder is in `PYTHONPATH`. A process of the arena is
interrupted by a timer of its own processor time, and what it has used since the last interruption
counts for the calls under way. A bot is not interrupted: it only notes its processor time at its
end. So this imports next to nothing.
"""

import atexit
import os
import sys
import time
from types import FrameType

EVERY_S = 0.002
"""Processor time between two samples; the system rounds it up to a tick of its clock."""

FOLDER = os.environ.get("ARENA_SAMPLES", "")


def _role() -> str:
    line = " ".join(sys.orig_argv)
    if "arena.tournament.executors.worker" in line:
        return "worker"
    if "from arena.cli import main" in line:
        return "main"
    return sys.orig_argv[-1]


def _begin(role: str) -> None:
    stacks: dict[str, float] = {}
    last_s = 0.0

    def count(stack: str) -> None:
        nonlocal last_s
        now = time.process_time()
        stacks[stack] = stacks.get(stack, 0.0) + now - last_s
        last_s = now

    def sample(signum: int, frame: FrameType | None) -> None:
        calls = []
        while frame:
            calls.append(f"{frame.f_globals.get('__name__')}:{frame.f_code.co_name}")
            frame = frame.f_back
        count(";".join(calls))

    own = os.getpid()

    def end() -> None:
        if os.getpid() != own:  # a forked child, whose time is not ours
            return
        if role in ("main", "worker"):
            signal.setitimer(signal.ITIMER_PROF, 0)
        count("the end")
        noted = {"role": role, "parent": os.getppid(), "pid": own, "stacks": stacks}
        with open(os.path.join(FOLDER, f"{own}.txt"), "w") as file:
            file.write(repr(noted))

    count("the interpreter")
    atexit.register(end)
    if role in ("main", "worker"):
        import signal  # not above: a bot does without it

        signal.signal(signal.SIGPROF, sample)
        signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)


if FOLDER:
    _begin(_role())
