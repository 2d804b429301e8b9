"""The Swiss schedule: bots meet others with similar scores.

In a large field, most games of a round robin are between bots of very different strength, and say
little about the order of neighbours. Here, each pairing depends on the scores so far:

- A bot's score is the mean share of opponents that it has finished ahead of. Each mean includes
  one imaginary board with a share of a half, so that a single lucky board counts for less.
- If the seats don't suffice for everyone, those who have played the most boards have a bye.
- The others are seated from the top. A table takes the best bot without a seat, then others from
  the next ones: the closest in score, except that each earlier meeting with a bot of the table
  counts like `AGAIN` places of distance.
- With teams, the bots at a table are divided so that the sides' total scores are as equal as
  possible, and then so that partners have rarely met.

All rotations of each board are played, so everyone sits equally often in every seat.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations, islice, permutations
from math import fsum

from arena.base.contracts import BoardScore, Field, Group
from engine.draws import sample, shuffle

AGAIN = 2
"""Places of distance that make up for a repeated meeting. More separates neighbours: in simulations
with 30 bots, 4 places took a third more games to the same order than 1 place."""
WINDOW = 3
"""A table chooses among the next bots, as many as seats at this many tables."""

Split = tuple[tuple[int, ...], ...]
"""The sides of a table. Each one consists of places in a list of the bots at the table."""


def swiss(field: Field, rng: random.Random, scores: Sequence[BoardScore]) -> list[Group]:
    """Return the next pairing, given the scores of all boards so far."""
    seats, sides = field.variant.seats, field.variant.sides
    shares: dict[str, list[float]] = defaultdict(list)
    met = Counter[frozenset[str]]()
    for board in scores:
        for name, score in zip(board.entrants, board.scores, strict=True):
            shares[name].append(score)
        met.update(map(frozenset, combinations(board.entrants, 2)))
    mean = {name: (0.5 + fsum(shares[name])) / (1 + len(shares[name])) for name in field.entrants}
    names = list(field.entrants)
    shuffle(names, rng)  # breaks ties, because sorting is stable
    names.sort(key=lambda name: -len(shares[name]))
    waiting = sorted(names[len(names) % seats :], key=lambda name: -mean[name])
    groups = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats:
            distances = [
                place + AGAIN * sum([met[frozenset((name, other))] for other in table])
                for place, name in enumerate(waiting[: WINDOW * seats])
            ]
            table.append(waiting.pop(distances.index(min(distances))))
        groups.append(_seated(table, sides, mean, met, rng))
    return groups


def _seated(
    table: Sequence[str],
    sides: Sequence[Sequence[int]],
    mean: dict[str, float],
    met: Counter[frozenset[str]],
    rng: random.Random,
) -> Group:
    """Return the bots of a table by place, with sides of similar strength."""
    if len(sides) == len(table):
        return tuple(sample(table, len(table), rng))

    def unevenness(split: Iterable[Sequence[int]]) -> tuple[float, int]:
        members = [[table[place] for place in side] for side in split]
        totals = [fsum(map(mean.__getitem__, side)) for side in members]
        partners = chain.from_iterable(combinations(side, 2) for side in members)
        again = sum([met[frozenset(pair)] for pair in partners])
        return round(max(totals) - min(totals), 9), again

    splits = list(_splits(tuple(map(len, sides))))
    shuffle(splits, rng)
    best: Split = min(splits, key=unevenness)
    group = [""] * len(table)
    for side, members in zip(sides, best, strict=True):
        own = list(members)
        shuffle(own, rng)
        for place, member in zip(side, own, strict=True):
            group[place] = table[member]
    return tuple(group)


@lru_cache
def _splits(sizes: tuple[int, ...]) -> Sequence[Split]:
    found = set()
    for order in permutations(range(sum(sizes))):
        places = iter(order)
        found.add(tuple([tuple(sorted(islice(places, size))) for size in sizes]))
    return sorted(found)
