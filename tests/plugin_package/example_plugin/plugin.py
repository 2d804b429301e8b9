"""What the arena loads: it says what there is, and starts nothing."""

import sys
from collections.abc import Iterable
from pathlib import Path

from arena.base.contracts import Schedule
from arena.plugins import RegisteredBot, hookimpl
from example_plugin.neighbours import neighbours


@hookimpl
def register_bots() -> Iterable[RegisteredBot]:
    """Return the bots of this package."""
    return [
        RegisteredBot(
            name="shy",
            command=(sys.executable, "-P", "-m", "example_plugin.bot"),
            folder=str(Path(__file__).parent),
            summary="takes the last legal action; any game",
            quick=True,
        )
    ]


@hookimpl
def register_schedules() -> Iterable[Schedule]:
    """Return the schedules of this package."""
    return [Schedule("neighbours", "who stand side by side meet", neighbours)]
