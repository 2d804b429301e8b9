"""Register the built-in sandbox levels. For trusted bots, the level can be `none`."""

import os
import select
import sys
from collections.abc import Iterable

from arena.base.contracts import Attack, Sandbox, SandboxedCommand, SandboxSettings
from arena.base.record import Entrant
from arena.plugins import hookimpl
from arena.sandbox.isolated import IsolatedSandbox
from arena.sandbox.launcher import limits_of, tasks_of_this_machine

# The kernel applies this limit to all bots of a user together.
MAX_NEW_TASKS = 1024


class NoSandbox:
    """Runs bots without a sandbox, but with resource limits that prevent accidental overload."""

    name = "none"
    promise = "no isolation: run only bots you trust"
    denies: frozenset[Attack] = frozenset()

    def missing(self) -> str | None:
        missing = [name for name in ("killpg", "set_blocking") if not hasattr(os, name)]
        missing += [] if hasattr(select, "poll") else ["poll"]
        if not missing:
            return None
        return (
            f"this system cannot run bots, since its Python has no {', '.join(missing)}: use "
            "Linux or macOS, or on Windows its Linux (WSL)"
        )

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        own = {}
        if sys.platform.startswith("linux"):  # these protect the machine from leaks and fork bombs
            limits, tasks = limits_of(sandbox.bounds), tasks_of_this_machine()
            own = {name: limits[name] for name in ("data", "fsize")}
            own["nproc"] = tasks + MAX_NEW_TASKS
        return SandboxedCommand(
            entrant.command,
            entrant.folder,
            os.environ | {"PYTHONHASHSEED": "0"},  # a fixed order for the sets of Python bots
            announces=False,
            limits=own,
        )

    def remedy(self, said: str) -> str:
        return ""


@hookimpl
def register_sandboxes() -> Iterable[Sandbox]:
    return [NoSandbox(), IsolatedSandbox()]
