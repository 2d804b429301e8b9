"""Control of officials and countries in Bribery, which goes to the side with the highest total [6].

Sides are numbered from 0. A pile contains the bribes on an official in order of arrival.
"""
# compiled: see setup.py

from typing import Final

from engine.bribery.cards import BRIBES, SEATS, VALUE_OF

NO_SIDE: Final = -1

Pile = tuple[int, ...]
Values = tuple[int, ...]
"""The value of each bribe."""


Controller = tuple[int, int]
"""The controlling side and its factor: 2 if the side dominates, 1 if not, and 0 if nobody controls.
"""

# These tuples are built once: building one takes longer than the rest of a comparison.
UNCONTROLLED: Final = (NO_SIDE, 0)
CONTROLLING: Final = tuple([(side, 1) for side in range(SEATS)])
"""The controller for each side that controls without dominating."""
DOMINATING: Final = tuple([(side, 2) for side in range(SEATS)])
"""The controller for each side that dominates."""


def find_controller(totals: list[int]) -> Controller:
    """Return the side whose total is positive and higher than all others [R14].

    The side dominates if no other total is positive [R15].
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
    """The side of each bribe, and its value."""

    def __init__(self, count: int) -> None:
        self.count = count
        """Number of sides."""
        self.of = tuple([seat % count for _ in BRIBES for seat in range(SEATS)])
        """The side of each bribe. Seats belong to sides in turn [1]."""
        self._controlling = tuple([CONTROLLING[side] for side in self.of])
        self._dominating = tuple([DOMINATING[side] for side in self.of])
        bonuses = (UNCONTROLLED, *CONTROLLING[:count], *DOMINATING[:count])
        self.values = {bonus: self._add_bonus(bonus) for bonus in bonuses}
        """The value of each bribe on other officials, by the controller of Joker #1.

        The joker adds 1 to its controller's bribes, or 2 if the controller dominates [R18, R21].
        """

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
        """Return the total of a pile for each side."""
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
