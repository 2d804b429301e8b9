"""Views and events of Hush Money: what a seat sees of a position, and what it is told."""

import msgspec

from hush_money.position import Position
from hush_money.scoring import influence


class View(msgspec.Struct, frozen=True):
    """All that a seat may know; a spectator sees no hand."""

    seat: int | None
    to_act: int | None
    hand: tuple[int, ...]
    sealed: tuple[int, ...]  # the note in the own envelope
    opened: tuple[tuple[int, ...], ...]  # by official, then by seat
    influence: tuple[int, ...]


class Opened(msgspec.Struct, frozen=True, tag_field="event", tag="open"):
    """An event: the envelopes for an official are opened."""

    notes: tuple[int, ...]


def build_view(position: Position, seat: int | None) -> View:
    """Return what `seat`, or a spectator (None), may know."""
    hand = () if seat is None else tuple(position.hands[seat])
    sealed = () if seat is None else tuple(position.sealed[seat : seat + 1])
    opened = tuple(position.opened)
    return View(seat, position.seat_to_act(), hand, sealed, opened, influence(position))


def list_events(position: Position, since: int) -> list[Opened]:
    """Return the events from number `since` on; all seats are told the same."""
    return [Opened(notes) for notes in position.opened[since:]]
