"""Find all processes of a bot in /proc. On systems without /proc, no processes are found.

A process leaves the bot's process tree when its parent ends. When the bot is killed, such
processes are found by a marker in their environment, unless they have removed it.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator

MAX_SEARCHES = 100
STOP_S = 0.1
"""Maximum time to wait until all processes of a tree have stopped, in seconds."""
FIRST_PAUSE_S = 0.000_02
"""Initial pause between two searches for processes, in seconds. Processes on the same core need it
to stop.
"""


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
    """Yield the ids of processes whose environment contains one of the `NAME=value` entries."""
    wanted = frozenset(marks)
    pids = []
    with contextlib.suppress(OSError):
        pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()] if wanted else []
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if not wanted.isdisjoint(file.read().split(b"\0")):
                yield pid


def kill_found(search: Callable[[], Iterable[int]]) -> None:
    """Kill all processes found by a search, except the current process.

    All processes are stopped before any of them is killed, because they could otherwise start
    new processes, and the children of killed processes would leave the process tree.
    """
    found: set[int] = set()
    for _ in range(MAX_SEARCHES):
        more = set(search()) - found - {os.getpid()}
        if not more:
            break
        _signal_all(more, signal.SIGSTOP)
        found |= more
    _signal_all(found, signal.SIGKILL)


def _signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


class ProcessTree:
    def __init__(self, pid: int, mark: bytes = b"") -> None:
        """Create the tree of a process, which must be a session leader.

        `mark` is a `NAME=value` entry in the bot's environment. `mark` may be empty if processes
        can't leave the tree.
        """
        self._root = pid
        self._mark = mark
        self._may_be_stopped = False

    def pids(self) -> list[int]:
        return descendants(self._root)

    def kill(self, others: Iterable["ProcessTree"] = ()) -> None:
        """Kill all processes of this tree and of other trees.

        The bot's process group is stopped first, because a fork bomb can outrun the search.
        """
        trees = [self, *others]
        for tree in trees:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(tree._root, signal.SIGSTOP)
        marks = [tree._mark for tree in trees if tree._mark]
        kill_found(lambda: [*[pid for tree in trees for pid in tree.pids()], *marked(marks)])

    def stop(self) -> bool:
        """Stop all processes of the tree. Return whether the processes stopped within `STOP_S`
        seconds.

        The search is repeated until it finds no running process, because a process can start
        another one and exit before it is found.
        """
        self._may_be_stopped = True
        deadline = time.monotonic() + STOP_S
        signalled: set[int] = set()
        before: set[int] = set()
        pause_s = FIRST_PAUSE_S
        while True:
            found = set(self.pids())
            running = {pid for pid in found if not _is_stopped(pid, pid in signalled)}
            if not running and found == before:
                return True
            _signal_all(running - signalled, signal.SIGSTOP)  # also if the search took too long
            if time.monotonic() > deadline:
                return False
            signalled |= running
            before = found
            if running:
                time.sleep(pause_s)
                pause_s *= 2

    def resume(self) -> None:
        if self._may_be_stopped:
            _signal_all(self.pids(), signal.SIGCONT)
            self._may_be_stopped = False


def _is_stopped(pid: int, is_signalled: bool) -> bool:
    resting = b"TtZXD" if is_signalled else b"TtZX"
    try:
        fields = _stat(pid)
        if fields[0] not in resting:
            return False
        if fields[17] == b"1":
            return True
        return all(
            _stat(pid, f"/task/{task}")[0] in resting for task in os.listdir(f"/proc/{pid}/task")
        )
    except OSError:  # it has ended; if only a thread ended, search again
        return not os.path.exists(f"/proc/{pid}")


def _stat(pid: int, task: str = "") -> list[bytes]:
    with open(f"/proc/{pid}{task}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
