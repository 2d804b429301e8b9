"""Values of boards of Bribery: the expected points of each side at the end of the game."""
# compiled: see setup.py

from collections.abc import Sequence

from bots.bribery.board import JOKER, Board, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, SUITS
from bots.bribery.control import MOST_SIDES, BySide, Control, Future, arrivals
from bots.bribery.formulas import control_chances, country_points

JOKER_1, JOKER_2, JOKER_3, JOKER_4 = JOKERS.values()


def lead(points: Sequence[float], side: int) -> float:
    """Return the difference between the points of a side and the mean of the others."""
    own = points[side]
    return own - (sum(points) - own) / (len(points) - 1)


class Evaluation:
    """The expected points on boards, given the future bribes.

    Without future bribes, the points are exactly those of the board. An evaluation caches its
    results, so it serves boards that differ little.
    """

    def __init__(self, future: Future) -> None:
        self.future = future
        self._sides = len(future.shares)
        self._arrivals = [arrivals(suits, future) for suits in range(len(SUITS) + 1)]
        self._zero: BySide = (0.0,) * MOST_SIDES
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
        vote_bonus = tuple(two[: self._sides])
        bonuses = (value_bonus, vote_bonus)
        countries = self._countries.get(bonuses)
        if countries is None:
            countries = Countries(control, vote_bonus)
            self._countries[bonuses] = countries
        return tuple(points[: self._sides]), countries

    def _control(self, value_bonus: BySide) -> Control:
        """Return the chances to control officials with a bonus of joker 1."""
        if value_bonus not in self._controls:
            self._controls[value_bonus] = Control(control_chances, self._arrivals, value_bonus)
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
        known, add = self._control.known, self._control.add_chances
        ace, king, queen, jack = piles
        # Written out, since a loop over them takes twice as long.
        officials = (
            known.get(ace) or add(ace),
            known.get(king) or add(king),
            known.get(queen) or add(queen),
            known.get(jack) or add(jack),
        )
        found = country_points(COUNTRIES[suit], officials, self._vote_bonus)
        self._known[suit][piles] = found
        return found
