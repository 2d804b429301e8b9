"""Cache of the latest leaderboards written by the ladder's processes."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from arena.extras.serve.current_contest import Stamp, file_stamp
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    STATE,
    LadderFile,
    LadderState,
    ReportFile,
    StandingsFile,
)

FileT = TypeVar("FileT", bound=LadderFile)


class _CachedFile(Generic[FileT]):
    def __init__(self, file: ReportFile[FileT], contest_folder: Path) -> None:
        self._file, self._folder = file, contest_folder
        self._lock = threading.Lock()
        self._stamp: Stamp = ()
        self._value: FileT | None = None

    def stamp(self) -> Stamp:
        return file_stamp(self._file.path(self._folder))

    def value(self) -> FileT | None:
        with self._lock:
            if (stamp := self.stamp()) != self._stamp:
                self._value = self._file.read(self._folder)
                self._stamp = stamp
            return self._value


class LiveStandings:
    def __init__(self, contest_folder: Path) -> None:
        self._parts: dict[str, tuple[object, str]] = {}
        self._state = _CachedFile(STATE, contest_folder)
        self._board = _CachedFile(BOARD, contest_folder)

    def state(self) -> LadderState | None:
        return self._state.value()

    def board(self) -> StandingsFile | None:
        return self._board.value()

    def version(self) -> str:
        """Return a string that changes whenever the content of a leaderboard page changes."""
        return "-".join(map(str, (*self._board.stamp()[:1], *self._state.stamp()[:1])))

    def part(self, name: str, made_of: object, make: Callable[[], str]) -> str:
        """Return the HTML fragment created by `make`. The fragment is cached until `made_of`
        changes.
        """
        kept = self._parts.get(name)
        if kept is None or kept[0] != made_of:
            self._parts[name] = kept = (made_of, make())
        return kept[1]
