"""Set the CPU affinity and resource limits of processes, and handle signals."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

KIB = 1024
PR_SET_DUMPABLE = 4


def usable() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(pid: int, cores: set[int]) -> bool:
    """Pin a process to the given cores. Return False if pinning isn't possible.

    The process id 0 means the current process.
    """
    if not hasattr(os, "sched_setaffinity"):
        return False
    with contextlib.suppress(OSError):
        os.sched_setaffinity(pid, cores)
        return True
    return False


def share_of_memory_kib() -> int:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return memory // 4 // (os.cpu_count() or 1) // KIB


def hide() -> None:
    """Hide this process's memory and environment from the user's other processes, if possible."""
    if sys.platform.startswith("linux"):
        import ctypes  # imported late, so that commands start faster

        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


# The system sends these signals at shutdown and at the end of a terminal session.
STOP_SIGNALS = ("SIGTERM", "SIGHUP")


# Some programs close every possible file descriptor at startup, and would be slow with a higher
# limit.
MAX_OPEN_FILES = 65_536


def raise_file_limit() -> None:
    try:
        import resource
    except ImportError:  # as on Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def stop_signals_as_ctrl_c() -> Iterator[None]:
    # A signal that is already ignored stays ignored: `nohup` ignores SIGHUP.
    former = {}
    for number in [getattr(signal, name) for name in STOP_SIGNALS if hasattr(signal, name)]:
        if signal.getsignal(number) is not signal.SIG_IGN:
            former[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
