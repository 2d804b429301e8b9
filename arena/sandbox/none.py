"""The level `none`: a bot is an ordinary process of the user who started the arena."""

import os
import select
from collections.abc import Mapping

from arena.contracts import Attack, SandboxedCommand, SandboxSettings
from arena.record import Entrant


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
