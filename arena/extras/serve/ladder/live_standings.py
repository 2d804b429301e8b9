"""The boards that the processes of the ladder wrote last, kept in memory for the pages."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from arena.extras.serve.contest_dates import Stamp, file_stamp
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    PUBLIC,
    STATE,
    LadderFile,
    LadderState,
    ReportFile,
    StandingsFile,
)

FileT = TypeVar("FileT", bound=LadderFile)


class _CachedFile(Generic[FileT]):
    """The content of a file, which is read again when the file has changed."""

    def __init__(self, file: ReportFile[FileT], contest_folder: Path) -> None:
        self._file, self._folder = file, contest_folder
        self._lock = threading.Lock()
        self._stamp: Stamp = ()
        self._value: FileT | None = None

    def stamp(self) -> Stamp:
        """Return a value that changes with the file."""
        return file_stamp(self._file.path(self._folder))

    def value(self) -> FileT | None:
        with self._lock:
            if (stamp := self.stamp()) != self._stamp:
                self._value = self._file.read(self._folder)
                self._stamp = stamp
            return self._value


class LiveStandings:
    """The boards and the state of the ladder, and parts of pages made of them."""

    def __init__(self, contest_folder: Path) -> None:
        self.connections = 0
        """Open pages that are told of changes."""
        self.is_ending: Callable[[], bool] = lambda: False
        """Returns whether the server is about to stop, which waits for open connections."""
        self._parts: dict[str, tuple[object, str]] = {}
        self._state = _CachedFile(STATE, contest_folder)
        self._board = _CachedFile(BOARD, contest_folder)
        self._public = _CachedFile(PUBLIC, contest_folder)

    def state(self) -> LadderState | None:
        """Return what the ladder is doing; None if it never ran."""
        return self._state.value()

    def board(self, *, sees_all: bool) -> StandingsFile | None:
        """Return the public board, or the teacher's if `sees_all`; None before the first one."""
        return self._board.value() if sees_all else self._public.value()

    def version(self, *, sees_all: bool) -> str:
        """Return a text that changes whenever a page with the board does."""
        board = self._board if sees_all else self._public
        return "-".join(map(str, (*board.stamp()[:1], *self._state.stamp()[:1])))

    def part(self, name: str, made_of: object, make: Callable[[], str]) -> str:
        """Return a part of pages. It is made again when `made_of` differs from the last call."""
        kept = self._parts.get(name)
        if kept is None or kept[0] != made_of:
            self._parts[name] = kept = (made_of, make())
        return kept[1]


# -- server-sent events that tell open pages of another board ----------------------------------


LOOK_S = 1.0
"""Seconds between two looks of an open page for a changed board."""
MAX_SILENCE_S = 15.0
"""A connection that is silent for this long gets a comment, so that proxies keep it open."""
RETRY_MS = 3000
"""Milliseconds before a browser connects again."""


async def standings_events(
    version: Callable[[], str],
    is_ending: Callable[[], bool],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> AsyncIterator[bytes]:
    """Yield server-sent events until the server ends: `board` whenever the version has changed.

    The first event has the current version, so a page that connects again learns what it missed.

    Args:
        version: returns the version of the board.
        is_ending: returns whether the server is about to stop.
        sleep: waits for a number of seconds.
    """
    yield b"retry: %d\n\n" % RETRY_MS
    told, silent_s = "", 0.0
    while not is_ending():
        if (now := version()) != told:
            told, silent_s = now, 0.0
            yield b"event: board\ndata: " + msgspec.json.encode(now) + b"\n\n"
        elif silent_s >= MAX_SILENCE_S:
            silent_s = 0.0
            yield b": still here\n\n"
        await sleep(LOOK_S)
        silent_s += LOOK_S
