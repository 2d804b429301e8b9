"""The log of a game: notes of what happened, from which events are built on demand.

Logging costs almost nothing in a playout that asks for no events.
"""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
"""The kind of an event and a value for each of its fields (see `events`)."""
Viewer = int | None
"""The seat that sees an event; None for a spectator."""


class Chapter:
    """A finished part of a log, with its events for each viewer."""

    notes: tuple[Note, ...]
    told: dict[Viewer, list[Any]]
    """Filled in on demand."""


class Log:
    """All notes of a game: the finished chapters, and the notes since."""

    chapters: tuple[Chapter, ...]
    """One for set-up and one for each round. `hide_secrets` also ends a chapter."""
    notes: list[Note]
    """The notes since the last chapter. The rules append to this list directly, because a method
    call would be too slow: playouts write more notes than they make decisions."""
    redrawn: tuple[tuple[int, int], ...]
    """A seat for which hidden tiles were redrawn, and the number of chapters at that time.

    Those chapters show secrets to this seat only, because those of other seats have changed."""

    def end_chapter(self) -> None:
        """Move the notes into a new chapter."""
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
        """Return an independent copy that shares the finished chapters."""
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
