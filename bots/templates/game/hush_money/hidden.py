"""Hidden information of Hush Money: imagined from the view of a seat."""

import random

from hush_money.cards import BRIBES, HAND_SIZE, NOTES
from hush_money.position import Position
from hush_money.rules import apply
from hush_money.view import View


def imagine(seats: int, view: View, rng: random.Random) -> Position:
    """Return a position with this view: draw the notes never seen, then replay the bribes."""
    hands = [{notes[seat] for notes in view.opened} for seat in range(seats)]
    assert view.seat is not None, "expected the view of a seat, got that of a spectator"
    hands[view.seat].update(view.hand, view.sealed)
    unseen = sorted({*NOTES[seats]}.difference(*hands))
    rng.shuffle(unseen)
    full = [[*hand, *(unseen.pop() for _ in range(HAND_SIZE - len(hand)))] for hand in hands]
    position = Position([sorted(hand) for hand in full])
    for note in [note for opened in view.opened for note in opened]:
        apply(position, BRIBES[note])
    for seat in range(view.to_act or 0):
        note = view.sealed[0] if seat == view.seat else rng.choice(position.hands[seat])
        apply(position, BRIBES[note])
    return position
