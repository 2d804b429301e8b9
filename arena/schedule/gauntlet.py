"""The schedule `gauntlet`."""

import random
from collections.abc import Iterator

from arena.contracts import Field, Group
from arena.errors import SettingsError
from arena.schedule.pairing import balanced_blocks


def gauntlet(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Seat one challenger at each board, among the others; the byes go round, in both camps.

    Partners of a challenger are of the others too, in turn. Only where these are too few for a
    board are there more challengers at it.

    Raises:
        SettingsError: nobody is a challenger, or everybody.
    """
    others = [name for name in field.entrants if name not in field.challengers]
    if not field.challengers or not others:
        raise SettingsError(
            f"a gauntlet of {field.variant.id} needs challengers and others, but "
            f"{'nobody' if others else 'everybody'} who plays it is a challenger: name some, but "
            "not all, with --challenger"
        )
    seats = field.variant.seats
    challenging = max(1, seats - len(others))
    boards = min(len(field.challengers) // challenging, len(others) // (seats - challenging))
    parts = [(field.challengers, challenging), (others, seats - challenging)]
    return balanced_blocks(field.variant.sides, parts, boards, rng)
