"""The level `none`: a bot is a process like any other of the user who started the arena."""

import os
import select
from collections.abc import Mapping

from arena.contracts import Attack, Enclosed, SandboxSettings
from arena.record import Entrant


class NoSandbox:
    """Nothing but the limits of the protocol, on any system that can wait for many pipes."""

    name = "none"
    promise = "no isolation: run only bots you trust"
    denies: frozenset[Attack] = frozenset()

    def lacks(self) -> str | None:
        """Say what the platform has not that no bot can be refereed without."""
        lacking = [name for name in ("killpg", "set_blocking") if not hasattr(os, name)]
        lacking += [] if hasattr(select, "poll") else ["poll"]
        if not lacking:
            return None
        return (
            f"this system cannot run bots, since its Python has no {', '.join(lacking)}: use "
            "Linux or macOS, or on Windows its Linux (WSL)"
        )

    def enclose(self, entrant: Entrant, sandbox: SandboxSettings) -> Enclosed:
        """Return the bot's own command, in an environment that is that of the arena."""
        return Enclosed(
            entrant.command,
            entrant.folder,
            our_environment(),
            announces=False,
            is_bounded=False,
        )

    def remedy(self, said: str) -> str:
        """There are no walls that could fail to stand."""
        return ""


def our_environment() -> Mapping[str, str]:
    """Return the environment of this process, but that sets of Python bots have a fixed order."""
    return os.environ | {"PYTHONHASHSEED": "0"}
