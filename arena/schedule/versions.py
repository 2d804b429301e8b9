"""The schedule `versions`: two challengers in turn, on the same deals among the same others."""

import random
from collections.abc import Iterator

from arena.contracts import Field, Group
from arena.errors import SettingsError
from arena.record import NEW_MARK

VERSIONS = "versions"
"""The name of the schedule."""
CHALLENGERS = 2


def versions(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Yield blocks of one board, in pairs: a board of each challenger with the same others.

    The others are drawn from the field, and have the same places on both boards. Of the two, the
    new version of a bot comes second.

    Raises:
        SettingsError: there are not two challengers, or too few others for a board.
    """
    others = [name for name in field.entrants if name not in field.challengers]
    needed = field.variant.seats - 1
    if len(field.challengers) != CHALLENGERS:
        raise SettingsError(
            f"the schedule {VERSIONS!r} compares two challengers, got "
            f"{', '.join(field.challengers) or 'none'}: name two with --challenger"
        )
    if len(others) < needed:
        raise SettingsError(
            f"a board of {field.variant.id} needs {needed} other bots, got {len(others)} "
            f"({', '.join(others) or 'none'}): name more bots"
        )
    in_turn = tuple(sorted(field.challengers, key=lambda name: name.endswith(NEW_MARK)))
    return _blocks(in_turn, others, needed, rng)


def _blocks(
    challengers: Group, others: list[str], needed: int, rng: random.Random
) -> Iterator[list[Group]]:
    while True:
        drawn = rng.sample(others, needed)
        for challenger in challengers:
            yield [(challenger, *drawn)]
