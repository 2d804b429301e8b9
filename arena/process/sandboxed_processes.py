"""Freeze, measure and kill all processes of a bot.

If possible, each bot gets its own Linux control group (cgroup). Without cgroups, the arena searches
/proc for a bot's processes.
"""

import contextlib
import errno
import os
import subprocess
import time
from collections.abc import Callable, Iterable

from arena.base.contracts import Bounds, SandboxedCommand, SandboxSettings
from arena.base.errors import HostError
from arena.base.record import Entrant
from arena.plugins import get_sandbox
from arena.process.usage import (
    ProcessorTime,
    is_able,
    resident_kib,
    share_kib,
    tasks_of,
    threads_of,
)
from arena.sandbox.cgroup import Group, Home
from arena.sandbox.launcher import set_limits
from arena.sandbox.process_tree import ProcessTree, descendants

MARK = "ARENA_BOT"
"""Environment variable that identifies a bot's processes, even orphaned ones."""
BOT_ERRORS = frozenset(
    (
        *(errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR),
        *(errno.ELOOP, errno.ENAMETOOLONG, errno.E2BIG, errno.ETXTBSY, errno.EINVAL),
        *(getattr(errno, name, errno.ENOEXEC) for name in ("ELIBBAD", "ELIBACC", "EBADARCH")),
    )
)
"""Values of `errno` that indicate a problem with the bot rather than the machine."""
LOOK_S = 0.1
COST_SHARE = 0.1
"""Maximum fraction of wall-clock time to spend on measuring a bot's memory and processes."""
SEARCH_S = 0.05
MAX_STATE_READS = 5
TURNS_SHARE = 0.25
SHORTAGES = {
    errno.EMFILE: "raise `ulimit -n`",
    errno.ENFILE: "raise fs.file-max and fs.pipe-user-pages-hard with sysctl",
    errno.EAGAIN: "raise `ulimit -u`",
    errno.ENOMEM: "lower sandbox.memory_mib",
    errno.ENOSPC: "free disk space, or raise user.max_user_namespaces with sysctl",
    errno.EDQUOT: "free disk space or keys (see `quota`)",
}


def host_error(task: str, error: OSError) -> HostError:
    remedy = SHORTAGES.get(error.errno or 0, "check the machine")
    return HostError(
        f"cannot {task}: {error.strerror or error}; {remedy}, use fewer bots or "
        "--workers, or close other programs of this user; finished games are kept"
    )


def names_shortage(message: str) -> bool:
    return message.rstrip(" .").endswith(tuple(f": {os.strerror(number)}" for number in SHORTAGES))


class SandboxedProcesses:
    def __init__(self, tree: ProcessTree, group: Group | None) -> None:
        self._tree = tree
        self._group = group
        self._processes = group or tree
        self._cpu = ProcessorTime()
        self._search_at = 0.0
        self._is_frozen = False
        self._peak_kib = 0
        self._look_at = 0.0

    def kill(self, others: Iterable["SandboxedProcesses"] = ()) -> None:
        bots = [self, *others]
        self._tree.kill([bot._tree for bot in bots[1:]])
        for bot in bots:
            if bot._group:
                bot._group.kill()

    def freeze(self) -> None:
        self._is_frozen = True
        self._processes.freeze()

    def thaw(self) -> None:
        self._is_frozen = False
        self._processes.thaw()

    # -- the clock ----------------------------------------------------------------------------

    @property
    def has_exact_clock(self) -> bool:
        return self._group is not None

    def clock_s(self) -> float:
        """Return the bot's total processor time in seconds."""
        # Without a control group, new processes are missed for up to `SEARCH_S` seconds.
        if self._group:
            return self._group.cpu_s()
        now = time.monotonic()
        if now < self._search_at:
            return self._cpu.read() / 1e9
        used_ns = self._cpu.measure(self._tree.pids())
        self._search_at = time.monotonic() + SEARCH_S
        return used_ns / 1e9

    def is_able(self) -> bool:
        """Return whether at least one of the bot's threads is running or runnable."""
        # Thread states can't all be read at the same instant, so they are read again if the bot has
        # used processor time in the meantime. A bot that keeps using processor time is running.
        began, began_s = time.monotonic(), self.clock_s()
        used_s = began_s
        for _ in range(MAX_STATE_READS):
            before_s = used_s
            if is_able(self._group.threads() if self._group else threads_of(self._tree.pids())):
                return True
            used_s = self.clock_s()
            if used_s == before_s:
                return False
        return used_s - began_s >= TURNS_SHARE * (time.monotonic() - began)

    def kernel_excess(self, bounds: Bounds) -> str | None:
        if self._group and self._group.ran_out_of_memory:
            return f"used too much memory; the limit is {bounds.memory_mib} MiB"
        return None

    def excess(self, bounds: Bounds, own_tasks: int) -> str | None:
        """Return a description of the sandbox limit that the bot has exceeded, or None.

        The processes that the sandbox itself needs (`own_tasks`) don't count toward the process
        limit.
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
            return f"used {memory_kib // 1024} MiB of memory; the limit is {bounds.memory_mib} MiB"
        if tasks - own_tasks > bounds.processes:
            return f"had {tasks - own_tasks} processes and threads; the limit is {bounds.processes}"
        return None

    def _use(self, bound_kib: int) -> tuple[int, int]:
        """Return the bot's memory usage in KiB and its number of processes and threads."""
        # The bot is frozen while its processes are measured one by one, because that could take
        # seconds with hundreds of busy processes.
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
        pids = self._processes.pids()
        memory_kib = sum(map(resident_kib, pids))
        if memory_kib > bound_kib:  # a page that several processes share was counted several times
            memory_kib = sum(map(share_kib, pids))
        return memory_kib, sum(map(tasks_of, pids))

    def memory_kib(self, bounds: Bounds) -> int:
        """Measure the bot's memory usage. Return the peak so far in KiB."""
        return max(self._peak_kib, self._count_use(bounds.memory_mib * 1024)[0])


def make_group(home: Home | None, bounds: Bounds, own_tasks: int) -> Group | None:
    if home:
        with contextlib.suppress(OSError):
            group = home.group()
            group.bound(bounds.memory_mib, bounds.processes + own_tasks)
            return group
    return None


def _enter_all(group: Group, pid: int) -> bool:
    if not group.enter(pid):
        return False
    entered = {pid}
    while new := set(descendants(pid)) - entered:
        for each in new:
            group.enter(each)
        entered |= new
    return True


def launch(
    entrant: Entrant, sandbox: SandboxSettings, home: Callable[[], Home | None]
) -> tuple[SandboxedCommand, subprocess.Popen[bytes], SandboxedProcesses, str]:
    """Start a bot's command in a sandbox, and mark its processes with an environment variable.

    Raises:
        OSError: The bot's command can't be started.
        SandboxError: The sandbox can't be set up.
    """
    sandboxed = get_sandbox(sandbox.level).wrap(entrant, sandbox)
    mark = os.urandom(8).hex()
    bounds, own_tasks = sandbox.bounds, sandboxed.own_tasks
    group = make_group(home(), bounds, own_tasks)
    try:
        popen = subprocess.Popen(
            (*(group.entry if group and sandboxed.contains else ()), *sandboxed.command),
            cwd=sandboxed.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=sandboxed.files,
            start_new_session=True,  # a group of its own, so that all of it can be killed
            env=dict(sandboxed.environment) | {MARK: mark},
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
    if group and not sandboxed.contains and not _enter_all(group, popen.pid):
        group.kill()
        group = None
    tree = ProcessTree(popen.pid, b"" if sandboxed.contains else f"{MARK}={mark}".encode())
    return sandboxed, popen, SandboxedProcesses(tree, group), mark
