"""History of a game: the events that a seat was told, from the notes of the log [10]."""

from typing import Any

from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.log import Viewer, tell


def list_events(position: Position, seat: Viewer, since: int) -> list[Any]:
    """Return the events of `seat`, or of a spectator (None), from event number `since` on."""
    log = position.log
    told: list[Any] = []
    for number, chapter in enumerate(log.chapters):
        length = len(chapter.notes)
        if since < length:
            knows = all(seat == other or number >= until for other, until in log.redrawn)
            told += chapter.tell(seat if knows else None)[since:]
        since = max(0, since - length)
    return told + tell(log.notes[since:], seat)
