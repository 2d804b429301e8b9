"""Register the built-in sandbox levels, and implement the level `none`."""

import os
import select
import sys
from collections.abc import Iterable

from arena.base.contracts import Attack, Bounds, Sandbox, SandboxedCommand, SandboxSettings
from arena.base.record import Entrant
from arena.plugins import hookimpl
from arena.sandbox.isolated import IsolatedSandbox
from arena.sandbox.launcher import limits_of, tasks_of_this_machine

# The kernel applies this limit to all bots of a user together.
MAX_NEW_TASKS = 1024


class NoSandbox:
    """Runs bots without a sandbox. Resource limits only prevent accidental damage."""

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
        return SandboxedCommand(
            entrant.command,
            entrant.folder,
            os.environ | {"PYTHONHASHSEED": "0"},  # a fixed order for the sets of Python bots
            announces=False,
            limits=_accident_limits(sandbox.bounds),
        )

    def remedy(self, said: str) -> str:
        return ""


def _accident_limits(bounds: Bounds) -> dict[str, int]:
    if not sys.platform.startswith("linux"):
        return {}
    limits = limits_of(bounds)
    tasks = tasks_of_this_machine() + MAX_NEW_TASKS
    return {"data": limits["data"], "fsize": limits["fsize"], "nproc": tasks}


@hookimpl
def register_sandboxes() -> Iterable[Sandbox]:
    return [NoSandbox(), IsolatedSandbox()]
