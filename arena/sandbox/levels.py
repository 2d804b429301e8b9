"""The level `none`, and the registration of the built-in levels."""

import os
import select
from collections.abc import Iterable

from arena.base.contracts import Attack, Sandbox, SandboxedCommand, SandboxSettings
from arena.base.record import Entrant
from arena.plugins import hookimpl
from arena.sandbox.isolated import IsolatedSandbox


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
            os.environ | {"PYTHONHASHSEED": "0"},  # a fixed order for the sets of Python bots
            announces=False,
            is_bounded=False,
        )

    def remedy(self, said: str) -> str:
        """Return nothing, since no sandbox can fail."""
        return ""


@hookimpl
def register_sandboxes() -> Iterable[Sandbox]:
    """Return the built-in sandboxes."""
    return [NoSandbox(), IsolatedSandbox()]
