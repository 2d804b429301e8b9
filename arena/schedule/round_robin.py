"""The schedule `round-robin`: all entrants meet."""

import random
from collections.abc import Iterator

from arena.contracts import Field, Group
from arena.schedule.pairing import balanced_blocks


def round_robin(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Yield blocks with all boards that `field` can fill. Entrants take the byes in turn."""
    seats = field.variant.seats
    boards = len(field.entrants) // seats
    return balanced_blocks(field.variant.sides, [(field.entrants, seats)], boards, rng)
