"""The log of a game.

The rules append short notes to the log. Events are built from these notes only when they are
needed, because random playouts need no events.
"""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
Viewer = int | None


class Chapter:
    """A completed part of a log. It caches events for each viewer."""

    notes: tuple[Note, ...]
    told: dict[Viewer, list[Any]]


class Log:
    chapters: tuple[Chapter, ...]
    """The log of the set-up and of each completed round.

    Calling `hide_secrets` also ends a chapter."""
    notes: list[Note]
    """Notes since the last chapter.

    The rules append to this list directly because method calls are too slow in random playouts."""
    redrawn: tuple[tuple[int, int], ...]
    """Seats passed to `hide_secrets`, with the number of chapters completed before the call.

    Only the given seat can see the secrets in these chapters."""

    def end_chapter(self) -> None:
        chapter = Chapter()
        chapter.notes = tuple(self.notes)
        chapter.told = {}
        self.chapters += (chapter,)
        self.notes = []

    def hide_secrets(self, seat: int) -> None:
        """Let only `seat` see secrets written so far."""
        self.end_chapter()
        earlier = [pair for pair in self.redrawn if pair[0] != seat]
        self.redrawn = (*earlier, (seat, len(self.chapters)))

    def copy(self) -> "Log":
        other = Log()
        other.chapters = self.chapters
        other.notes = self.notes.copy()
        other.redrawn = self.redrawn
        return other


def empty_log() -> Log:
    log = Log()
    log.chapters = ()
    log.notes = []
    log.redrawn = ()
    return log
