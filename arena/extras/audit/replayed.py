"""Recorded games, played again without bots."""

from collections.abc import Iterator

import msgspec

from arena.errors import StoreError
from arena.record import GameRecord
from engine import State, Variant


def positions(record: GameRecord, variant: Variant) -> Iterator[tuple[State, int, str]]:
    """Yield each position of a game, the seat to act there, and its recorded action.

    When the next position is asked for, the action is applied to the state, which is the same one.

    Raises:
        EngineError: the deal or an action is not valid.
        StoreError: an action is left when the game is over.
    """
    state = variant.start(variant.read_deal(msgspec.json.decode(record.deal)))
    for action in record.actions:
        if state.seat_to_act is None:
            raise StoreError(
                f"{record.title} has actions after its end: see what is wrong with `arena verify`"
            )
        yield state, state.seat_to_act, action
        state.apply(action)
