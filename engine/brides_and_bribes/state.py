"""State of Brides & Bribes: a position, and the questions that the contract asks of it."""
# compiled: see setup.py

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.brides_and_bribes import hidden, rules
from engine.brides_and_bribes.events import make_event
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.log import Chapter, Note, Viewer
from engine.brides_and_bribes.scoring import rank, scores_of
from engine.brides_and_bribes.view import View, build_view
from engine.brides_and_bribes.view.structs import describe
from engine.contract import Outcome, Variant
from engine.errors import GameNotOver


class BridesAndBribesState:
    """A state of one game; `build_state` builds one."""

    variant: Variant
    position: Position
    seat_to_act: int | None

    def legal_actions(self) -> list[str]:
        """Return the legal actions in ASCII order [5]."""
        return rules.legal_actions(self.position)

    def apply(self, action: str) -> None:
        """Carry out `action` for the seat to act; raises `IllegalAction`."""
        position = self.position
        rules.apply(position, action)
        self.seat_to_act = position.seat_to_act

    def view(self, seat: int | None) -> View:
        """Return the view of a seat, or of a spectator (None) [11]."""
        return build_view(self.position, seat)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        """Return the events that a seat, or a spectator (None), was told [10]."""
        return _list_events(self.position, seat, since)

    def outcome(self) -> Outcome:
        """Return points and ranks by seat, and as detail the result [11]."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        position = self.position
        scores = scores_of(position)
        return Outcome(
            points=tuple(position.influence),
            ranks=tuple(rank(scores)),
            describe=lambda: describe(scores),
        )

    def clone(self) -> "BridesAndBribesState":
        """Return an independent copy."""
        other = BridesAndBribesState()
        other.variant = self.variant
        other.position = self.position.copy()
        other.seat_to_act = self.seat_to_act
        return other

    def play_out(self, rng: random.Random) -> int:
        """Play on at random until the game is over, and return the number of actions."""
        actions = rules.play_out(self.position, rng)
        self.seat_to_act = None
        return actions

    def determinize(self, seat: int, rng: random.Random) -> "BridesAndBribesState":
        """Return a copy in which all that `seat` cannot know is redrawn."""
        return build_state(self.variant, hidden.redraw(self.position, seat, rng))


def build_state(variant: Variant, position: Position) -> BridesAndBribesState:
    """Return the state that owns `position`."""
    state = BridesAndBribesState()
    state.variant = variant
    state.position = position
    state.seat_to_act = position.seat_to_act
    return state


def _list_events(position: Position, seat: Viewer, since: int) -> list[Any]:
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
    return [make_event(note, viewer) for note in written]
