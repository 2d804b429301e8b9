"""Estimate each side's final points from the board of a Bribery game."""
# compiled: see setup.py

import math
from collections.abc import Sequence
from typing import Final

from bots.bribery.board import JOKER, PLACES, Board, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, SUITS, VOTES
from bots.bribery.control import (
    LOGISTIC_SCALE,
    MIN_DEVIATION,
    BySide,
    Control,
    ControlChances,
    Future,
    arrivals,
    leader,
    win_probabilities,
)

JOKER_1, JOKER_2, JOKER_3, JOKER_4 = JOKERS.values()
RANKS: Final = tuple(VOTES.values())


def lead(points: Sequence[float], side: int) -> float:
    own = points[side]
    return own - (sum(points) - own) / (len(points) - 1)


class Evaluation:
    """Estimates each side's final points, given the expected number of future bribes."""

    def __init__(self, future: Future) -> None:
        self.future = future
        self._sides = len(future.shares)
        self._arrivals = [arrivals(suits, future) for suits in range(len(SUITS) + 1)]
        self._zero: BySide = (0.0,) * self._sides
        self._controls: dict[BySide, Control] = {}
        self._countries: dict[tuple[BySide, BySide], Countries] = {}
        self._jokers: dict[Piles, tuple[BySide, Countries]] = {}

    def points(self, board: Board) -> list[float]:
        points, countries = self.jokers(board[JOKER])
        return [j + s + h + d + c for j, s, h, d, c in zip(points, *countries.points(board))]

    def jokers(self, piles: Piles) -> tuple[BySide, "Countries"]:
        known = self._jokers.get(piles)
        if known is None:
            known = self._jokers[piles] = self._evaluate_jokers(piles)
        return known

    def controller(self, board: Board, official: str) -> int | None:
        group, place = PLACES[official]
        _, countries = self.jokers(board[JOKER])
        return leader(countries.control.chances(board[group][place]).controls)

    def _evaluate_jokers(self, piles: Piles) -> tuple[BySide, "Countries"]:
        value_bonus = tuple(self._control(self._zero).chances(piles[0]).factors)
        control = self._control(value_bonus)
        two, three, four = [control.chances(pile).factors for pile in piles[1:]]
        points = [
            JOKER_1 * one + JOKER_2 * two + JOKER_3 * three + JOKER_4 * four
            for one, two, three, four in zip(value_bonus, two, three, four)
        ]
        vote_bonus = tuple(two)
        bonuses = (value_bonus, vote_bonus)
        countries = self._countries.get(bonuses)
        if countries is None:
            countries = Countries(control, vote_bonus)
            self._countries[bonuses] = countries
        return tuple(points), countries

    def _control(self, value_bonus: BySide) -> Control:
        if value_bonus not in self._controls:
            self._controls[value_bonus] = Control(self._arrivals, value_bonus)
        return self._controls[value_bonus]


class Countries:
    def __init__(self, control: Control, vote_bonus: BySide) -> None:
        self.control = control
        self._vote_bonus = vote_bonus
        self._points: dict[str, dict[Piles, BySide]] = {suit: {} for suit in COUNTRIES}

    def points(self, board: Board) -> list[BySide]:
        return [
            points.get(board[suit]) or self._add_points(suit, board[suit])
            for suit, points in self._points.items()
        ]

    def of(self, suit: str, piles: Piles) -> BySide:
        return self._points[suit].get(piles) or self._add_points(suit, piles)

    def _add_points(self, suit: str, piles: Piles) -> BySide:
        known, add = self.control.known, self.control.add_chances
        ace, king, queen, jack = piles
        # Written out, since a loop over them takes twice as long.
        officials = (
            known.get(ace) or add(ace),
            known.get(king) or add(king),
            known.get(queen) or add(queen),
            known.get(jack) or add(jack),
        )
        points = country_points(COUNTRIES[suit], officials, self._vote_bonus)
        self._points[suit][piles] = points
        return points


def country_points(points: int, officials: Sequence[ControlChances], vote_bonus: BySide) -> BySide:
    """Return each side's expected points from controlling a country.

    Controlling the country is worth `points`. `officials` contains the chances of controlling
    the country's ace, king, queen and jack, in this order. Each side gets `vote_bonus` extra
    votes for each official that it controls.
    """
    votes, alone = [], []
    for side, bonus in enumerate(vote_bonus):
        own, chance = 0.0, 1.0
        for rank, official in zip(RANKS, officials):
            control = official.controls[side]
            own += rank * official.factors[side] + bonus * control
            chance *= official.none + control
        votes.append(own)
        alone.append(chance)
    variance, uncontrolled = 0.0, 1.0
    for rank, official in zip(RANKS, officials):
        uncontrolled *= official.none
        for once in official.variances:
            variance += rank * rank * once
    deviation = math.sqrt(max(0.0, variance))
    if deviation < MIN_DEVIATION:
        first = leader(votes)
        wins = [float(side == first) for side in range(len(votes))]
    else:
        wins = win_probabilities(votes, LOGISTIC_SCALE * deviation)
    return tuple([points * (win + chance - uncontrolled) for win, chance in zip(wins, alone)])
