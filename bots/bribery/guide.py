"""What a search knows of Bribery: the values of `fixer` for actions and boards.

It reads the position of the engine. A simulated game ends where the tree ends, and what `fixer`
expects of that board takes the place of the rest.
"""

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar

from arena.search import Guide
from bots.bribery.board import GROUPS, JOKER, Pile, Piles, SideBribe, pile_of
from bots.bribery.cards import BRIBES
from bots.bribery.control import Future
from bots.bribery.evaluation import Evaluation
from bots.bribery.fixer import FixerBot
from bots.bribery.view import Bribe, Control, Controlled, Official, Pending, View
from engine import State, Variant
from engine.bribery.cards import BIT, CARDS, JOKERS, OFFICIALS, SEATS, SLOTS
from engine.bribery.position import Position
from engine.bribery.state import BriberyState

POINTS_PER_BRIBE = 0.35
"""The error of expected points for the square root of the number of bribes still to be played."""
MIN_ERROR = 0.4
PLACE_WEIGHT = 0.8
"""The part of the value of a finished game that depends on places only."""
LEAD_SCALE = 4.0

_NUMBER = {name: number for number, name in enumerate(OFFICIALS)}
_LAYOUT = [(group, [_NUMBER[name] for name in names]) for group, names in GROUPS.items()]
"""The officials of each group, by the numbers of the engine."""
_GROUP_OF = {number: group for group, numbers in _LAYOUT for number in numbers}


class BriberyGuide(Guide):
    """Values actions and boards as `fixer` does."""

    hidden_hands: ClassVar[bool] = False  # what an action is worth depends on the board
    temperature: ClassVar[float] = 0.5
    """The points that make an action likelier by a factor of e."""

    def __init__(self, variant: Variant) -> None:
        self._sides = len(variant.sides)
        self._side_lists = [list(seats) for seats in variant.sides]
        self._fixer = FixerBot()
        self._evaluations: dict[tuple[Sequence[int], int], Evaluation] = {}
        self._piles: dict[tuple[int, tuple[int, ...]], Pile] = {}

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely a seat plays each action: the better it is, the likelier.

        The best action of `legal` has the prior 1, so cards that the seat has in different worlds
        can be compared.
        """
        values = self._fixer.values(self.view(state), legal)
        best = max(values.values())
        return [math.exp((values[action] - best) / self.temperature) for action in legal]

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Return the best action. Only an ability that is pending is played on."""
        return self._fixer.choose(self._fixer.values(self.view(state), legal))

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the chances to be placed before others, by what is expected of the board."""
        position = _position_of(state)
        if position.pending is not None:
            return None
        left = self._unplayed(position)
        points = self._evaluation(position, left).points(self.board(state))
        error = MIN_ERROR + POINTS_PER_BRIBE * math.sqrt(sum(left))
        return self._placed_before(points, error)

    def result(self, state: State) -> Sequence[float]:
        """Return the mean over the other sides of being placed before them, and of the lead."""
        outcome = state.outcome()
        sides, weight = self._sides, outcome.win_weight
        points = outcome.points[:sides]
        by_lead = self._placed_before(points, LEAD_SCALE)
        values = []
        for own, lead in zip(points, by_lead, strict=True):
            places = sum([(own > other) - (own < other) for other in points]) / (sides - 1)
            values.append(PLACE_WEIGHT * (0.5 + weight * places / 2) + (1 - PLACE_WEIGHT) * lead)
        return values

    def _placed_before(self, points: Sequence[float], scale: float) -> list[float]:
        """Return for each side the mean chance to have more points than another one."""
        values = []
        for own in points:
            # The side itself adds 0 to the sum.
            ahead = sum([math.tanh((own - other) / (2 * scale)) for other in points])
            values.append(0.5 + ahead / (2 * (self._sides - 1)))
        return values

    # -- boards -----------------------------------------------------------------------------------

    def _unplayed(self, position: Position) -> tuple[int, ...]:
        """Return the number of bribes that each side has not played yet."""
        sides = self._sides
        left = [len(BRIBES) // sides] * sides
        for pile in position.piles:
            for bribe in pile:
                left[bribe % SEATS % sides] -= 1
        for bribe, _ in position.discards:
            left[bribe % SEATS % sides] -= 1
        return tuple(left)

    def _evaluation(self, position: Position, left: Sequence[int]) -> Evaluation:
        """Return the evaluation of boards with these numbers of bribes still to be played."""
        places = sum([officials.bit_count() for officials in position.open_to])
        key = (left, places // 4)
        known = self._evaluations.get(key)
        if known is None:
            number = sum(left)
            hidden = self._hidden_places(position)
            rate = number / (places + hidden) if places + hidden else 0.0
            shares = tuple([each / number if number else 0.0 for each in left])
            known = self._evaluations[key] = Evaluation(Future(rate, shares))
        return known

    def _hidden_places(self, position: Position) -> int:
        """Return the number of places on officials that are still to be played."""
        hidden = [o for o in range(len(OFFICIALS)) if self._is_to_come(position, o)]
        return sum([4 if OFFICIALS[o] in JOKERS else 3 for o in hidden])

    def _is_to_come(self, position: Position, official: int) -> bool:
        on_board = (position.face_up | position.face_down) & BIT[official]
        name = OFFICIALS[official]
        return not on_board and (name not in JOKERS or name in position.jokers)

    def board(self, state: State) -> dict[str, Piles]:
        """Return the board as the bots have it."""
        position = _position_of(state)
        piles, known, face_down = position.piles, self._piles, position.face_down
        board: dict[str, Piles] = {}
        for group, numbers in _LAYOUT:
            row: list[Pile | None] = []
            for number in numbers:
                key = (number, piles[number])
                pile = known.get(key)
                row.append(self._add_pile(*key) if pile is None else pile)
            if group == JOKER:
                row = [
                    pile if OFFICIALS[number] in position.jokers else None
                    for number, pile in zip(numbers, row, strict=True)
                ]
            elif face_down:
                row = [
                    None if face_down & BIT[number] else pile
                    for number, pile in zip(numbers, row, strict=True)
                ]
            board[group] = tuple(row)
        return board

    def _add_pile(self, official: int, bribes: tuple[int, ...]) -> Pile:
        sides = self._sides
        own = tuple([SideBribe(CARDS[bribe // SEATS], bribe % SEATS % sides) for bribe in bribes])
        pile = self._piles[official, bribes] = pile_of(_GROUP_OF[official], own)
        return pile

    # -- actions ----------------------------------------------------------------------------------

    def view(self, state: State) -> View:
        """Return what the bots read of the view of the seat to act."""
        position = _position_of(state)
        seat = position.seat_to_act
        assert seat is not None
        on_board = position.face_up | position.face_down
        shown = [number for number in SLOTS if on_board & BIT[number]]
        pending = None
        if position.pending is not None:
            by, source, spent, target = position.pending
            card = CARDS[spent // SEATS]
            pending = Pending(by, OFFICIALS[source], card, OFFICIALS[target])
        control = position.control
        return View(
            side=seat % self._sides,
            sides=self._side_lists,
            jokers=list(position.jokers),
            phase=position.phase,
            pending=pending,
            hand=[CARDS[card] for card in position.hands[seat]],
            board=[
                _official(number, bool(position.face_down & BIT[number]), position.piles[number])
                for number in shown
            ],
            discards=[_bribe(bribe) for bribe, _ in position.discards],
            control=Control(
                [
                    Controlled(OFFICIALS[number], None if control[number] < 0 else control[number])
                    for number in shown
                ]
            ),
        )


def _position_of(state: State) -> Position:
    assert isinstance(state, BriberyState), f"expected a state of Bribery, got {state!r}"
    return state.position


@lru_cache(maxsize=1 << 14)
def _official(number: int, face_down: bool, pile: tuple[int, ...]) -> Official:
    return Official(OFFICIALS[number], face_down, [_bribe(bribe) for bribe in pile])


@cache
def _bribe(bribe: int) -> Bribe:
    return Bribe(CARDS[bribe // SEATS], bribe % SEATS)


def make_guide(variant: Variant) -> BriberyGuide:
    """Return the guide of a variant."""
    return BriberyGuide(variant)


def actions_in(events: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Return the actions that events tell of."""
    return [event["action"] for event in events if event["event"] == "action"]
