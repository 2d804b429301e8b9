"""Freezing of the bots that are not asked, while a bot thinks.

While a bot starts, or has been asked for some milliseconds, all bots that are not asked are frozen.
So they cannot take processor time from it. Where all bots answer at once, none is frozen.
"""
# compiled: see setup.py

from collections import deque
from collections.abc import Iterator

from arena.match.commands import Command, Freeze, Thaw
from arena.match.in_progress import Conversation


class Freezer:
    """Decides which processes are frozen. It is pure: it writes commands."""

    def __init__(self, outbox: deque[Command], is_on: bool) -> None:
        """Make a freezer without processes; one that is not on never freezes any."""
        self._outbox = outbox
        self.is_on = is_on
        """Whether processes are frozen at all."""
        self.running: dict[Conversation, None] = {}
        """All processes, in the order of their starts."""
        self.thinking: dict[Conversation, None] = {}
        """The processes that are asked and may compute for long."""

    def add(self, process: Conversation) -> None:
        """Add a process, which starts."""
        self.running[process] = None
        self.think(process)

    def remove(self, process: Conversation) -> None:
        """Forget a process that has ended."""
        self.running.pop(process, None)
        self.thinking.pop(process, None)

    def think(self, process: Conversation) -> None:
        """Freeze all others that are not asked, since this one may compute for long."""
        if self.is_on:
            self.thinking[process] = None
            for other in self.running:
                if other is not process:
                    self._freeze(other)

    def freeze_all(self) -> None:
        """Freeze all processes, since no game is under way."""
        if self.is_on:
            for process in self.running:
                self._freeze(process)

    def rest(self, process: Conversation) -> None:
        """Note that a process has answered all requests; freeze it if another one thinks."""
        if self.thinking:
            self.thinking.pop(process, None)
            if self.thinking:
                self._freeze(process)

    def _freeze(self, process: Conversation) -> None:
        if not process.requests and not process.has_stopped:
            process.is_frozen = process.has_stopped = True
            self._outbox.append(Freeze(process.number))

    def thaw(self, process: Conversation) -> None:
        """Let a process run again, which is sent something."""
        if process.is_frozen:
            process.thaw()
            self._outbox.append(Thaw(process.number))

    def frozen(self) -> Iterator[Conversation]:
        """Yield the processes that are frozen."""
        return (process for process in self.running if process.is_frozen)
