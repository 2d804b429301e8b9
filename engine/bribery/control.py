"""Who controls what, and what it is worth [6].

Everything here looks at the board only: `piles[official]` are the bribes on an official, in order
of arrival. A side is a number from 0, and `NOBODY` where none is.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.bribery.cards import (
    BRIBES,
    COUNTRY,
    JOKER_1,
    JOKER_2,
    JOKER_POINTS,
    OFFICIALS,
    POINTS,
    SEATS,
    SUITS,
    VALUE_OF,
    VOTES,
)

NOBODY: Final = -1

Pile = tuple[int, ...]


class Grip(NamedTuple):
    """Which side controls something, and how firmly."""

    side: int
    factor: int
    """2 if the side dominates, 1 if it only controls, 0 if nobody does."""


NO_GRIP: Final = Grip(NOBODY, 0)
LOOSE_GRIPS: Final = tuple([Grip(side, 1) for side in range(SEATS)])
FIRM_GRIPS: Final = tuple([Grip(side, 2) for side in range(SEATS)])
"""By side, made once: to make a tuple takes longer than all the rest."""


def strongest(values: list[int]) -> Grip:
    """Return the grip of the side with the unique greatest value, if that is above 0 [R14].

    It dominates if it has all there is [R15]. So with bribes too: each counts something, hence
    whoever is present has a value above 0.
    """
    best = max(values)
    if not best or values.count(best) > 1:
        return NO_GRIP
    return (FIRM_GRIPS if best == sum(values) else LOOSE_GRIPS)[values.index(best)]


class Sides:
    """For which side a bribe counts, and how much."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.of = tuple([seat % count for _ in BRIBES for seat in range(SEATS)])
        """By bribe: its side; seats sit in turn on the sides [1]."""
        self._leading = tuple([LOOSE_GRIPS[side] for side in self.of])
        self._dominating = tuple([FIRM_GRIPS[side] for side in self.of])
        bonuses = (NO_GRIP, *LOOSE_GRIPS[:count], *FIRM_GRIPS[:count])
        self.worths = {bonus: self._worths(bonus) for bonus in bonuses}
        """By grip on Joker #1: what each bribe counts, on all officials but that joker.

        The joker adds 1 for its controller, and 2 if that dominates it [R18, R21].
        """

    def __reduce__(self) -> tuple[type["Sides"], tuple[int]]:
        return Sides, (self.count,)  # compiled, a pickle has to be told how to make one

    def _worths(self, bonus: Grip) -> tuple[int, ...]:
        return tuple(
            [
                value + bonus.factor if side == bonus.side else value
                for value, side in zip(VALUE_OF, self.of, strict=True)
            ]
        )

    def totals(self, pile: Pile, worth: Sequence[int]) -> list[int]:
        """Return what the bribes of a pile count, by side."""
        of, totals = self.of, [0] * self.count
        for bribe in pile:
            totals[of[bribe]] += worth[bribe]
        return totals

    def grip(self, pile: Pile, worth: Sequence[int]) -> Grip:
        """Return who controls an official with this pile."""
        if len(pile) == 1:  # most piles have one bribe or two, and this is asked all the time
            return self._dominating[pile[0]]
        if len(pile) == 2:
            one, other = pile
            if self.of[one] == self.of[other]:
                return self._dominating[one]
            lead = worth[one] - worth[other]
            return self._leading[one if lead > 0 else other] if lead else NO_GRIP
        return strongest(self.totals(pile, worth)) if pile else NO_GRIP


class Evaluation(NamedTuple):
    """A board evaluated."""

    worth: Sequence[int]
    """By bribe, on all officials but Joker #1."""
    grips: list[Grip]
    """By official."""
    votes: list[int]
    """By official."""
    country_votes: list[list[int]]
    """By suit and side."""
    countries: list[Grip]
    """By suit."""
    points: list[int]
    """By side."""


def evaluate(piles: Sequence[Pile], sides: Sides) -> Evaluation:
    """Evaluate a board, in the order of the rules page, which leaves no circles [R17]."""
    first = sides.grip(piles[JOKER_1], VALUE_OF)
    worth = sides.worths[first]
    grip = sides.grip
    grips = [grip(pile, worth) if pile else NO_GRIP for pile in piles]
    grips[JOKER_1] = first

    votes = [0] * len(OFFICIALS)
    country_votes = [[0] * sides.count for _ in SUITS]
    bonus_side, bonus = grips[JOKER_2]
    for official, (side, factor) in enumerate(grips):
        if factor and VOTES[official]:
            won = VOTES[official] * factor
            if side == bonus_side:
                won += bonus  # which domination of the official does not double [R19]
            votes[official] = won
            country_votes[COUNTRY[official]][side] += won

    points = [0] * sides.count
    countries = [strongest(row) for row in country_votes]
    for suit, (side, factor) in enumerate(countries):
        points[side] += POINTS[suit] * factor  # by nobody: 0 points, to whomever
    for joker, worth_of_joker in JOKER_POINTS.items():
        side, factor = grips[joker]
        points[side] += worth_of_joker * factor
    return Evaluation(worth, grips, votes, country_votes, countries, points)
