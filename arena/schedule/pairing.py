"""Balanced pairing: blocks of boards in which all entrants meet as evenly as possible.

The meetings of each pair are counted, separately for partners and opponents. A block is a partition
of the entrants with a small sum of weights over the pairs that meet in it. The weight of a pair is
the increase, by one more meeting, of the sum of (meetings - mean)^4 over all pairs. So pairs that
met too seldom attract each other. The search starts from several random partitions and swaps two
entrants as long as that lowers the sum.

The time for a block depends on the number of entrants, not on earlier blocks.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from arena.contracts import Group

Counts = list[list[int]]
"""A number for each pair of entrants, at [one][other] and at [other][one]."""

MAX_TRIES, MIN_TRIES = 24, 4
"""Random partitions that the search for a block starts from: more for fewer entrants."""
_UNIT = 16  # means are multiples of 1/16, so that results are the same on every machine


def balanced_blocks(
    sides: Sequence[Sequence[int]],
    parts: Sequence[tuple[Sequence[str], int]],
    boards: int,
    rng: random.Random,
) -> Iterator[list[Group]]:
    """Yield endless blocks, each as the groups of its boards.

    Args:
        sides: the places of each side of a board. All sides have the same size.
        parts: disjoint groups of entrants, each with its number of seats at a board. A part has
            enough entrants for all boards. The others have a bye, in turn.
        boards: the number of boards of a block.
        rng: breaks ties.
    """
    names = [name for members, _ in parts for name in members]
    field = _Field(sides, [(len(members), seats) for members, seats in parts], boards)
    while True:
        yield [tuple([names[one] for one in group]) for group in field.block(rng)]


class _Field:
    """The entrants, numbered from 0, and the number of meetings of each pair.

    A unit is a set of seats at a board whose meetings are counted together: a team, or the whole
    board if every seat plays alone.
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
        self.bye = boards * len(self.units)  # the unit of the entrants that do not play
        self.together: Counts = [[0] * self.size for _ in range(self.size)]
        self.apart: Counts = [[0] * self.size for _ in range(self.size)]

    def board(self, unit: int) -> range:
        """Return the units at the board of `unit`, or none for the bye."""
        first = unit - unit % len(self.units)
        return range(first, first + len(self.units)) if unit < self.bye else range(0)

    def block(self, rng: random.Random) -> list[list[int]]:
        """Find the next block, count its meetings, and return its groups by place."""
        together = self._weights(self.together)
        apart = self._weights(self.apart) if self.teams else together
        tries = max(MIN_TRIES, min(MAX_TRIES, 10 * MAX_TRIES // self.size))
        partitions = [_Partition(self, self._draw(rng), together, apart) for _ in range(tries)]
        for partition in partitions:
            partition.improve(rng)
        best = min(partitions, key=_Partition.total)
        self._count(best.unit_of)
        return self._groups(best.unit_of, rng)

    def _weights(self, counts: Counts) -> Counts:
        """Return the cost of one more meeting of each pair.

        A pair is compared with the mean over the pairs of the same two parts.
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
        """Return a random unit for each entrant. Entrants with the fewest byes get a bye first."""
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
        """Return the groups by place. The units of a board and the places in a unit are random."""
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


class _Partition:
    """A partition of the entrants into the units of a block, and its cost.

    `cost[one][unit]` is the cost of seating entrant `one` in `unit`: the sum of its weights with
    the entrants of the unit and of the other units at that board.
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
        """Return the sum of the weights of all pairs that meet. Each pair counts twice."""
        return sum([cost[unit] for cost, unit in zip(self.cost, self.unit_of, strict=True)])

    def improve(self, rng: random.Random) -> None:
        """Swap two entrants as long as that lowers the cost."""
        order = list(range(self.field.size))
        better = True
        while better:
            better = False
            rng.shuffle(order)
            for one in order:
                other = self._best_swap(one)
                if other is not None:
                    self._swap(one, other)
                    better = True

    def _best_swap(self, one: int) -> int | None:
        """Return the entrant whose swap with `one` lowers the cost most, or None."""
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
            else:  # they do not meet after the swap, but both costs count the other one
                change -= 2 * near[other]
                if there in board:
                    change += 2 * self.apart[one][other]
            if change < best:
                best, found = change, other
        return found

    def _swap(self, one: int, other: int) -> None:
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
