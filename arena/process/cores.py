"""The cores of this machine, and processes that keep to one of them.

A bot and its referee take turns: where both run on one core, waking the other up costs a tenth of
what it costs across cores.
"""

import contextlib
import os


def usable() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(pid: int, cores: set[int]) -> bool:
    """Have a process, 0 being this one, and all that it starts from now on run on these cores.

    Return whether it does: not every platform can do it, nor may everybody.
    """
    if not hasattr(os, "sched_setaffinity"):
        return False
    with contextlib.suppress(OSError):
        os.sched_setaffinity(pid, cores)
        return True
    return False
