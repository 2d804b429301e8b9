"""The processes of a bot, which are frozen, measured and killed together.

A control group knows all of them. Without one they are found and measured through /proc.
"""

import contextlib
import errno
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from arena.base.contracts import Bounds, SandboxedCommand, SandboxSettings
from arena.base.errors import HostError
from arena.base.record import Entrant
from arena.plugins import get_sandbox
from arena.process.usage import (
    ProcessorTime,
    is_able,
    peaks_kib,
    resident_kib,
    share_kib,
    tasks_of,
    threads_of,
)
from arena.sandbox.cgroup import Bound, Group, Home
from arena.sandbox.launcher import set_limits
from arena.sandbox.process_tree import ProcessTree

MARK = "ARENA_BOT"
"""The environment variable that marks the processes of a bot, also those that it leaves behind."""
BOT_ERRORS = frozenset(
    (
        *(errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR),
        *(errno.ELOOP, errno.ENAMETOOLONG, errno.E2BIG, errno.ETXTBSY, errno.EINVAL),
        *(getattr(errno, name, errno.ENOEXEC) for name in ("ELIBBAD", "ELIBACC", "EBADARCH")),
    )
)
"""Errors for which a bot's command or folder is the reason. All others are this machine's."""
LOOK_S = 0.1
"""The time between two looks at the memory and the processes of a bot."""
COST_SHARE = 0.1
"""The part of the time that these looks may take."""
SEARCH_S = 0.05
"""The time between two searches for new processes of a bot that has no control group."""
SHORTAGES = {
    errno.EMFILE: "the arena has as many files open as it may: raise `ulimit -n`",
    errno.ENFILE: "the system has as many files or pipes open as it may: raise fs.file-max and "
    "fs.pipe-user-pages-hard with sysctl",
    errno.EAGAIN: "your user has as many processes and threads as it may: raise `ulimit -u`",
    errno.ENOMEM: "memory is short: lower sandbox.memory_mib",
    errno.ENOSPC: "a disk is full, or your user has all namespaces or watches that it may: see "
    "`df`, and raise user.max_user_namespaces with sysctl",
    errno.EDQUOT: "your user has all of a disk, or of keys, that it may: see `quota`",
}
"""The shortages that this machine may have, by error, and what to do."""


def host_error(task: str, error: OSError) -> HostError:
    """Return the error that this machine cannot do a `task` of the arena."""
    reason = SHORTAGES.get(error.errno or 0, "this is an error of the system, of no bot")
    return HostError(
        f"cannot {task}: {error.strerror or error}; {reason}, or enter fewer bots, take fewer "
        "--workers, and end other programs of this user; played games are kept"
    )


def names_shortage(said: str) -> bool:
    """Return whether a step of a sandbox failed for what this machine lacks; `said` is its log."""
    return said.rstrip(" .").endswith(tuple(f": {os.strerror(number)}" for number in SHORTAGES))


class SandboxedProcesses:
    """The processes of a bot and of its sandbox."""

    def __init__(self, tree: ProcessTree, group: Group | None) -> None:
        """Watch the processes of a tree.

        Args:
            tree: finds the processes.
            group: their control group, if they have one.
        """
        self._tree = tree
        self._group = group
        self._cpu = ProcessorTime()
        self._search_at = 0.0
        self._is_frozen = False
        self._peak_kib = 0
        self._look_at = 0.0

    def pids(self) -> list[int]:
        """Return the living processes."""
        return self._group.pids() if self._group else self._tree.pids()

    def kill(self, others: Iterable["SandboxedProcesses"] = ()) -> None:
        """Kill all processes of this bot and of others that can be found, with one search."""
        bots = [self, *others]
        self._tree.kill([bot._tree for bot in bots[1:]])
        for bot in bots:
            if bot._group:
                bot._group.kill()

    def freeze(self) -> bool:
        """Stop all processes; return whether that was seen to be so."""
        self._is_frozen = True
        return self._group.freeze() if self._group else self._tree.stop()

    def thaw(self) -> None:
        """Let all processes run again. Nothing is searched for unless `freeze` was called."""
        self._is_frozen = False
        if self._group:
            self._group.thaw()
        else:
            self._tree.resume()

    # -- the clock ----------------------------------------------------------------------------

    @property
    def has_exact_clock(self) -> bool:
        """Whether the clock counts all processes, also those that have ended."""
        return self._group is not None

    def clock_s(self) -> float:
        """Return the processor time of all processes so far, in seconds.

        Without a control group new processes are searched for from time to time.
        """
        if self._group:
            return self._group.cpu_s()
        now = time.monotonic()
        if now < self._search_at:
            return self._cpu.read() / 1e9
        used_ns = self._cpu.measure(self._tree.pids())
        self._search_at = time.monotonic() + SEARCH_S
        return used_ns / 1e9

    def is_able(self) -> bool:
        """Return whether a thread of the bot runs or waits for a core."""
        return is_able(self._group.threads() if self._group else threads_of(self._tree.pids()))

    def kernel_excess(self, bounds: Bounds) -> str | None:
        """Return that the system has killed a process for the memory of all in words, or None."""
        if self._group and self._group.ran_out_of_memory:
            return f"took more memory than it may; {bounds.memory_mib} MiB are allowed"
        return None

    def excess(self, bounds: Bounds, own_tasks: int) -> str | None:
        """Return the bound that the living processes exceed in words, or None.

        `own_tasks` of them belong to the sandbox.
        """
        if killed := self.kernel_excess(bounds):
            return killed
        now = time.monotonic()
        if now < self._look_at:
            return None
        memory_kib, tasks = self._use(bounds.memory_mib * 1024)
        self._look_at = now + max(LOOK_S, (time.monotonic() - now) / COST_SHARE)
        self._peak_kib = max(self._peak_kib, memory_kib)
        if memory_kib > bounds.memory_mib * 1024:
            return f"took {memory_kib // 1024} MiB of memory; {bounds.memory_mib} MiB are allowed"
        if tasks - own_tasks > bounds.processes:
            return f"had {tasks - own_tasks} processes and threads; {bounds.processes} are allowed"
        return None

    def _use(self, bound_kib: int) -> tuple[int, int]:
        """Return the memory in KiB and the number of processes and threads.

        Where they have to be counted, all processes are stopped meanwhile: hundreds that compute
        would delay us for seconds.
        """
        group = self._group
        if group and group.counts_memory and group.counts_tasks:
            return group.memory_bytes() // 1024, group.tasks()
        if group is None or self._is_frozen:
            return self._count_use(bound_kib)
        group.freeze()
        try:
            return self._count_use(bound_kib)
        finally:
            group.thaw()

    def _count_use(self, bound_kib: int) -> tuple[int, int]:
        pids = self.pids()
        memory_kib = sum(map(resident_kib, pids))
        if memory_kib > bound_kib:  # a page that several processes share was counted several times
            memory_kib = sum(map(share_kib, pids))
        return memory_kib, sum(map(tasks_of, pids))

    def memory_kib(self, bounds: Bounds) -> int:
        """Return the sum of the peaks of the living processes, which may use `bounds`.

        If that exceeds the bounds it is the most that was measured or that one process had, since a
        page may count in several peaks.
        """
        peaks = peaks_kib(self.pids())
        peak_kib = sum(peaks) if sum(peaks) <= bounds.memory_mib * 1024 else max(peaks)
        return max(self._peak_kib, peak_kib)


def make_group(home: Home | None, bounds: Bounds, own_tasks: int) -> Group | None:
    """Return a control group in `home` with the bounds of a bot, or None if it cannot be had.

    The sandbox has `own_tasks` processes in it besides.
    """
    if home:
        with contextlib.suppress(OSError):
            group = home.group()
            group.bound(Bound(bounds.memory_mib, bounds.processes + own_tasks))
            return group
    return None


class Launched(NamedTuple):
    """A sandboxed command that runs."""

    sandboxed: SandboxedCommand
    popen: subprocess.Popen[bytes]
    """Its first process, with a pipe for each of its three streams."""
    processes: SandboxedProcesses
    """All its processes."""
    mark: str
    """The value of `MARK` in the environment of its processes."""


def launch(
    entrant: Entrant,
    sandbox: SandboxSettings,
    home: Callable[[], Home | None],
    files: Mapping[str, int],
) -> Launched:
    """Start the command of `entrant` in a sandbox.

    It gets the open `files`; the variables of its environment that name them have their numbers.

    `home` returns the place for its control group, None if there is none.

    Raises:
        OSError: the command cannot be started.
        SandboxError: the sandbox cannot be set up.
    """
    sandboxed = get_sandbox(sandbox.level).wrap(entrant, sandbox)
    mark = os.urandom(8).hex()
    bounds, own_tasks = sandbox.bounds, sandboxed.own_tasks
    group = make_group(home(), bounds, own_tasks)
    numbers = {variable: str(file) for variable, file in files.items()}
    try:
        popen = subprocess.Popen(
            (*(group.entry if group and sandboxed.contains else ()), *sandboxed.command),
            cwd=sandboxed.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=(*files.values(), *sandboxed.files),
            start_new_session=True,  # a group of its own, so that all of it can be killed
            env=dict(sandboxed.environment) | {MARK: mark} | numbers,
        )
    except OSError:
        if group:
            group.kill()
        if sandboxed.on_end:
            sandboxed.on_end()
        raise
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        if pipe and sandboxed.contains:  # a bot with another user may open /dev/stderr
            os.fchmod(pipe.fileno(), 0o666)
    set_limits(popen.pid, sandboxed.limits)
    if group and not sandboxed.contains and not group.enter(popen.pid):
        group.kill()
        group = None
    tree = ProcessTree(popen.pid, b"" if sandboxed.contains else f"{MARK}={mark}".encode())
    return Launched(sandboxed, popen, SandboxedProcesses(tree, group), mark)
