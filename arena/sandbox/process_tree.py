"""The processes that bots have started, from /proc. Without /proc none are found.

A process that is no longer a child of the bot is recognized by a mark in its environment. A bot can
remove that mark. A stronger sandbox contains such a bot too.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path

PROC = Path("/proc")
MAX_SEARCHES = 100
"""Searches for new processes before those found are killed."""
STOP_S = 0.1
"""The time that the processes of a tree have to stop. Other bots wait for it."""
FIRST_PAUSE_S = 0.000_02
"""The first pause between two searches: a process on our core cannot stop while we run."""
START_TIME = 19
"""The place of the time at which a process was started in what `_stat` returns."""


def descendants(pid: int) -> list[int]:
    """Return a process and all its descendants. The process is the first."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                found += _children(f"/proc/{parent}/task/{task}")
    return found


def _children(task: str) -> Iterator[int]:
    """Yield the processes that a thread, given by its folder, has started."""
    with contextlib.suppress(OSError), open(f"{task}/children") as file:
        yield from map(int, file.read().split())


def _running() -> set[int]:
    """Return the processes of the machine; none if the system lacks the means to list them."""
    with contextlib.suppress(OSError):
        return {int(pid) for pid in filter(str.isdecimal, os.listdir(PROC))}
    return set()


def marked(name: str, value: str) -> Iterator[int]:
    """Yield the processes whose environment has a variable with this value."""
    mark = f"{name}={value}".encode()
    for pid in _running():
        with contextlib.suppress(OSError):
            if mark in _variables(pid):
                yield pid


def _variables(pid: int) -> list[bytes]:
    """Return the environment of a process, as `NAME=value`."""
    with open(f"/proc/{pid}/environ", "rb") as file:
        return file.read().split(b"\0")


def kill_marked(name: str, value: str) -> None:
    """Kill all processes with this mark, except this one.

    They are stopped first, since those that are killed last could start others.
    """
    found: set[int] = set()
    for _ in range(MAX_SEARCHES):
        more = set(marked(name, value)) - found - {os.getpid()}
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
    """The processes of a bot, or of several. They are found by their parents.

    A process leaves the tree when its parent ends. Where that is possible, those that were seen
    before are remembered, and new ones are recognized by their session, their group or their mark.
    """

    def __init__(self, pid: int, mark: tuple[str, str] | None = None) -> None:
        """Watch the tree of a process.

        Args:
            pid: the process, the leader of a session.
            mark: the name and value of the variable that marks the processes of the bot; None if
                they cannot leave the tree.
        """
        self._roots = {pid}
        self._marks = {b"%s=%s" % (os.fsencode(mark[0]), os.fsencode(mark[1]))} if mark else set()
        self._seen: set[int] = set()  # those of the bot
        self._others: set[int] = set()
        self._may_be_stopped = False
        self._since = _started(pid)
        """The time at which the bot was started. Older processes are others."""

    def join(self, others: Iterable["ProcessTree"]) -> "ProcessTree":
        """Return a tree of the processes of this one and of others. One search finds them all."""
        joined = copy(self)
        joined._others = set()
        for tree in others:
            joined._roots = joined._roots | tree._roots
            joined._marks = joined._marks | tree._marks
            joined._seen = joined._seen | tree._seen
            joined._since = min(joined._since, tree._since)
        return joined

    def pids(self) -> list[int]:
        """Return the processes that it has now, beginning with the first."""
        found: dict[int, None] = {}  # a set in order
        self._add(found, self._roots)
        if self._marks:
            self._add(found, self._seen)
            running = _running() or self._seen.union(found)
            self._others &= running  # the id of one that has ended may be taken by one of the bot
            new = {pid for pid in running - self._others.union(found) if self._is_ours(pid)}
            self._others |= running - new.union(found)
            self._add(found, new)
            self._seen = running.intersection(found)
        return list(found)

    @staticmethod
    def _add(found: dict[int, None], more: Iterable[int]) -> None:
        """Add processes and their descendants to those found."""
        for process in sorted(more):
            if process not in found:
                found |= dict.fromkeys(descendants(process))

    def _is_ours(self, pid: int) -> bool:
        """Whether a process has the session, the group or the mark of the bot."""
        with contextlib.suppress(OSError):
            fields = _stat(pid)
            if int(fields[START_TIME]) < self._since:  # its environment need not be read
                return False
            is_in_session = not self._roots.isdisjoint(map(int, fields[2:4]))
            return is_in_session or not self._marks.isdisjoint(_variables(pid))
        return False

    def kill(self) -> None:
        """Kill its processes.

        They are stopped first, since those that are killed last could start others, and children
        leave the tree when their parent is killed. The group of a bot is stopped at once, as one
        that forks as fast as it can outruns a search. A search that finds no new ones is the last.
        """
        found = set(self._roots)
        for root in self._roots:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(root, signal.SIGSTOP)
        for _ in range(MAX_SEARCHES):
            more = set(self.pids()) - found - {os.getpid()}
            if not more:
                break
            _signal_all(more, signal.SIGSTOP)
            found |= more
        _signal_all(found, signal.SIGKILL)

    def stop(self) -> bool:
        """Stop its processes; return whether all of them have stopped within `STOP_S`.

        It searches until it finds all of them stopped, and no others than before: one that runs may
        start another and end, which a search can miss.
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
        """Let its processes run again, if `stop` was called."""
        if self._may_be_stopped:
            _signal_all(self.pids(), signal.SIGCONT)
            self._may_be_stopped = False


def _is_stopped(pid: int, is_signalled: bool) -> bool:
    """Whether no thread of a process runs, or will run but to stop for the signal that it got."""
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
    except OSError:  # it has ended; if a thread of it has, the next search tells
        return not os.path.exists(f"/proc/{pid}")


def _started(pid: int) -> int:
    """Return when a process was started, in ticks of the system; 0 if it is not known."""
    with contextlib.suppress(OSError):
        return int(_stat(pid)[START_TIME])
    return 0


def _stat(pid: int, task: str = "") -> list[bytes]:
    """Return the fields of a process, or of a task of it, from the third on: its state."""
    with open(f"/proc/{pid}{task}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
