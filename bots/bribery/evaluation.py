"""Values of boards of Bribery: the expected points of each side at the end of the game."""

import math
from collections.abc import Callable, Sequence

from bots.bribery.board import JOKER, Board, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, SUITS, VOTES
from bots.bribery.control import (
    After,
    BySide,
    Control,
    ControlChances,
    Future,
    arrivals,
    chances_after,
    win_probabilities,
)
from bots.bribery.two_sides import chances_of_two, country_points_of_two

ACE, KING, QUEEN, JACK = VOTES.values()
ACE_SQUARE, KING_SQUARE, QUEEN_SQUARE, JACK_SQUARE = [votes * votes for votes in VOTES.values()]
JOKER_1, JOKER_2, JOKER_3, JOKER_4 = JOKERS.values()

PointsOf = Callable[[int, Sequence[ControlChances], BySide], BySide]


class Evaluation:
    """The expected points on boards, given the future bribes.

    Without future bribes, the points are exactly those of the board. An evaluation caches its
    results, so it serves boards that differ little.
    """

    def __init__(self, future: Future) -> None:
        self.future = future
        self._after: After = chances_after
        self._points_of: PointsOf = country_points
        if len(future.shares) == 2:
            self._after, self._points_of = chances_of_two, country_points_of_two
        self._arrivals = [arrivals(suits, future) for suits in range(len(SUITS) + 1)]
        self._zero: BySide = (0.0,) * len(future.shares)
        self._controls: dict[BySide, Control] = {}
        """By bonus of joker 1."""
        self._countries: dict[tuple[BySide, BySide], Countries] = {}
        """By bonuses of jokers 1 and 2."""
        self._jokers: dict[Piles, tuple[BySide, Countries]] = {}

    def points(self, board: Board) -> list[float]:
        """Return the expected points of each side."""
        points, countries = self.jokers(board[JOKER])
        return [j + s + h + d + c for j, s, h, d, c in zip(points, *countries.points(board))]

    def jokers(self, piles: Piles) -> tuple[BySide, "Countries"]:
        """Return the expected points of the jokers, and the countries with their bonuses."""
        known = self._jokers.get(piles)
        if known is None:
            known = self._jokers[piles] = self._evaluate_jokers(piles)
        return known

    def _evaluate_jokers(self, piles: Piles) -> tuple[BySide, "Countries"]:
        """Return the points of the jokers, and the countries with the bonuses of jokers 1 and 2."""
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
            countries = Countries(self._points_of, control, vote_bonus)
            self._countries[bonuses] = countries
        return tuple(points), countries

    def _control(self, value_bonus: BySide) -> Control:
        """Return the chances to control officials with a bonus of joker 1."""
        if value_bonus not in self._controls:
            self._controls[value_bonus] = Control(self._after, self._arrivals, value_bonus)
        return self._controls[value_bonus]


class Countries:
    """The expected points of countries, given the bonuses of jokers. Results are cached."""

    def __init__(self, points_of: PointsOf, control: Control, vote_bonus: BySide) -> None:
        """Start with nothing cached.

        Args:
            points_of: computes the points of a country, as `country_points` does.
            control: the chances to control officials.
            vote_bonus: the extra votes, by side, of each controlled official.
        """
        self._points_of = points_of
        self._control = control
        self._vote_bonus = vote_bonus
        self._known: dict[str, dict[Piles, BySide]] = {suit: {} for suit in COUNTRIES}

    def points(self, board: Board) -> list[BySide]:
        """Return the expected points of each side, by country."""
        return [
            known.get(board[suit]) or self._add_points(suit, board[suit])
            for suit, known in self._known.items()
        ]

    def _add_points(self, suit: str, piles: Piles) -> BySide:
        """Return the expected points of each side for a country, which are not known yet."""
        known, chances = self._control.known, self._control.chances
        officials = [known.get(pile) or chances(pile) for pile in piles]
        found = self._points_of(COUNTRIES[suit], officials, self._vote_bonus)
        self._known[suit][piles] = found
        return found


def country_points(points: int, officials: Sequence[ControlChances], vote_bonus: BySide) -> BySide:
    """Return the expected points of each side for a country.

    Args:
        points: what a side gets that controls it.
        officials: the chances to control its ace, king, queen and jack.
        vote_bonus: the extra votes, by side, of each controlled official.
    """
    # Written out for the four officials, which takes half the time of a loop over them.
    ace, king, queen, jack = officials
    a_none, k_none, q_none, j_none = ace.none, king.none, queen.none, jack.none
    votes: list[float] = []
    alone: list[float] = []  # the probability, by side, that no other side has votes here
    for bonus, ac, af, kc, kf, qc, qf, jc, jf in zip(
        vote_bonus,
        *(ace.controls, ace.factors, king.controls, king.factors),
        *(queen.controls, queen.factors, jack.controls, jack.factors),
    ):
        # fmt: off
        votes.append((ACE * af + bonus * ac) + (KING * kf + bonus * kc)
                     + (QUEEN * qf + bonus * qc) + (JACK * jf + bonus * jc))
        alone.append((a_none + ac) * (k_none + kc) * (q_none + qc) * (j_none + jc))
        # fmt: on
    uncontrolled = a_none * k_none * q_none * j_none
    variance = 0.0
    for one in ace.variances:
        variance += ACE_SQUARE * one
    for one in king.variances:
        variance += KING_SQUARE * one
    for one in queen.variances:
        variance += QUEEN_SQUARE * one
    for one in jack.variances:
        variance += JACK_SQUARE * one
    wins = win_probabilities(votes, math.sqrt(max(0.0, variance)))
    return tuple([points * (win + one - uncontrolled) for win, one in zip(wins, alone)])
