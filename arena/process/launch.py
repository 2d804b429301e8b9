"""The start of a bot's command in its sandbox."""

import os
import subprocess
from collections.abc import Callable
from typing import NamedTuple

from arena.contracts import SandboxedCommand, SandboxSettings
from arena.plugins import get_sandbox
from arena.process.family import Family, make_group
from arena.record import Entrant
from arena.sandbox.cgroup_home import Home
from arena.sandbox.memory import MemoryMeter
from arena.sandbox.process_tree import ProcessTree

MARK = "ARENA_BOT"
"""The environment variable that marks the processes of a bot, also those that it leaves behind."""


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
