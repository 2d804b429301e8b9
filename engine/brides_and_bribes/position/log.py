"""Log of a game: notes of what happened, from which events are made on request.

A playout that asks for no events pays next to nothing for its log.
"""
# compiled: see setup.py

from typing import Any

Note = tuple[Any, ...]
"""The kind of an event, and a value for each of its fields (see `events`)."""
Viewer = int | None
"""The seat that is told an event; None for a spectator."""


class Chapter:
    """A finished part of a log, and the events made of it, by viewer."""

    notes: tuple[Note, ...]
    told: dict[Viewer, list[Any]]
    """The state makes them when they are asked for."""


class Log:
    """All notes of a game: those of finished chapters, and those since the last of them."""

    chapters: tuple[Chapter, ...]
    """The set-up, then one for each round; `hide_secrets` ends one as well."""
    notes: list[Note]
    """The notes since the last chapter, to which the rules append: there is no method for it, since
    a playout writes more notes than it makes decisions."""
    redrawn: tuple[tuple[int, int], ...]
    """A seat for which hidden tiles were redrawn, and the number of chapters at that time.

    In those chapters only this seat is told its secrets; those of other seats have changed.
    """

    def end_chapter(self) -> None:
        """Move the notes into a new chapter."""
        chapter = Chapter()
        chapter.notes = tuple(self.notes)
        chapter.told = {}
        self.chapters += (chapter,)
        self.notes = []

    def hide_secrets(self, seat: int) -> None:
        """Tell the secrets of all notes so far to `seat` only."""
        self.end_chapter()
        earlier = [pair for pair in self.redrawn if pair[0] != seat]
        self.redrawn = (*earlier, (seat, len(self.chapters)))

    def copy(self) -> "Log":
        """Return an independent copy; it shares the finished chapters."""
        other = Log()
        other.chapters = self.chapters
        other.notes = self.notes.copy()
        other.redrawn = self.redrawn
        return other


def empty_log() -> Log:
    """Return a log without notes."""
    log = Log()
    log.chapters = ()
    log.notes = []
    log.redrawn = ()
    return log
