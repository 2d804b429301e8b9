"""Extra boards of the schedule `adaptive`: for bots of neighbours whose order is undecided.

The blocks of the schedule are those of `round-robin`. `docs/scores.md`, section 6, says when extra
boards are played and how they count.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import count

from arena.contracts import Field, Group


def challengers(field: Field, undecided: Sequence[str]) -> Sequence[str]:
    """Return the bots for which extra boards are played, sorted: the `undecided` ones, if few.

    If there are many, the next boards of the schedule tell more.
    """
    are_few = 3 * len(undecided) * field.variant.seats <= 2 * len(field.entrants)
    return sorted(undecided) if are_few else ()


def groups(field: Field, challengers: Sequence[str], rng: random.Random) -> Iterator[Group]:
    """Yield endless groups, each for one of the `challengers` in turn, from a drawn one on.

    The others at its table come from a shuffled deck of all other bots, which is its own.
    """
    decks: dict[str, list[str]] = {name: [] for name in challengers}
    for turn in count(rng.randrange(len(challengers))):
        challenger = challengers[turn % len(challengers)]
        others = [name for name in field.entrants if name != challenger]
        group, deck = [challenger], decks[challenger]
        while len(group) < field.variant.seats:
            if not set(deck) - set(group):
                deck += rng.sample(others, len(others))
            name = next(name for name in deck if name not in group)
            deck.remove(name)
            group.append(name)
        rng.shuffle(group)
        yield tuple(group)
