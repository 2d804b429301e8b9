"""Control of officials and countries in Bribery: the side with the highest total [6].

A side is a number from 0, or `NO_SIDE`. A pile is the bribes on an official in order of arrival.
"""
# compiled: see setup.py

from typing import Final

from engine.bribery.cards import BRIBES, SEATS, VALUE_OF

NO_SIDE: Final = -1

Pile = tuple[int, ...]
Values = tuple[int, ...]
"""By bribe: its value."""


Controller = tuple[int, int]
"""The controlling side and its factor.

The factor is 2 if the side dominates, 1 if it merely controls, and 0 if nobody does."""

# These tuples are built once: building one takes longer than the rest of a comparison.
UNCONTROLLED: Final = (NO_SIDE, 0)
CONTROLLING: Final = tuple([(side, 1) for side in range(SEATS)])
"""By side: the controller if it does not dominate."""
DOMINATING: Final = tuple([(side, 2) for side in range(SEATS)])
"""By side: the controller if it dominates."""


def find_controller(totals: list[int]) -> Controller:
    """Return the side whose total is positive and higher than all others [R14].

    The side dominates if no other side has a positive total [R15].
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
    """The side and value that each bribe counts for."""

    def __init__(self, count: int) -> None:
        self.count = count
        """Number of sides."""
        self.of = tuple([seat % count for _ in BRIBES for seat in range(SEATS)])
        """By bribe: its side. Seats are assigned to sides in turn [1]."""
        self._controlling = tuple([CONTROLLING[side] for side in self.of])
        self._dominating = tuple([DOMINATING[side] for side in self.of])
        bonuses = (UNCONTROLLED, *CONTROLLING[:count], *DOMINATING[:count])
        self.values = {bonus: self._add_bonus(bonus) for bonus in bonuses}
        """By controller of Joker #1: the value of each bribe on any other official.

        The joker adds 1 to each of its controller's bribes, or 2 if the controller dominates
        [R18, R21]."""

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
        """Return the total of a pile's bribes, by side."""
        of, totals = self.of, [0] * self.count
        for bribe in pile:
            side = of[bribe]
            totals[side] = totals[side] + values[bribe]
        return totals

    def controller(self, pile: Pile, values: Values) -> Controller:
        """Return the controller of an official with this pile."""
        size = len(pile)
        if size == 1:  # shortcuts for the most frequent piles, those of one or two bribes
            return self._dominating[pile[0]]
        if size == 2:
            one, other = pile
            if self.of[one] == self.of[other]:
                return self._dominating[one]
            lead = values[one] - values[other]
            return self._controlling[one if lead > 0 else other] if lead else UNCONTROLLED
        return find_controller(self.totals(pile, values)) if pile else UNCONTROLLED
