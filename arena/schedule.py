"""Who plays whom when: a pure function of the entrants, the variants, the rounds and the seed.

A board is one deal, played by the same entrants once in every rotation round the seats, so it
takes as many rounds as it has seats. All boards of a variant that begin in the same round are a
block: the entrants are parted into groups of the right size, and those left over have a bye.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, count

import msgspec

from engine import Variant

TRIES = 24
"""Partings of a block that are made at random, to take the most balanced of them."""


class Board(msgspec.Struct, frozen=True):
    """One deal and those who play it."""

    variant: str
    number: int
    """From 1, by variant."""
    round: int
    """The round of the run in which its first game is played, from 0."""
    entrants: tuple[str, ...]
    """By place: in rotation t the b-th sits at seat b + t."""

    def seating(self, rotation: int) -> tuple[str, ...]:
        """Return who sits where, by seat, in a rotation."""
        n = len(self.entrants)
        return tuple([self.entrants[(seat - rotation) % n] for seat in range(n)])


def whole_rounds(seats: int, rounds: int) -> int:
    """Return the number of rounds rounded up, so that no board is left incomplete."""
    return -(-rounds // seats) * seats


def plan(
    variants: Sequence[Variant], entrants: Mapping[str, Sequence[str]], rounds: int, seed: int
) -> Iterator[Board]:
    """Yield the boards of a run in schedule order: by round, then by variant as given.

    `entrants[variant.id]` are the names of those who play the variant, at least as many as seats.
    """
    blocks = {
        variant.id: _blocks(variant, sorted(entrants[variant.id]), seed) for variant in variants
    }
    for number in range(rounds):
        for variant in variants:
            if number % variant.seats == 0:
                for board, group in next(blocks[variant.id]):
                    yield Board(variant.id, board, number, group)


class _Meetings:
    """How often two entrants were on the same board of a variant, and on the same side of one."""

    def __init__(self, sides: Sequence[Sequence[int]]) -> None:
        self._partners = [pair for side in sides if len(side) > 1 for pair in combinations(side, 2)]
        self._met: Counter[frozenset[str]] = Counter()
        self._partnered: Counter[frozenset[str]] = Counter()

    def met(self, one: str, other: str) -> int:
        return self._met[frozenset((one, other))]

    def _pairs(self, group: Sequence[str]) -> Iterator[frozenset[str]]:
        return (frozenset((group[a], group[b])) for a, b in self._partners)

    def unevenness(self, groups: Sequence[Sequence[str]]) -> tuple[int, int]:
        """Return how often those in a group have met, and partnered, before: little is good."""
        met = sum([self.met(*pair) ** 2 for group in groups for pair in combinations(group, 2)])
        partnered = sum([self._partnered[p] ** 2 for group in groups for p in self._pairs(group)])
        return met, partnered

    def count(self, group: Sequence[str]) -> None:
        self._met.update(frozenset(pair) for pair in combinations(group, 2))
        self._partnered.update(self._pairs(group))


def _blocks(
    variant: Variant, entrants: Sequence[str], seed: int
) -> Iterator[list[tuple[int, tuple[str, ...]]]]:
    """Yield the groups of each block with their board numbers, without end."""
    rng = random.Random(f"schedule {seed} {variant.id}")
    meetings = _Meetings(variant.sides)
    byes: Counter[str] = Counter()
    board = count(1)
    while True:
        partings = [
            _part(_without_byes(entrants, byes, variant.seats, rng), variant.seats, meetings, rng)
            for _ in range(TRIES)
        ]
        groups = min(partings, key=meetings.unevenness)
        for group in groups:
            meetings.count(group)
        byes.update(set(entrants).difference(*groups))
        yield [(next(board), tuple(group)) for group in groups]


def _without_byes(
    entrants: Sequence[str], byes: Counter[str], seats: int, rng: random.Random
) -> list[str]:
    """Return who plays when whoever is left over has a bye: some of those that had fewest."""
    order = rng.sample(entrants, len(entrants))
    order.sort(key=byes.__getitem__)
    return order[len(order) % seats :]


def _part(
    entrants: Sequence[str], size: int, meetings: _Meetings, rng: random.Random
) -> list[list[str]]:
    """Part the entrants into groups of those who have met least, in random order."""
    left = rng.sample(entrants, len(entrants))
    groups = []
    while left:
        group = [left.pop()]
        while len(group) < size:
            nearest = min(left, key=lambda one: sum([meetings.met(one, other) for other in group]))
            left.remove(nearest)
            group.append(nearest)
        groups.append(rng.sample(group, size))
    return groups
