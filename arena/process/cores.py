"""The cores of this machine, and pinning of processes to one of them.

A bot and its referee take turns. Waking the other up costs a tenth as much on the same core as
across cores.
"""

import contextlib
import os


def usable() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(pid: int, cores: set[int]) -> bool:
    """Have a process, 0 being this one, and those that it starts later run on these `cores`.

    Return whether that worked. Not every platform supports it, and it needs permission.
    """
    if not hasattr(os, "sched_setaffinity"):
        return False
    with contextlib.suppress(OSError):
        os.sched_setaffinity(pid, cores)
        return True
    return False
