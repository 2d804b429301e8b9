"""Values of boards of Bribery: the expected points of each side at the end of the game."""

import math
from typing import NamedTuple

from bots.bribery.board import JOKER, Board, Pile, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, OFFICIALS, VOTES
from bots.bribery.control import BySide, Control, Future, win_probabilities


class Evaluation:
    """The expected points on boards, given the future bribes.

    Without future bribes, the points are exactly those of the board. An evaluation caches its
    results, so it serves boards that differ little.
    """

    def __init__(self, future: Future) -> None:
        self.future = future
        self._control = Control(future)
        self._zero: BySide = (0.0,) * len(future.shares)
        self._jokers: dict[Piles, tuple[BySide, Countries]] = {}
        self._countries: dict[tuple[BySide, BySide], Countries] = {}

    def points(self, board: Board) -> list[float]:
        """Return the expected points of each side."""
        piles = board[JOKER]
        known = self._jokers.get(piles)
        if known is None:
            known = self._jokers[piles] = self._evaluate_jokers(piles)
        points, countries = known
        by_country = [countries.points(suit, board[suit]) for suit in COUNTRIES]
        return [j + s + h + d + c for j, s, h, d, c in zip(points, *by_country, strict=True)]

    def _evaluate_jokers(self, piles: Piles) -> tuple[BySide, "Countries"]:
        """Return the points of the jokers, and the countries with the bonuses of jokers 1 and 2."""
        points = list(self._zero)
        value_bonus = vote_bonus = self._zero
        for (joker, joker_points), pile in zip(JOKERS.items(), piles, strict=True):
            if pile is not None:
                factors = tuple(self._control.chances(JOKER, pile, value_bonus).factors)
                if joker == "joker-1":
                    value_bonus = factors
                elif joker == "joker-2":
                    vote_bonus = factors
                for side, factor in enumerate(factors):
                    points[side] += joker_points * factor
        bonuses = (value_bonus, vote_bonus)
        if bonuses not in self._countries:
            self._countries[bonuses] = Countries(self._control, *bonuses)
        return tuple(points), self._countries[bonuses]


class Countries:
    """The expected points of countries, given the bonuses of jokers. Results are cached."""

    def __init__(self, control: Control, value_bonus: BySide, vote_bonus: BySide) -> None:
        """Start with nothing cached.

        Args:
            control: the chances to control officials.
            value_bonus: the extra value, by side, of each bribe.
            vote_bonus: the extra votes, by side, of each controlled official.
        """
        self._control = control
        self._value_bonus = value_bonus
        self._vote_bonus = vote_bonus
        self._known: dict[tuple[str, Piles], BySide] = {}

    def points(self, suit: str, piles: Piles) -> BySide:
        """Return the expected points of each side for a country."""
        key = (suit, piles)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._points(suit, piles)
        return known

    def _points(self, suit: str, piles: Piles) -> BySide:
        ace, king, queen, jack = [
            self._control.chances(suit, pile, self._value_bonus) for pile in piles
        ]
        # Written out for the four officials, which is twice as fast as a loop over them.
        votes = [
            (5 * af + bonus * ac) + (4 * kf + bonus * kc) + (3 * qf + bonus * qc) + (2 * jf + bonus * jc)
            for bonus, ac, af, kc, kf, qc, qf, jc, jf in zip(
                self._vote_bonus, ace.controls, ace.factors, king.controls, king.factors,
                queen.controls, queen.factors, jack.controls, jack.factors, strict=True
            )
        ]
        alone = [
            a * k * q * j
            for a, k, q, j in zip(
                ace.no_other, king.no_other, queen.no_other, jack.no_other, strict=True
            )
        ]
        uncontrolled = ace.none * king.none * queen.none * jack.none
        variance = 0.0
        for one in ace.variances: variance += 25 * one
        for one in king.variances: variance += 16 * one
        for one in queen.variances: variance += 9 * one
        for one in jack.variances: variance += 4 * one
        wins = win_probabilities(votes, math.sqrt(max(0.0, variance)))
        points = COUNTRIES[suit]
        return tuple([
            points * (win + one - uncontrolled) for win, one in zip(wins, alone, strict=True)
        ])
