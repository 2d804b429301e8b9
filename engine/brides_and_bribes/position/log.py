"""The log of a game: notes of what happened, from which events are built on demand.

Playouts write notes, but never read them.
"""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
"""The kind of an event, and a value for each of its fields."""
Viewer = int | None


class Chapter:
    """A finished part of a log, with its events for each viewer."""

    notes: tuple[Note, ...]
    told: dict[Viewer, list[Any]]
    """The events by viewer, built on demand."""


class Log:
    """All notes of a game: finished chapters, followed by the latest notes."""

    chapters: tuple[Chapter, ...]
    """One chapter for set-up and one for each round. `hide_secrets` also ends a chapter."""
    notes: list[Note]
    """The notes since the last chapter. Rules append to this list directly, because they write so
    many notes that method calls would be too slow."""
    redrawn: tuple[tuple[int, int], ...]
    """The seats for which hidden tiles were redrawn, each with the number of chapters at that time.

    Only this seat sees the secrets in these chapters."""

    def end_chapter(self) -> None:
        chapter = Chapter()
        chapter.notes = tuple(self.notes)
        chapter.told = {}
        self.chapters += (chapter,)
        self.notes = []

    def hide_secrets(self, seat: int) -> None:
        """Show the secrets in all notes so far to `seat` only."""
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
