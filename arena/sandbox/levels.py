"""The levels `none` and `limits`, and the registration of all built-in levels."""

import os
import select
import shutil
import sys
from collections.abc import Iterable, Mapping

from arena.base.contracts import Attack, Sandbox, SandboxedCommand, SandboxSettings
from arena.base.record import Entrant
from arena.plugins import hookimpl
from arena.sandbox import restrict
from arena.sandbox.isolated import IsolatedSandbox
from arena.sandbox.launcher import (
    ANNOUNCED,
    limits_of,
    prlimit,
    program,
    tasks_of_this_machine,
    tool,
)
from arena.sandbox.restrict import filter_path, lacks_filter, landlock_version


class NoSandbox:
    """Runs bots without a sandbox, on any system that can wait for many pipes."""

    name = "none"
    promise = "no isolation: run only bots you trust"
    denies: frozenset[Attack] = frozenset()

    def missing(self) -> str | None:
        """Return the reason why this system cannot run bots at all, or None."""
        missing = [name for name in ("killpg", "set_blocking") if not hasattr(os, name)]
        missing += [] if hasattr(select, "poll") else ["poll"]
        if not missing:
            return None
        return (
            f"this system cannot run bots, since its Python has no {', '.join(missing)}: use "
            "Linux or macOS, or on Windows its Linux (WSL)"
        )

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return the bot's own command, with the environment of the arena."""
        return SandboxedCommand(
            entrant.command,
            entrant.folder,
            our_environment(),
            announces=False,
            is_bounded=False,
        )

    def remedy(self, said: str) -> str:
        """Return nothing, since no sandbox can fail."""
        return ""


def our_environment() -> Mapping[str, str]:
    """Return the environment of this process, with a fixed order for the sets of Python bots."""
    return os.environ | {"PYTHONHASHSEED": "0"}


MAX_NEW_TASKS = 1024
"""Processes and threads that all bots together may add to those of the machine.

The system counts them by user. The referee counts those of each bot.
"""


class LimitsSandbox:
    """Runs bots with `setpriv` and `prlimit` of util-linux, Landlock and a filter of system calls.

    It needs Linux, but not root.
    """

    name = "limits"
    promise = "memory, processes and files are limited; bots can read what you can"
    denies: frozenset[Attack] = frozenset(
        (
            "take too much memory",
            "look into the referee",
            "look into a rival",
            "make calls that no program needs",
        )
    )

    def missing(self) -> str | None:
        """Return which tool is missing, or None."""
        if not sys.platform.startswith("linux"):
            return "it needs Linux"
        for name in ("setpriv", "prlimit"):
            if not shutil.which(name):
                return f"`{name}` is not installed (apt install util-linux)"
        if landlock_version() < 1:
            return "this Linux has no Landlock (5.13 or newer, with `landlock` in its option `lsm`)"
        return lacks_filter()

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return the limited command. It is killed when its parent exits."""
        setpriv = [tool("setpriv"), "--no-new-privs", "--pdeathsig", "KILL"]
        if os.geteuid() == 0:  # root gives up its capabilities
            setpriv += ["--bounding-set", "-all", "--inh-caps", "-all"]
        tasks = tasks_of_this_machine() + MAX_NEW_TASKS
        limits = limits_of(sandbox.bounds) | {"nproc": tasks}
        filtered = (sys.executable, "-I", "-S", restrict.__file__, str(filter_path(self.name)))
        before = (*setpriv, "--", *filtered, *prlimit(limits), *ANNOUNCED)
        return SandboxedCommand(
            (*before, program(entrant), *entrant.command[1:]),
            entrant.folder,
            our_environment(),
        )

    def remedy(self, said: str) -> str:
        """Return the advice for an old util-linux or an unusual Linux, or nothing."""
        if restrict.REFUSED in said:
            return "this Linux was built without seccomp filters, or something denies them"
        return "install a newer util-linux" if "unrecognized option" in said else ""


@hookimpl
def register_sandboxes() -> Iterable[Sandbox]:
    """Return the built-in sandboxes."""
    return [NoSandbox(), LimitsSandbox(), IsolatedSandbox()]
