"""Determine which side controls each official and each country in Bribery [6].

The side with the highest total of bribe values controls an official, and the side with the most
votes controls a country. A pile is a tuple of the bribes on an official, oldest first.
"""
# compiled: see setup.py

from typing import Final

from engine.bribery.cards import BRIBES, SEATS, VALUE_OF

NO_SIDE: Final = -1

Pile = tuple[int, ...]
Values = tuple[int, ...]


# The side in control, and a factor for its votes or points: 2 if the side dominates, 1 if it does
# not, and 0 if no side is in control.
Controller = tuple[int, int]

# Building these tuples takes longer than the rest of a comparison, so they are built only once.
UNCONTROLLED: Final = (NO_SIDE, 0)
CONTROLLING: Final = tuple([(side, 1) for side in range(SEATS)])
DOMINATING: Final = tuple([(side, 2) for side in range(SEATS)])


def find_controller(totals: list[int]) -> Controller:
    """Find the side with the highest total of bribes on an official, or of votes in a country.

    No side is in control if two sides tie for the highest total, or if no total is positive
    [R14]. The side in control dominates if it is the only side with a positive total [R15].
    """
    winner, best, second = NO_SIDE, 0, 0
    for side, total in enumerate(totals):
        if total > best:
            winner, best, second = side, total, best
        elif total > second:
            second = total
    if best == second:
        return UNCONTROLLED
    return (CONTROLLING if second else DOMINATING)[winner]


class SideTable:
    def __init__(self, count: int) -> None:
        self.count = count
        self.of = tuple([seat % count for _ in BRIBES for seat in range(SEATS)])
        self._controlling = tuple([CONTROLLING[side] for side in self.of])
        self._dominating = tuple([DOMINATING[side] for side in self.of])
        bonuses = (UNCONTROLLED, *CONTROLLING[:count], *DOMINATING[:count])
        # By `Controller` of Joker #1: the values of all bribes [R18, R21].
        self.values = {bonus: self._add_bonus(bonus) for bonus in bonuses}

    def __reduce__(self) -> tuple[type["SideTable"], tuple[int]]:
        return SideTable, (self.count,)  # a compiled class has no default way to be pickled

    def _add_bonus(self, bonus: Controller) -> tuple[int, ...]:
        bonus_side, bonus_value = bonus
        return tuple(
            [
                value + bonus_value if side == bonus_side else value
                for value, side in zip(VALUE_OF, self.of, strict=True)
            ]
        )

    def totals(self, pile: Pile, values: Values) -> list[int]:
        of, totals = self.of, [0] * self.count
        for bribe in pile:
            side = of[bribe]
            totals[side] = totals[side] + values[bribe]
        return totals

    def controller(self, pile: Pile, values: Values) -> Controller:
        size = len(pile)
        if size == 1:  # fast paths for piles of one or two bribes, the most frequent
            return self._dominating[pile[0]]
        if size == 2:
            one, other = pile
            if self.of[one] == self.of[other]:
                return self._dominating[one]
            lead = values[one] - values[other]
            return self._controlling[one if lead > 0 else other] if lead else UNCONTROLLED
        return find_controller(self.totals(pile, values)) if pile else UNCONTROLLED
