"""The schedules of the box, registered as any plugin's: round-robin and gauntlet."""

import random
from collections.abc import Iterable, Iterator

from arena.balance import Group, balanced_blocks
from arena.errors import SettingsError
from arena.plugins import hookimpl
from arena.schedule import Field, Schedule


def round_robin(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Seat as many boards as the field fills; the byes go round."""
    seats = field.variant.seats
    boards = len(field.entrants) // seats
    return balanced_blocks(field.variant.sides, [(field.entrants, seats)], boards, rng)


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


@hookimpl
def register_schedules() -> Iterable[Schedule]:
    """Return the schedules of the box."""
    return [
        Schedule("round-robin", "everybody meets everybody equally often", round_robin),
        Schedule("gauntlet", "the challengers meet all others equally often", gauntlet, True),
    ]
