"""Balanced pairing: blocks of boards in which all entrants meet as evenly as can be.

How often two entrants met is counted, partners and opponents apart. A block is a parting of the
field with the least sum of weights over the pairs that meet in it. The weight of a pair is what
one more meeting adds to the sum, over all pairs, of (meetings - mean)^4: whoever met too seldom is
drawn together, and the further a pair is off the more it weighs. A parting is found by exchanging
two entrants for as long as that helps, from several partings that are made at random.

So what a block costs depends on the number of entrants only, not on the blocks before it.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from arena.contracts import Group

Counts = list[list[int]]
"""A number for each pair of entrants, at [one][other] and at [other][one]."""

MOST_TRIES, FEWEST_TRIES = 24, 4
"""Random partings from which a block is improved: many in a small field, where even is hard."""
_UNIT = 16  # means are whole multiples of 1/16, so that no rounding depends on the machine


def balanced_blocks(
    sides: Sequence[Sequence[int]],
    parts: Sequence[tuple[Sequence[str], int]],
    boards: int,
    rng: random.Random,
) -> Iterator[list[Group]]:
    """Yield blocks without end: the groups of each board.

    Args:
        sides: the places of each side of a board, all sides of one size.
        parts: the entrants in parts, and how many of each part sit at a board. A part has enough
            for all boards; those left over have a bye, in turn.
        boards: the number of boards of a block.
        rng: draws what is left open.
    """
    names = [name for members, _ in parts for name in members]
    field = _Field(sides, [(len(members), seats) for members, seats in parts], boards)
    while True:
        yield [tuple([names[one] for one in group]) for group in field.block(rng)]


class _Field:
    """The entrants, numbered from 0, and how often each two of them have met.

    Those on a board who are counted together are a unit: a team, or all where each plays alone.
    """

    def __init__(
        self, sides: Sequence[Sequence[int]], parts: Sequence[tuple[int, int]], boards: int
    ) -> None:
        self.teams = len(sides[0]) > 1
        self.units = sides if self.teams else [tuple(chain(*sides))]
        self.boards = boards
        self.seats = [seats for _, seats in parts]
        self.part = [number for number, (size, _) in enumerate(parts) for _ in range(size)]
        self.size = len(self.part)
        self.members = [
            [one for one in range(self.size) if self.part[one] == number]
            for number in range(len(parts))
        ]
        self.byes = [0] * self.size
        self.bye = boards * len(self.units)  # the number of the unit of those who do not play
        self.together: Counts = [[0] * self.size for _ in range(self.size)]
        self.apart: Counts = [[0] * self.size for _ in range(self.size)]

    def board(self, unit: int) -> range:
        """Return the units of the board that this one belongs to; none for the bye."""
        first = unit - unit % len(self.units)
        return range(first, first + len(self.units)) if unit < self.bye else range(0)

    def block(self, rng: random.Random) -> list[list[int]]:
        """Part the field, count who meets, and return the groups by place."""
        together = self._weights(self.together)
        apart = self._weights(self.apart) if self.teams else together
        tries = max(FEWEST_TRIES, min(MOST_TRIES, 10 * MOST_TRIES // self.size))
        partings = [_Parting(self, self._draw(rng), together, apart) for _ in range(tries)]
        for parting in partings:
            parting.improve(rng)
        best = min(partings, key=_Parting.total)
        self._count(best.unit_of)
        return self._groups(best.unit_of, rng)

    def _weights(self, counts: Counts) -> Counts:
        """Return what one more meeting of each pair would cost.

        Pairs of the same two parts are held against the mean of these.
        """
        part = self.part
        sums: dict[int, list[int]] = {}
        for one, other in combinations(range(self.size), 2):
            pairs = sums.setdefault(part[one] + part[other] * len(self.members), [0, 0])
            pairs[0] += counts[one][other]
            pairs[1] += 1
        weights = [[0] * self.size for _ in range(self.size)]
        for one, other in combinations(range(self.size), 2):
            met, pairs_of_parts = sums[part[one] + part[other] * len(self.members)]
            off = _UNIT * counts[one][other] - _UNIT * met // pairs_of_parts
            weight = ((off + _UNIT) ** 4 - off**4) // _UNIT**3
            weights[one][other] = weights[other][one] = weight
        return weights

    def _draw(self, rng: random.Random) -> list[int]:
        """Return a unit for everybody at random; who had fewest byes comes first for a bye."""
        unit_of = [self.bye] * self.size
        free = []
        for board in range(self.boards):
            first = board * len(self.units)
            units = [first + number for number, unit in enumerate(self.units) for _ in unit]
            rng.shuffle(units)
            free.append(units)
        for members, seats in zip(self.members, self.seats, strict=True):
            order = rng.sample(members, len(members))
            order.sort(key=self.byes.__getitem__)
            players = order[len(order) - seats * self.boards :]
            rng.shuffle(players)
            for number, one in enumerate(players):
                unit_of[one] = free[number % self.boards].pop()
        return unit_of

    def _count(self, unit_of: Sequence[int]) -> None:
        for one, unit in enumerate(unit_of):
            self.byes[one] += unit == self.bye
        for one, other in combinations(range(self.size), 2):
            if unit_of[other] in self.board(unit_of[one]):
                counts = self.together if unit_of[one] == unit_of[other] else self.apart
                counts[one][other] += 1
                counts[other][one] += 1

    def _groups(self, unit_of: Sequence[int], rng: random.Random) -> list[list[int]]:
        """Return the groups by place, which is drawn: of the units too, and within each."""
        groups = []
        for board in range(self.boards):
            group = [0] * sum(map(len, self.units))
            units = list(self.board(board * len(self.units)))
            rng.shuffle(units)
            for unit, places in zip(units, self.units, strict=True):
                members = [one for one in range(self.size) if unit_of[one] == unit]
                rng.shuffle(members)
                for one, place in zip(members, places, strict=True):
                    group[place] = one
            groups.append(group)
        return groups


class _Parting:
    """Who sits in which unit of a block, and what that costs.

    `cost[one][unit]` is the sum of the weights between an entrant and those of the unit, and the
    others of its board: what sitting there would cost, together with those who sit there now.
    """

    def __init__(self, field: _Field, unit_of: list[int], together: Counts, apart: Counts) -> None:
        self.field = field
        self.unit_of = unit_of
        self.together = together
        self.apart = apart
        members: list[list[int]] = [[] for _ in range(field.bye)]
        for one, unit in enumerate(unit_of):
            if unit != field.bye:
                members[unit].append(one)
        self.cost = []
        for near, far in zip(together, apart, strict=True):
            cost = [sum([near[one] for one in unit]) for unit in members]
            if field.teams:
                away = [sum([far[one] for one in unit]) for unit in members]
                for unit in range(field.bye):
                    cost[unit] += sum([away[other] for other in field.board(unit)]) - away[unit]
            self.cost.append([*cost, 0])  # a bye costs nothing

    def total(self) -> int:
        """Return the sum of the weights of all who meet, each pair counted twice."""
        return sum([cost[unit] for cost, unit in zip(self.cost, self.unit_of, strict=True)])

    def improve(self, rng: random.Random) -> None:
        """Exchange two entrants for as long as that helps."""
        order = list(range(self.field.size))
        better = True
        while better:
            better = False
            rng.shuffle(order)
            for one in order:
                other = self._best_exchange(one)
                if other is not None:
                    self._exchange(one, other)
                    better = True

    def _best_exchange(self, one: int) -> int | None:
        """Return whom an entrant had best change places with, or None if that does not help."""
        unit_of, cost, bye = self.unit_of, self.cost, self.field.bye
        byes, part = self.field.byes, self.field.part
        here, own, near = unit_of[one], cost[one], self.together[one]
        stay, own_byes, own_part = own[here], byes[one], part[one]
        board = self.field.board(here) if self.field.teams else ()
        best, found = 0, None
        for other, there in enumerate(unit_of):
            if there == here or part[other] != own_part:
                continue
            theirs = cost[other]
            change = theirs[here] + own[there] - stay - theirs[there]
            if here == bye or there == bye:
                if byes[other] != own_byes:
                    continue
                change -= near[other]
            else:  # they are not near each other afterwards, though each now counts the other
                change -= 2 * near[other]
                if there in board:
                    change += 2 * self.apart[one][other]
            if change < best:
                best, found = change, other
        return found

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.unit_of[one], self.unit_of[other]
        self.unit_of[one], self.unit_of[other] = there, here
        for unit, comes, goes in ((here, other, one), (there, one, other)):
            if unit == self.field.bye:
                continue
            rest = [each for each in self.field.board(unit) if each != unit]
            rows = zip(self.cost, self.together, self.apart, strict=True)
            for cost, near, far in rows:
                cost[unit] += near[comes] - near[goes]
                for each in rest:
                    cost[each] += far[comes] - far[goes]
