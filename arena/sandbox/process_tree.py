"""Find all processes of a bot in /proc, and stop or kill them.

A process whose parent has ended is no longer part of the bot's process tree. An orphaned process is
found by a marker in its environment variables, unless it has removed the marker.
"""

import contextlib
import math
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator

MAX_SEARCHES = 100
STOP_S = 0.1


def descendants(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                found += _children(f"/proc/{parent}/task/{task}")
    return found


def _children(task: str) -> Iterator[int]:
    with contextlib.suppress(OSError), open(f"{task}/children") as file:
        yield from map(int, file.read().split())


def marked(marks: Iterable[bytes]) -> Iterator[int]:
    """Yield the ids of processes whose environment contains one of the given `NAME=value`
    entries.
    """
    wanted = frozenset(marks)
    pids = []
    with contextlib.suppress(OSError):
        pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()] if wanted else []
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if not wanted.isdisjoint(file.read().split(b"\0")):
                yield pid


def kill_found(search: Callable[[], Iterable[int]]) -> None:
    """Kill all processes that the given function finds, except the current process."""
    # All processes are stopped first, because they could start new processes, and because the
    # children of killed processes leave the process tree.
    _signal_all(_stop_found(search), signal.SIGKILL)


def _stop_found(search: Callable[[], Iterable[int]], deadline: float = math.inf) -> set[int]:
    found: set[int] = set()
    for _ in range(MAX_SEARCHES):
        more = set(search()) - found - {os.getpid()}
        if not more or time.monotonic() > deadline:
            break
        _signal_all(more, signal.SIGSTOP)
        found |= more
    return found


def _signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


class ProcessTree:
    def __init__(self, pid: int, mark: bytes = b"") -> None:
        """Create a tree from its root process. The root process must be a session leader.

        `mark` is an environment entry, such as `NAME=value`, that identifies the bot's orphaned
        processes.
        """
        self._root = pid
        self._mark = mark
        self._may_be_stopped = False

    def pids(self) -> list[int]:
        return descendants(self._root)

    def kill(self, others: Iterable["ProcessTree"] = ()) -> None:
        """Kill all processes of this bot and of the bots with the process trees `others`."""
        # Process groups are stopped first, because a fork bomb can create processes faster than
        # they are found.
        trees = [self, *others]
        for tree in trees:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(tree._root, signal.SIGSTOP)
        marks = [tree._mark for tree in trees if tree._mark]
        kill_found(lambda: [*[pid for tree in trees for pid in tree.pids()], *marked(marks)])

    def freeze(self) -> None:
        """Stop all processes in the tree, including new ones. Processes that are found after
        `STOP_S` seconds are not stopped.
        """
        self._may_be_stopped = True
        _stop_found(self.pids, time.monotonic() + STOP_S)

    def thaw(self) -> None:
        if self._may_be_stopped:
            _signal_all(self.pids(), signal.SIGCONT)
            self._may_be_stopped = False
