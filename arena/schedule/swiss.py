"""Pair bots with similar scores, as in a Swiss tournament.

- The score of a bot is the share of opponents that the bot finished ahead of, averaged over all
  its boards and one imaginary board with a share of 50%.
- If there aren't enough seats for all bots, the bots that have played the most boards get a bye.
- Tables are filled one after another. The first seat goes to the bot with the highest score that
  doesn't have a seat yet. Each further seat goes to the bot with the next-highest score, but a bot
  loses `AGAIN` ranks for each earlier meeting with a bot at the table.
- In team games, the bots at a table are divided into sides whose total scores are as equal as
  possible. Among equally balanced sides, partners who have rarely met are preferred.
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
WINDOW = 3  # candidates for a seat, divided by the number of seats at a table

Split = tuple[tuple[int, ...], ...]  # by side, the indices of its bots at the table


def swiss(field: Field, rng: random.Random, scores: Sequence[BoardScore]) -> list[Group]:
    """Pair bots that have similar scores on earlier boards."""
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
