"""Processor time of processes counts after they have ended, and if nobody has seen them."""

import subprocess
import sys

from arena.process.usage import ProcessorTime
from tests.arena.playing import NEEDS_PROC

pytestmark = NEEDS_PROC
BURN_S = 0.3
BURNS = f"import time\nwhile time.process_time() < {BURN_S}: pass\n"
WAITS = "import sys; print(flush=True); sys.stdin.read()"


def measured(text: str) -> tuple[ProcessorTime, int]:
    """Return the time of a Python program when it waits, with what has measured it."""
    used = ProcessorTime()
    with subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.readline()
        before = used.measure([process.pid])
        process.communicate()
    return used, before


def test_ended_processes_still_count() -> None:
    used, before = measured(BURNS + WAITS)
    assert before >= BURN_S * 1e9
    assert used.measure([]) >= before


def test_short_lived_children_count() -> None:
    _, alone = measured(f"import subprocess\n{WAITS}")
    child = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURNS!r}])\n"
    _, together = measured(child + WAITS)
    assert together - alone >= BURN_S * 1e9 / 2
