"""The log of a game, with short notes from which events are built."""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
Viewer = int | None


class Chapter:
    """A completed part of a game's log, with the events for each viewer."""

    notes: tuple[Note, ...]
    told: dict[Viewer, list[Any]]


class Log:
    chapters: tuple[Chapter, ...]
    """The log of the set-up and of each completed round."""
    notes: list[Note]
    redrawn: tuple[tuple[int, int], ...]
    """Seats passed to `hide_secrets`, with the number of chapters at the time of each call."""

    def end_chapter(self) -> None:
        chapter = Chapter()
        chapter.notes = tuple(self.notes)
        chapter.told = {}
        self.chapters += (chapter,)
        self.notes = []

    def hide_secrets(self, seat: int) -> None:
        """Remove the secrets written so far from the events of all seats except `seat`."""
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
