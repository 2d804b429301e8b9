"""A cache of the latest leaderboards."""

from collections.abc import Callable
from pathlib import Path

from arena.extras.serve.current_contest import Stamp, file_stamp
from arena.extras.serve.ladder.ladder_files import BOARD, STATE, LadderState, StandingsFile


class LiveStandings:
    def __init__(self, contest_folder: Path) -> None:
        self._folder = contest_folder
        self._board: tuple[Stamp, StandingsFile | None] = ((), None)
        self._parts: dict[str, tuple[object, str]] = {}

    def state(self) -> LadderState | None:
        return STATE.read(self._folder)

    def board(self) -> StandingsFile | None:
        if (stamp := file_stamp(BOARD.path(self._folder))) != self._board[0]:
            self._board = stamp, BOARD.read(self._folder)
        return self._board[1]

    def version(self) -> str:
        """Return a string that changes whenever the content of a leaderboard page changes."""
        stamps = [file_stamp(file.path(self._folder))[:1] for file in (BOARD, STATE)]
        return "-".join([str(number) for stamp in stamps for number in stamp])

    def part(self, name: str, made_of: object, make: Callable[[], str]) -> str:
        """Return an HTML fragment from the cache. If `made_of` has changed, call `make` instead."""
        kept = self._parts.get(name)
        if kept is None or kept[0] != made_of:
            self._parts[name] = kept = (made_of, make())
        return kept[1]
