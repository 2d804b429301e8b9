"""The start of a bot's command in its sandbox, and whose fault it is where that fails."""

import errno
import os
import subprocess
from collections.abc import Callable
from typing import NamedTuple

from arena.contracts import SandboxedCommand, SandboxSettings
from arena.errors import HostError
from arena.plugins import get_sandbox
from arena.process.family import Family, make_group
from arena.record import Entrant
from arena.sandbox.cgroup_home import Home
from arena.sandbox.memory import MemoryMeter
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
SHORTAGES = {
    errno.EMFILE: "the arena has as many files open as it may: raise `ulimit -n`",
    errno.ENFILE: "the system has as many files or pipes open as it may: raise fs.file-max and "
    "fs.pipe-user-pages-hard with sysctl",
    errno.EAGAIN: "your user has as many processes and threads as it may: raise `ulimit -u`",
    errno.ENOMEM: "memory is short: lower --memory-mib",
    errno.ENOSPC: "a disk is full, or your user has all namespaces or watches that it may: see "
    "`df`, and raise user.max_user_namespaces with sysctl",
    errno.EDQUOT: "your user has all of a disk, or of keys, that it may: see `quota`",
}
"""What this machine may lack for the arena, by error, and what to do."""


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


class Launched(NamedTuple):
    """A sandboxed command that runs."""

    sandboxed: SandboxedCommand
    popen: subprocess.Popen[bytes]
    """Its first process, with a pipe for each of its three streams."""
    family: Family
    """All its processes."""
    mark: str
    """The value of `MARK` in the environment of its processes."""


def launch(entrant: Entrant, sandbox: SandboxSettings, home: Callable[[], Home | None]) -> Launched:
    """Start the command of `entrant` in a sandbox.

    `home` returns the place for its control group, None if there is none. It is asked only if the
    referee enforces the bounds of the sandbox.

    Raises:
        OSError: the command cannot be started.
        SandboxError: the sandbox cannot be set up.
    """
    sandboxed = get_sandbox(sandbox.level).wrap(entrant, sandbox)
    mark = os.urandom(8).hex()
    bounds, own_tasks = sandbox.bounds, sandboxed.own_tasks
    group = make_group(home(), bounds, own_tasks) if sandboxed.is_bounded else None
    try:
        popen = subprocess.Popen(
            (*(group.entry if group else ()), *sandboxed.command),
            cwd=sandboxed.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # a group of its own, so that all of it can be killed
            env=dict(sandboxed.environment) | {MARK: mark},
        )
    except OSError:
        if group:
            group.kill()
        raise
    tree = ProcessTree(popen.pid, None if sandboxed.contains else (MARK, mark))
    family = Family(tree, group, MemoryMeter(sandboxed.contains))
    return Launched(sandboxed, popen, family, mark)
