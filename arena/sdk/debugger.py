"""Debug a bot in Python: its code gets the terminal, and pdb stops where requested.

`arena debug` starts the bot with the environment variable named by `TERMINAL`, and marks the
turns at which pdb stops with the field `debug`. Other bots ignore this field like any unknown
one.
"""

from __future__ import annotations

import os

from arena.sdk.bot_class import Bot

TYPE_CHECKING = False  # see `arena.sdk.bot_class`
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

TERMINAL = "ARENA_TERMINAL"
"""Environment variable with the file descriptor of the terminal for the debugger to read."""
MARK = b',"debug":true}'
"""End of a line for which pdb stops at the start of `act`."""


def open_terminal() -> Any:
    return open(int(os.environ[TERMINAL]), closefd=False)


def debugged(bot_class: type[Bot], lines: Iterable[bytes]) -> tuple[type[Bot], Iterator[bytes]]:
    """Return a bot class that stops in pdb at marked turns, and the lines to feed it."""
    line = b""

    def listen() -> Iterator[bytes]:
        nonlocal line
        for line in lines:  # noqa: UP028  # `act` has to know the line
            yield line

    def act(bot: Any, view: Any, legal: list[str]) -> str:
        if not line.rstrip().endswith(MARK):
            return bot_class.act(bot, view, legal)
        from pdb import Pdb

        action: str = Pdb(nosigint=True).runcall(bot_class.act, bot, view, legal)  # type: ignore[assignment]
        return action

    return type(bot_class.__name__, (bot_class,), {"act": act}), listen()
