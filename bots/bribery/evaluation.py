"""Values of boards of Bribery: the expected points of each side at the end of the game."""

import math

from bots.bribery.board import JOKER, Board, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, SUITS, VOTES
from bots.bribery.control import BySide, Control, Future, arrivals, win_probabilities

ACE, KING, QUEEN, JACK = VOTES.values()
SQUARES = [votes * votes for votes in VOTES.values()]


class Evaluation:
    """The expected points on boards, given the future bribes.

    Without future bribes, the points are exactly those of the board. An evaluation caches its
    results, so it serves boards that differ little.
    """

    def __init__(self, future: Future) -> None:
        self.future = future
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
        points = list(self._zero)
        value_bonus = vote_bonus = self._zero
        for (joker, joker_points), pile in zip(JOKERS.items(), piles):
            factors = self._control(value_bonus).chances(pile).factors
            if joker == "joker-1":
                value_bonus = tuple(factors)
            elif joker == "joker-2":
                vote_bonus = tuple(factors)
            for side, factor in enumerate(factors):
                points[side] += joker_points * factor
        bonuses = (value_bonus, vote_bonus)
        if bonuses not in self._countries:
            self._countries[bonuses] = Countries(self._control(value_bonus), vote_bonus)
        return tuple(points), self._countries[bonuses]

    def _control(self, value_bonus: BySide) -> Control:
        """Return the chances to control officials with a bonus of joker 1."""
        if value_bonus not in self._controls:
            self._controls[value_bonus] = Control(self._arrivals, value_bonus)
        return self._controls[value_bonus]


class Countries:
    """The expected points of countries, given the bonuses of jokers. Results are cached."""

    def __init__(self, control: Control, vote_bonus: BySide) -> None:
        """Start with nothing cached.

        Args:
            control: the chances to control officials.
            vote_bonus: the extra votes, by side, of each controlled official.
        """
        self._control = control
        self._vote_bonus = vote_bonus
        self._known: dict[str, dict[Piles, BySide]] = {suit: {} for suit in COUNTRIES}

    def points(self, board: Board) -> list[BySide]:
        """Return the expected points of each side, by country."""
        return [
            known.get(board[suit]) or self._add_points(suit, board[suit])
            for suit, known in self._known.items()
        ]

    def of(self, suit: str, piles: Piles) -> BySide:
        """Return the expected points of each side for one country."""
        return self._known[suit].get(piles) or self._add_points(suit, piles)

    def _add_points(self, suit: str, piles: Piles) -> BySide:
        """Return the expected points of each side for a country, which are not known yet."""
        known, chances = self._control.known, self._control.chances
        # Written out for the four officials, which takes half the time of a loop over them.
        ace, king, queen, jack = [known.get(pile) or chances(pile) for pile in piles]
        votes: list[float] = []
        alone: list[float] = []  # the probability, by side, that no other side has votes here
        for bonus, ac, af, kc, kf, qc, qf, jc, jf in zip(
            self._vote_bonus,
            *(ace.controls, ace.factors, king.controls, king.factors),
            *(queen.controls, queen.factors, jack.controls, jack.factors),
        ):
            # fmt: off
            votes.append((ACE * af + bonus * ac) + (KING * kf + bonus * kc)
                         + (QUEEN * qf + bonus * qc) + (JACK * jf + bonus * jc))
            alone.append(
                (ace.none + ac) * (king.none + kc) * (queen.none + qc) * (jack.none + jc))
            # fmt: on
        uncontrolled = ace.none * king.none * queen.none * jack.none
        variance = 0.0
        for official, square in zip((ace, king, queen, jack), SQUARES):
            for one in official.variances:
                variance += square * one
        wins = win_probabilities(votes, math.sqrt(max(0.0, variance)))
        points = COUNTRIES[suit]
        found = self._known[suit][piles] = tuple(
            [points * (win + one - uncontrolled) for win, one in zip(wins, alone)]
        )
        return found
