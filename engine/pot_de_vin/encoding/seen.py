"""The knowledge of a seat in a game of Pot de Vin, for its vector [9].

It is read from a position, or from a view that a bot was sent; both say the same.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.pot_de_vin.actions import PLAY, SUIT_BIT
from engine.pot_de_vin.cards import CHARACTERS
from engine.pot_de_vin.position import PastRound, Position
from engine.pot_de_vin.view import View


class Seen(NamedTuple):
    """The knowledge of a seat; the fields are those of `Position`."""

    seat: int
    round: int
    to_act: int | None
    hand: Sequence[int]
    """The suits of the seat, by character."""
    discarded: str | None
    trump: str | None
    """The trump card of this round, if there is one."""
    active: tuple[int, ...]
    trick: Sequence[str]
    hand_sizes: Sequence[int]
    gems: Sequence[int]
    gems_removed: Sequence[int]
    past_rounds: tuple[PastRound, ...]
    past_trumps: tuple[str, ...]
    """By finished round: its trump card."""


def seen_in_position(position: Position, seat: int) -> Seen:
    """Return what `seat` sees of a position."""
    number, past_rounds, trumps = position.round, position.past_rounds, position.trumps
    to_act = position.seat_to_act
    return Seen(
        seat,
        number,
        to_act,
        position.hands[seat],
        position.discards[seat],
        trumps[number - 1] if number and to_act is not None else None,
        position.active,
        position.trick,
        position.hand_sizes(),
        position.gems,
        position.gems_removed,
        past_rounds,
        trumps[: len(past_rounds)],
    )


def seen_in_view(view: View) -> Seen:
    """Return what the seat of a view sees."""
    assert view.seat is not None, "expected the view of a seat, got that of a spectator"
    hand = [0] * len(CHARACTERS)
    for card in view.hand or ():
        character, bit = SUIT_BIT[PLAY[card]]
        hand[character] |= bit
    past_rounds = [
        (tuple([turn.seat for turn in each.trick]), [t.action for t in each.trick], each.winner)
        for each in view.history
    ]
    return Seen(
        view.seat,
        view.round,
        view.to_act,
        hand,
        view.discarded,
        view.trump,
        view.active,
        [turn.action for turn in view.trick],
        view.hand_sizes,
        view.gems,
        view.gems_removed,
        tuple(past_rounds),
        tuple([each.trump for each in view.history]),
    )
