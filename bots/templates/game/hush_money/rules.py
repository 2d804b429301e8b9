"""Rules of Hush Money: the start of a game, legal actions, and what each changes."""

from engine import IllegalAction
from hush_money.cards import BRIBES
from hush_money.deal import Deal
from hush_money.position import Position


def start(seats: int, deal: Deal) -> Position:
    """Return the position before the first decision."""
    return Position([sorted(deal.notes[seat::seats]) for seat in range(seats)])


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions of the seat to act: any note of its hand."""
    seat = position.seat_to_act()
    return [] if seat is None else [BRIBES[note] for note in position.hands[seat]]


def apply(position: Position, action: str) -> None:
    """Carry out `action` for the seat to act; after the last seat, open the envelopes."""
    seat, legal = position.seat_to_act(), legal_actions(position)
    if seat is None or action not in legal:
        raise IllegalAction(action, seat, legal)
    position.sealed.append(position.hands[seat].pop(legal.index(action)))
    if len(position.sealed) == len(position.hands):
        for hand, note in zip(position.hands, position.sealed, strict=True):
            if note != max(position.sealed):  # only the winner pays
                hand[:] = sorted([*hand, note])
        position.opened.append(tuple(position.sealed))
        position.sealed.clear()
