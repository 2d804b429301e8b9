"""What a bot's processes hold together: memory where no control group measures it, and watches."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from arena.sandbox.proc_memory import (
    Opened,
    Status,
    files_kib,
    mapped,
    opened,
    own_sockets,
    share_kib,
    socket_kib,
    status,
    tcp_kib,
)

PIPE_KIB = 64
"""The most that a pipe holds, unless it was enlarged."""
FILE_KIB = 1.25
"""What the kernel needs for another open file."""
WATCH_KIB = 0.25
"""What the kernel needs for a watch of an epoll."""
TASK_KIB = 24
"""What the kernel needs for a thread: its stack and its state."""
TCP_KIB = 16 * 1024
"""More than a TCP socket buffers, as an estimate before the queues are read."""
COST_SHARE = 0.1
"""The part of the time that measurements may take, by processor time. On a busy machine a
measurement may have to wait, which is no reason to put off the next one."""
SLICE_S = 0.005
"""The processor time after which a measurement leaves the other processes to the next one."""

SeenT = TypeVar("SeenT")


class Use(NamedTuple):
    """What processes use together."""

    memory_kib: int
    tasks: int
    """Processes and threads."""
    watches: int = 0
    """What their epolls watch."""
    sent_files: int = 0
    """The most descriptors that are on their way in one socket."""


class MemoryMeter:
    """Measures the memory of changing processes, in a limited part of the time.

    What a process maps is quickly known. What it has open, and which of its pages others have too,
    is only asked for where it matters. What takes long is spread over several measurements.
    """

    def __init__(
        self,
        is_contained: bool = False,
        now: Callable[[], float] = time.perf_counter,
        busy: Callable[[], float] = time.thread_time,
    ) -> None:
        """Make a meter.

        Args:
            is_contained: whether the processes have a network and a /tmp of their own.
            now: the clock that tells when the next measurement is due.
            busy: the clock that tells what a measurement costs, in processor time.
        """
        self._is_contained = is_contained
        self._now = now
        self._busy = busy
        self._due = 0.0
        self._last = Use(0, 0)
        self._statuses: dict[int, Status | None] = {}
        self._opened: dict[int, Opened] = {}
        self._mapped: dict[int, dict[str, int]] = {}
        self._shares: dict[int, int] = {}

    def measure(self, pids: Callable[[], Iterable[int]], bound_mib: int | None) -> Use:
        """Return what the processes use, or what they used when it was last measured.

        Memory within the bound may be counted too low. With None as the bound, only what they have
        open is looked at, and no memory and no tasks are counted.
        """
        now = self._now()
        if now >= self._due:
            begun = self._busy()
            found = list(pids())
            if bound_mib is None:
                self._opened = self._refresh(self._opened, found, opened)
                self._last = self._with_opened(Use(0, 0))
            else:
                self._last = self._with_opened(self._measure(found, bound_mib * 1024))
            self._due = now + (self._busy() - begun) / COST_SHARE
        return self._last

    def _with_opened(self, use: Use) -> Use:
        """Return what is used, with what was seen of epolls and sockets."""
        seen = self._opened.values()
        watches = sum([one.watches for one in seen])
        return use._replace(
            watches=watches, sent_files=max([one.sent_files for one in seen], default=0)
        )

    def _measure(self, pids: Sequence[int], bound_kib: int) -> Use:
        self._statuses = self._refresh(self._statuses, pids, status)
        found = {pid: one for pid in pids if (one := self._statuses.get(pid))}
        tasks = sum([one.tasks for one in found.values()])
        kib = max([one.own_kib + one.shared_kib for one in found.values()], default=0)
        if found and kib <= bound_kib:
            kib = max(kib, self._look(found, bound_kib))
        return Use(kib, tasks)

    def _look(self, found: dict[int, Status], bound_kib: int) -> int:
        """Return what the processes hold together."""
        self._opened = self._refresh(self._opened, found, opened)
        own_kib = sum([one.own_kib for one in found.values()])
        held_kib = sum([one.tasks for one in found.values()]) * TASK_KIB
        held_kib += self._open_kib(found, bound_kib - own_kib - held_kib)
        memory: dict[str, int] = {}
        if held_kib + own_kib + sum([one.elsewhere_kib for one in found.values()]) > bound_kib:
            self._mapped = self._refresh(self._mapped, found, mapped)
            for extents in self._mapped.values():
                memory |= {one: max(kib, memory.get(one, 0)) for one, kib in extents.items()}
        for one in self._opened.values():
            memory |= one.memory  # of these, what is filled is known
        held_kib += sum(memory.values())
        if held_kib + own_kib > bound_kib and len(found) > 1:
            self._shares = self._refresh(self._shares, found, share_kib)
            own_kib = sum(self._shares.values())
        return held_kib + own_kib

    def _open_kib(self, found: dict[int, Status], left_kib: int) -> int:
        """Return what the kernel holds for open files. If that may exceed `left_kib`, ask for the
        queues of TCP sockets.
        """
        seen = self._opened.values()
        sockets: set[str] = set().union(*[one.sockets for one in seen])
        pipes: set[str] = set().union(*[one.pipes for one in seen])
        kib = len(pipes) * PIPE_KIB + int(sum([one.files for one in seen]) * FILE_KIB)
        kib += int(sum([one.watches for one in seen]) * WATCH_KIB)
        last = next(reversed(found))  # the first are outside of the sandbox
        number = len(sockets)
        if self._is_contained:
            kib += files_kib(last)
            number = max(number, own_sockets(last))
        kib += number * socket_kib()
        if number and kib + number * TCP_KIB > left_kib:
            kib += tcp_kib(last, None if self._is_contained else sockets)
        return kib

    def _refresh(
        self, seen: dict[int, SeenT], found: Iterable[int], look: Callable[[int], SeenT]
    ) -> dict[int, SeenT]:
        """Return what is seen of the processes: first of new ones, then of those seen first."""
        begun = self._busy()
        living = set(found)
        known = {pid: one for pid, one in seen.items() if pid in living}
        for pid in [*[pid for pid in found if pid not in known], *known]:
            known.pop(pid, None)
            known[pid] = look(pid)
            if self._busy() - begun > SLICE_S:
                break
        return known
