"""Record a game as notes: short tuples that are converted to events only when needed."""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
Viewer = int | None


class Chapter:
    """A finished part of the log. The events for each viewer are cached."""

    notes: tuple[Note, ...]
    events: dict[Viewer, list[Any]]


class Log:
    chapters: tuple[Chapter, ...]
    notes: list[Note]
    redrawn: tuple[tuple[int, int], ...]  # for each call of `hide_secrets`: seat, chapters so far

    def end_chapter(self) -> None:
        chapter = Chapter()
        chapter.notes = tuple(self.notes)
        chapter.events = {}
        self.chapters += (chapter,)
        self.notes = []

    def hide_secrets(self, seat: int) -> None:
        """Hide all secrets recorded so far from every viewer except `seat`."""
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
