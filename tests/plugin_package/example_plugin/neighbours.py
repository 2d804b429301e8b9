"""A schedule: the entrants stand in a row, and who stand side by side play a board."""

import random
from collections.abc import Iterator, Sequence

from arena.base.contracts import Field


def neighbours(field: Field, rng: random.Random) -> Iterator[Sequence[tuple[str, ...]]]:
    """Yield pairing after pairing; from one to the next everybody moves up by one place."""
    seats, row = field.variant.seats, list(field.entrants)
    rng.shuffle(row)
    while True:
        yield [tuple(row[i : i + seats]) for i in range(0, len(row) - seats + 1, seats)]
        row.append(row.pop(0))
