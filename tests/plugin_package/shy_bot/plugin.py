"""What the arena loads: it says which bots there are, and starts none of them."""

import sys
from collections.abc import Iterable
from pathlib import Path

from arena.plugins import RegisteredBot, hookimpl


@hookimpl
def register_bots() -> Iterable[RegisteredBot]:
    """Return the bots of this package."""
    return [
        RegisteredBot(
            name="shy",
            command=(sys.executable, "-P", "-m", "shy_bot.bot"),
            folder=str(Path(__file__).parent),
            summary="takes the last legal action; any game",
            quick=True,
        )
    ]
