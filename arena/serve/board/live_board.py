"""The boards as the pages show them, and what tells open pages that they have changed."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from arena.serve.ladder.ladder_files import (
    BOARD,
    FOLDER,
    PUBLIC,
    STATE,
    BoardFile,
    LadderFile,
    LadderState,
    read_file,
)

FileT = TypeVar("FileT", bound=LadderFile)
Stamp = tuple[int, ...]

LOOK_S = 1.0
"""How often an open page's connection looks whether the board has changed."""
BEAT_S = 15.0
"""A line is sent at least so often, so that proxies keep the connection."""
RETRY_MS = 3000
"""How long a browser waits before it connects again."""


class _Kept(Generic[FileT]):
    """The content of a file, which is read again when the file has changed."""

    def __init__(self, folder: Path, name: str, kind: type[FileT]) -> None:
        self._folder, self._name, self._kind = folder, name, kind
        self._lock = threading.Lock()
        self._stamp: Stamp = ()
        self._value: FileT | None = None

    def stamp(self) -> Stamp:
        """Return what changes with the file."""
        try:
            found = (self._folder / FOLDER / self._name).stat()
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino

    def value(self) -> FileT | None:
        with self._lock:
            if (stamp := self.stamp()) != self._stamp:
                self._value = read_file(self._folder, self._name, self._kind)
                self._stamp = stamp
            return self._value


class Live:
    """What the processes of the ladder have written last, and parts of pages made of it."""

    def __init__(self, contest_folder: Path) -> None:
        self.connections = 0
        """Open pages that are told of changes."""
        self.is_ending: Callable[[], bool] = lambda: False
        """Returns whether the server is about to stop, which waits for open connections."""
        self._parts: dict[str, tuple[object, str]] = {}
        self._state = _Kept(contest_folder, STATE, LadderState)
        self._board = _Kept(contest_folder, BOARD, BoardFile)
        self._public = _Kept(contest_folder, PUBLIC, BoardFile)

    def state(self) -> LadderState | None:
        """Return what the ladder is doing; None if it never ran."""
        return self._state.value()

    def board(self, *, sees_all: bool) -> BoardFile | None:
        """Return the board of everybody, or as the teacher sees it; None before the first one."""
        return self._board.value() if sees_all else self._public.value()

    def version(self, *, sees_all: bool) -> str:
        """Return what changes whenever a page with the board does."""
        board = self._board if sees_all else self._public
        return "-".join(map(str, (*board.stamp()[:1], *self._state.stamp()[:1])))

    def part(self, name: str, made_of: object, make: Callable[[], str]) -> str:
        """Return a part of pages, which is made again when what it is `made_of` has changed."""
        kept = self._parts.get(name)
        if kept is None or kept[0] != made_of:
            self._parts[name] = kept = (made_of, make())
        return kept[1]


async def events(
    version: Callable[[], str],
    is_ending: Callable[[], bool],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> AsyncIterator[bytes]:
    """Yield server-sent events until the server ends: `board` whenever the version has changed.

    The first one tells the version of now, so that a page that connects again sees what it missed.
    """
    yield b"retry: %d\n\n" % RETRY_MS
    told, silent_s = "", 0.0
    while not is_ending():
        if (now := version()) != told:
            told, silent_s = now, 0.0
            yield b"event: board\ndata: " + msgspec.json.encode(now) + b"\n\n"
        elif silent_s >= BEAT_S:
            silent_s = 0.0
            yield b": still here\n\n"
        await sleep(LOOK_S)
        silent_s += LOOK_S
