"""This machine and this process: cores, memory, protection, and signals that stop it."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

KIB = 1024
PR_SET_DUMPABLE = 4


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


def share_of_memory_kib() -> int:
    """Return a quarter of the memory of this machine, divided by the number of its cores."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return memory // 4 // (os.cpu_count() or 1) // KIB


def hide() -> bool:
    """Hide the memory and environment of this process from others of its user.

    Its /proc/PID/mem and /proc/PID/environ can no longer be opened, it cannot be traced, and it
    leaves no core file. Return whether the system supports this.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes  # not above: commands start faster

    return bool(ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)


STOP_SIGNALS = ("SIGTERM", "SIGHUP")
"""Signals of a system that shuts down, and of a closed terminal."""


MAX_OPEN_FILES = 65_536
"""Above it, programs that close all numbers of files when they start take long."""


def raise_file_limit() -> None:
    """Raise the soft limit of open files to the hard one: each bot process needs some."""
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
    """Raise `KeyboardInterrupt` inside this context when a signal of `STOP_SIGNALS` comes.

    A signal that is ignored stays ignored, as SIGHUP is under `nohup`.
    """
    former = {}
    for number in [getattr(signal, name) for name in STOP_SIGNALS if hasattr(signal, name)]:
        if signal.getsignal(number) is not signal.SIG_IGN:
            former[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
