"""History of a game: the events that a seat was told, from the notes of the log [10]."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Any, Final

from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.log import Chapter, Note, Viewer

_MAKERS: Final = vars(notes)
"""By name: the functions that make events."""


def list_events(position: Position, seat: Viewer, since: int) -> list[Any]:
    """Return the events of `seat`, or of a spectator (None), from event number `since` on."""
    log = position.log
    told: list[Any] = []
    for number, chapter in enumerate(log.chapters):
        length = len(chapter.notes)
        if since < length:
            knows = all(seat == other or number >= until for other, until in log.redrawn)
            told += _tell_chapter(chapter, seat if knows else None)[since:]
        since = max(0, since - length)
    return told + _tell(log.notes[since:], seat)


def _tell_chapter(chapter: Chapter, viewer: Viewer) -> list[Any]:
    """Return the events of a chapter for `viewer`; they are made once."""
    if viewer not in chapter.told:
        chapter.told[viewer] = _tell(chapter.notes, viewer)
    return chapter.told[viewer]


def _tell(written: Sequence[Note], viewer: Viewer) -> list[Any]:
    """Return the events that notes make for `viewer`."""
    return [_MAKERS[note[0]](viewer, *note[1:]) for note in written]
