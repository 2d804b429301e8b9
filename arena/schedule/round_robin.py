"""The schedule `round-robin`."""

import random
from collections.abc import Iterator

from arena.contracts import Field, Group
from arena.schedule.pairing import balanced_blocks


def round_robin(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Seat as many boards as the field fills; the byes go round."""
    seats = field.variant.seats
    boards = len(field.entrants) // seats
    return balanced_blocks(field.variant.sides, [(field.entrants, seats)], boards, rng)
