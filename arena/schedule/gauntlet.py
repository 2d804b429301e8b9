"""The schedule `gauntlet`: challengers meet the other entrants."""

import random
from collections.abc import Iterator

from arena.contracts import Field, Group
from arena.errors import SettingsError
from arena.schedule.pairing import balanced_blocks


def gauntlet(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Yield blocks in which each board has one challenger among other entrants.

    The partners of a challenger are other entrants too. A board has more challengers only if there
    are too few other entrants to fill it. Both groups take the byes in turn.

    Raises:
        SettingsError: none of the entrants is a challenger, or all of them are.
    """
    others = [name for name in field.entrants if name not in field.challengers]
    if not field.challengers or not others:
        raise SettingsError(
            f"a gauntlet of {field.variant.id} needs challengers and other bots, but "
            f"{'none' if others else 'all'} of its bots are challengers: name some of them, but "
            "not all, with --challenger"
        )
    seats = field.variant.seats
    challenging = max(1, seats - len(others))
    boards = min(len(field.challengers) // challenging, len(others) // (seats - challenging))
    parts = [(field.challengers, challenging), (others, seats - challenging)]
    return balanced_blocks(field.variant.sides, parts, boards, rng)
