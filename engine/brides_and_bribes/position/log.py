"""The log of a game: short notes from which events are built on demand.

Playouts write notes but never read them.
"""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
Viewer = int | None


class Chapter:
    """A completed part of a log, with cached events for each viewer."""

    notes: tuple[Note, ...]
    told: dict[Viewer, list[Any]]


class Log:
    chapters: tuple[Chapter, ...]
    """The set-up and each round are separate chapters. `hide_secrets` also ends a chapter."""
    notes: list[Note]
    """Notes since the last chapter. The rules append to this list directly, because method calls
    would be too slow for so many notes."""
    redrawn: tuple[tuple[int, int], ...]
    """For each redraw of hidden tiles, the seat and the number of chapters before it.

    Secrets in these chapters are visible only to that seat."""

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
