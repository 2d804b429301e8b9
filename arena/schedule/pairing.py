"""Pair entrants so that all of them meet equally often.

How often two entrants were partners is counted separately from how often they were opponents.
The cost to minimize is the sum of (m - mean)^4 over all pairs of entrants, where m is the number
of times that the pair has met. A local search starts from several random pairings and keeps
swapping two entrants as long as this reduces the cost of the pairing.

When a bot joins a run, at most one board of each existing pairing changes.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from operator import itemgetter

from arena.base.contracts import Group
from engine.draws import sample, shuffle

Counts = list[list[int]]

# When a bot joins a run:
CHANGED_SHARE = 0.36  # maximum fraction of existing boards whose entrants change
MAX_BYES_APART = 2  # maximum difference in byes between two entrants
MAX_TRIES, MIN_TRIES = 24, 4
_UNIT = 16  # means are multiples of 1/16, so that results are the same on every machine


def balanced_pairings(
    sides: Sequence[Sequence[int]],
    parts: Sequence[tuple[Sequence[str], int]],
    boards: int,
    rng: random.Random,
) -> Iterator[list[Group]]:
    """Yield an endless sequence of pairings in which entrants meet equally often.

    Each side is a list of seat numbers, and all sides have the same size. For each group of
    entrants, `parts` contains the names and the number of seats per board. The groups must be
    disjoint. Within a group, byes are distributed evenly.
    """
    names = [name for members, _ in parts for name in members]
    field = _Field(sides, [(len(members), seats) for members, seats in parts], boards)
    while True:
        yield [tuple([names[player] for player in group]) for group in field.pairing(rng)]


def grown_pairings(
    former: Iterator[list[Group]],
    sides: Sequence[Sequence[int]],
    parts: Sequence[tuple[Sequence[str], int]],
    boards: int,
    rng: random.Random,
) -> Iterator[list[Group]]:
    """Add a new bot to the pairings of a run, and yield the new pairings. Most boards stay the
    same.
    """
    names = [name for members, _ in parts for name in members]
    number_of = {name: number for number, name in enumerate(names)}
    field = _Field(sides, [(len(members), seats) for members, seats in parts], boards)
    for pairing in former:
        groups = [[number_of[name] for name in group] for group in pairing]
        yield [tuple([names[player] for player in group]) for group in field.grow(groups, rng)]


class _Field:
    """Tracks how often each pair of entrants has met, and searches for balanced pairings."""

    def __init__(
        self, sides: Sequence[Sequence[int]], parts: Sequence[tuple[int, int]], boards: int
    ) -> None:
        self.teams = len(sides[0]) > 1
        # A unit is a team. In games without teams, all seats of a board form one unit.
        self.units = sides if self.teams else [tuple(chain(*sides))]
        self.boards = boards
        self.seats = [seats for _, seats in parts]
        self.part = [number for number, (size, _) in enumerate(parts) for _ in range(size)]
        self.size = len(self.part)
        self.members = [
            [player for player in range(self.size) if self.part[player] == number]
            for number in range(len(parts))
        ]
        self.byes = [0] * self.size
        self._former_boards = self._shared_out = 0
        self.bye = boards * len(self.units)  # the unit of the entrants that do not play
        self.together: Counts = [[0] * self.size for _ in range(self.size)]
        self.apart: Counts = [[0] * self.size for _ in range(self.size)]
        firsts = range(0, self.bye, len(self.units))
        self.rest_of_board = [
            [first + other for other in range(len(self.units)) if other != number]
            for first in firsts
            for number in range(len(self.units))
        ]
        self.rest_of_board.append([])
        self._seats_of = [
            [first + number for number, unit in enumerate(self.units) for _ in unit]
            for first in firsts
        ]

    def board(self, unit: int) -> range:
        first = unit - unit % len(self.units)
        return range(first, first + len(self.units)) if unit < self.bye else range(0)

    def pairing(self, rng: random.Random) -> list[list[int]]:
        together = self._weights(self.together)
        apart = self._weights(self.apart) if self.teams else together
        search = _Search(self, together, apart, range(self.size))
        tries = max(MIN_TRIES, min(MAX_TRIES, 10 * MAX_TRIES // self.size))
        everybody, boards = range(self.size), range(self.boards)
        nobody = [self.bye] * self.size
        drawn = [self._draw(rng, nobody, everybody, boards) for _ in range(tries)]
        _, best = min([search.improve(units, rng) for units in drawn], key=itemgetter(0))
        self._count(best)
        return self._groups(best, rng)

    def grow(self, former: Sequence[list[int]], rng: random.Random) -> list[list[int]]:
        together = self._weights(self.together)
        apart = self._weights(self.apart) if self.teams else together
        kept = [self.bye] * self.size
        for board, group in enumerate(former):
            for unit, places in enumerate(self.units, board * len(self.units)):
                for place in places:
                    kept[group[place]] = unit
        added = range(len(former), self.boards)
        self._former_boards += len(former)
        most_changed = CHANGED_SHARE * self._former_boards
        options: list[tuple[int, int, int, int | None, list[int]]] = []
        for board in (None, *range(len(former))):
            if board is not None and options and self._shared_out >= most_changed:
                break
            open_boards = [*added] if board is None else [board, *added]
            free = [
                player
                for player, unit in enumerate(kept)
                if unit == self.bye or unit // len(self.units) in open_boards
            ]
            search = _Search(self, together, apart, free)
            drawn = [self._draw(rng, kept, free, open_boards) for _ in range(MIN_TRIES)]
            total, found = min([search.improve(units, rng) for units in drawn], key=itemgetter(0))
            spread = self._spread_of_byes(found)
            if board is not None or spread <= MAX_BYES_APART:
                rank = max(MAX_BYES_APART, spread)
                options.append((rank, total, len(options), board, found))
        *_, changed, best = min(options)
        self._shared_out += changed is not None
        self._count(best)
        groups = self._groups(best, rng)
        return [
            groups[board] if board >= len(former) or board == changed else former[board]
            for board in range(self.boards)
        ]

    def _spread_of_byes(self, unit_of: Sequence[int]) -> int:
        byes = [had + (unit == self.bye) for had, unit in zip(self.byes, unit_of, strict=True)]
        return max(byes) - min(byes)

    def _weights(self, counts: Counts) -> Counts:
        part = self.part
        sums: dict[int, list[int]] = {}
        for first, other in combinations(range(self.size), 2):
            pairs = sums.setdefault(part[first] + part[other] * len(self.members), [0, 0])
            pairs[0] += counts[first][other]
            pairs[1] += 1
        weights = [[0] * self.size for _ in range(self.size)]
        for first, other in combinations(range(self.size), 2):
            met, pairs_of_parts = sums[part[first] + part[other] * len(self.members)]
            off = _UNIT * counts[first][other] - _UNIT * met // pairs_of_parts
            weight = ((off + _UNIT) ** 4 - off**4) // _UNIT**3
            weights[first][other] = weights[other][first] = weight
        return weights

    def _draw(
        self, rng: random.Random, kept: Sequence[int], free: Sequence[int], boards: Sequence[int]
    ) -> tuple[int, ...]:
        unit_of = list(kept)
        seats_of = [list(self._seats_of[board]) for board in boards]
        for units in seats_of:
            shuffle(units, rng)
        is_free = set(free)
        for members, seats in zip(self.members, self.seats, strict=True):
            own = [player for player in members if player in is_free]
            order = sample(own, len(own), rng)
            order.sort(key=self.byes.__getitem__)
            players = order[len(order) - seats * len(boards) :]
            for player in order:
                unit_of[player] = self.bye
            shuffle(players, rng)
            for number, player in enumerate(players):
                unit_of[player] = seats_of[number % len(boards)].pop()
        return tuple(unit_of)

    def _count(self, unit_of: Sequence[int]) -> None:
        for player, unit in enumerate(unit_of):
            self.byes[player] += unit == self.bye
        for first, other in combinations(range(self.size), 2):
            if unit_of[other] in self.board(unit_of[first]):
                counts = self.together if unit_of[first] == unit_of[other] else self.apart
                counts[first][other] += 1
                counts[other][first] += 1

    def _groups(self, unit_of: Sequence[int], rng: random.Random) -> list[list[int]]:
        groups = []
        for board in range(self.boards):
            group = [0] * sum(map(len, self.units))
            units = list(self.board(board * len(self.units)))
            shuffle(units, rng)
            for unit, places in zip(units, self.units, strict=True):
                members = [player for player in range(self.size) if unit_of[player] == unit]
                shuffle(members, rng)
                for player, place in zip(members, places, strict=True):
                    group[place] = player
            groups.append(group)
        return groups


class _Search:
    def __init__(self, field: _Field, together: Counts, apart: Counts, free: Sequence[int]) -> None:
        self._field = field
        self._free = free
        self._together = together
        self._apart = apart

    def improve(self, start: Sequence[int], rng: random.Random) -> tuple[int, list[int]]:
        """Swap entrants until no swap lowers the cost. Return the final cost and assignment."""
        rest_of_board, unit_of = self._field.rest_of_board, list(start)
        cost = [self._cost(unit, unit_of) for unit in range(self._field.bye + 1)]
        order = list(self._free)
        better = True
        while better:
            better = False
            shuffle(order, rng)
            for player in order:
                other = self._best_swap(player, unit_of, cost)
                if other is not None:
                    here, there = unit_of[player], unit_of[other]
                    unit_of[player], unit_of[other] = there, here
                    for unit in {here, *rest_of_board[here], there, *rest_of_board[there]}:
                        cost[unit] = self._cost(unit, unit_of)
                    better = True
        return sum([cost[unit][player] for player, unit in enumerate(unit_of)]), unit_of

    def _cost(self, unit: int, unit_of: Sequence[int]) -> list[int]:
        rest = self._field.rest_of_board[unit]
        rows = [[0] * self._field.size]
        for player, own in enumerate(unit_of) if unit != self._field.bye else ():
            if own == unit:
                rows.append(self._together[player])
            elif own in rest:
                rows.append(self._apart[player])
        return list(map(sum, zip(*rows, strict=True)))

    def _best_swap(
        self, entrant: int, unit_of: Sequence[int], cost: Sequence[Sequence[int]]
    ) -> int | None:
        field, bye, byes, part = self._field, self._field.bye, self._field.byes, self._field.part
        here, near = unit_of[entrant], self._together[entrant]
        comes, own_part, own_byes = cost[here], part[entrant], byes[entrant]
        own_stay, rest = comes[entrant], field.rest_of_board[here]
        best_change, best_partner = 0, None
        for other in self._free:
            there = unit_of[other]
            if there == here or part[other] != own_part:
                continue
            goes = cost[there]
            change = goes[entrant] - own_stay + comes[other] - goes[other] - near[other]
            if here == bye or there == bye:
                if byes[other] != own_byes:
                    continue
            else:  # after the swap, they do not meet, but both costs include the other entrant
                change -= near[other]
                if there in rest:
                    change += 2 * self._apart[entrant][other]
            if change < best_change:
                best_change, best_partner = change, other
        return best_partner
