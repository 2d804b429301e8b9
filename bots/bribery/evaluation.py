"""Values of boards of Bribery: the expected points of each side at the end of the game."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from bots.bribery.board import Board, Pile, open_suits
from bots.bribery.cards import BRIBES, COUNTRIES, JOKERS, OFFICIALS, VOTES

MEAN = sum(BRIBES.values()) / len(BRIBES)
MEAN_SQUARE = sum([value * value for value in BRIBES.values()]) / len(BRIBES)
LOGISTIC_SCALE = 0.6
"""The scale of the logistic curve that is closest to the standard normal distribution."""

BySide = tuple[float, ...]


class ControlChances(NamedTuple):
    """The probabilities, by side, to control and to dominate an official at the end."""

    controls: BySide
    dominates: BySide

    @property
    def factors(self) -> BySide:
        """The expected factors of each side's control. Domination counts twice."""
        return tuple([once + again for once, again in zip(*self, strict=True)])


def strongest(values: Sequence[float]) -> BySide:
    """Return 1 for a unique positive maximum of `values`, and 0 for each other value."""
    best = max(values)
    unique = best > 0 and values.count(best) == 1
    return tuple([float(unique and value == best) for value in values])


def win_probabilities(values: Sequence[float], deviation: float) -> BySide:
    """Return the probability of each value to be the maximum after random changes.

    Args:
        values: the expected values.
        deviation: the standard deviation of the changes.
    """
    if deviation < 0.001:
        return strongest(values)
    best = max(values)
    weights = [math.exp((value - best) / (LOGISTIC_SCALE * deviation)) for value in values]
    whole = sum(weights)
    return tuple([weight / whole for weight in weights])


class Evaluation:
    """The expected points on boards, given how many bribes each side will still play.

    Future bribes are assumed to go to random open places. Without future bribes, the points are
    exactly those of the board. An evaluation caches its results, so it serves boards that differ
    little.
    """

    def __init__(self, board: Board, future: Sequence[int]) -> None:
        number = sum(future)
        self._zero: BySide = (0.0,) * len(future)
        self._shares = [each / number for each in future] if number else self._zero
        """The part of the future bribes that each side plays."""
        places = sum([len(open_suits(official, pile)) for official, pile in board.items()])
        self._rate = number / places if places else 0.0
        """The expected future bribes for each open suit of an official."""
        self._chances: dict[tuple[str, Pile, BySide], ControlChances] = {}
        self._countries: dict[tuple[object, ...], BySide] = {}

    def points(self, board: Board) -> list[float]:
        """Return the expected points of each side."""
        points = list(self._zero)
        value_bonus = vote_bonus = self._zero
        for joker, joker_points in JOKERS.items():
            if joker in board:
                factors = self._control(joker, board[joker], value_bonus).factors
                if joker == "joker-1":
                    value_bonus = factors
                elif joker == "joker-2":
                    vote_bonus = factors
                for side, factor in enumerate(factors):
                    points[side] += joker_points * factor
        for suit, country_points in COUNTRIES.items():
            for side, factor in enumerate(self._country(suit, board, value_bonus, vote_bonus)):
                points[side] += country_points * factor
        return points

    def _country(self, suit: str, board: Board, value_bonus: BySide, vote_bonus: BySide) -> BySide:
        """Return the expected factor of each side's control of a country."""
        piles = [board.get(official) for official in OFFICIALS[suit]]
        key = (suit, *piles, value_bonus, vote_bonus)
        if (known := self._countries.get(key)) is not None:
            return known
        votes = list(self._zero)
        variance = 0.0
        uncontrolled = 1.0  # the probability that no side has votes here
        alone = [1.0] * len(votes)  # the probability that no other side has votes here
        for official, pile in zip(OFFICIALS[suit], piles, strict=True):
            if pile is None:  # out of play
                continue
            chances = self._control(official, pile, value_bonus)
            own_votes = VOTES[official[0]]
            controlled = sum(chances.controls)
            uncontrolled *= 1 - controlled
            for side, (controls, dominates) in enumerate(zip(*chances, strict=True)):
                factor = controls + dominates
                votes[side] += own_votes * factor + vote_bonus[side] * controls
                variance += own_votes * own_votes * (controls + 3 * dominates - factor * factor)
                alone[side] *= 1 - controlled + controls
        wins = win_probabilities(votes, math.sqrt(max(0.0, variance)))
        factors = tuple([win + one - uncontrolled for win, one in zip(wins, alone, strict=True)])
        self._countries[key] = factors
        return factors

    def _control(self, official: str, pile: Pile, value_bonus: BySide) -> ControlChances:
        key = (official[1], pile, value_bonus)  # officials of a suit are alike, and so are jokers
        known = self._chances.get(key)
        if known is None:
            known = self._chances[key] = self._control_chances(official, pile, value_bonus)
        return known

    def _control_chances(self, official: str, pile: Pile, value_bonus: BySide) -> ControlChances:
        totals = list(self._zero)
        for card, side in pile:
            totals[side] += BRIBES[card] + value_bonus[side]
        now = strongest(totals)
        arriving = self._rate * len(open_suits(official, pile))
        present = {side for _, side in pile}
        if len(present) == 1:  # its own further bribes do not end a side's domination
            stays = math.exp(-arriving * (1 - self._shares[present.pop()]))
            dominates = tuple([stays * has for has in now])
        else:
            stays = math.exp(-arriving)
            dominates = self._zero
        if stays == 1:
            return ControlChances(now, dominates)
        number = arriving / (1 - math.exp(-arriving))  # the expected number, if there is any
        means = [
            total + number * MEAN * share for total, share in zip(totals, self._shares, strict=True)
        ]
        later = win_probabilities(means, math.sqrt(number * MEAN_SQUARE))
        controls = [stays * a + (1 - stays) * b for a, b in zip(now, later, strict=True)]
        return ControlChances(tuple(controls), dominates)
