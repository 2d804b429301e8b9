"""Search heuristics for Bribery: predict the players' actions and their final points."""

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar

from arena.sdk.search import Guide
from bots.any_game.guide_formulas import chances_of_lead, choice_weights
from bots.bribery.belief import Belief
from bots.bribery.control import Future
from bots.bribery.fixer import FixerBot
from bots.bribery.forecast import Forecast
from bots.bribery.plays import Plays
from bots.bribery.view import Bribe, Official, Pending, View
from engine import State, Variant
from engine.bribery.cards import BIT, CARDS, FIRST_OFFICIAL, OFFICIALS, SEATS, SLOTS
from engine.bribery.position import PLAY_PHASE, Position
from engine.state import GameState

# The error of predicted points is MIN_ERROR + POINTS_PER_BRIBE * sqrt(number of bribes left).
POINTS_PER_BRIBE = 0.35
MIN_ERROR = 0.4
# With at most this many cards in all hands, simulations continue to the end of the game.
LAST_CARDS = 6
LAST_CARDS_ADVANCED = 3
OPEN_TEMPERATURE = 2.0  # near the end of two-seat games
# Weight of ranks in the value of a finished game. Leads in points have the remaining weight.
PLACE_WEIGHT = 0.8
LEAD_SCALE = 4.0
RECALLED_ACTIONS = 40


class InformedFixer(FixerBot):
    def _future(self) -> Future:
        assert self.evaluation is not None, "given before it is asked"
        return self.evaluation.future


class BriberyGuide(Guide):
    hidden_hands: ClassVar[bool] = False  # what an action is worth depends on the board
    temperature: ClassVar[float] = 0.5  # of a softmax over values in points

    def __init__(self, variant: Variant) -> None:
        self._seats = variant.seats
        self._sides = len(variant.sides)
        self._side_lists = [list(seats) for seats in variant.sides]
        self._fixer = InformedFixer()
        self._forecast = Forecast(variant)
        self._plays = Plays(self._forecast)
        self._belief = Belief(self._plays)
        self._actions: list[str] = []
        self._begun: tuple[int, str] | None = None
        self._known_actions = 0
        self._spent = [0.0] * self._sides

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return a softmax weight for each action. The best action has a weight of 1."""
        position = position_of(state)
        values, best = self._values(position, legal)
        is_open = self._seats == 2 and _is_late(position)
        temperature = OPEN_TEMPERATURE if is_open else self.temperature
        return choice_weights(values, temperature, best)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        values, best = self._values(position_of(state), legal)
        if values.count(best) == 1:
            return legal[values.index(best)]
        return self._fixer.choose(dict(zip(legal, values, strict=True)))

    def _values(self, position: Position, legal: Sequence[str]) -> tuple[list[float], float]:
        if position.phase != PLAY_PHASE:
            self._fixer.evaluation = self._forecast.evaluation(position)
            values = self._fixer.values(self.view(position), legal)
            return list(values.values()), max(values.values())
        plays, wait = self._plays.values(position)
        seat = position.seat_to_act
        assert seat is not None, "expected a game that is not over"
        if not plays or position.hands[seat][-1] >= FIRST_OFFICIAL:
            best = max(wait, *plays.values()) if plays else wait
        else:
            best = max(plays.values())
        return [plays.get(action, wait) for action in legal], best

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        position = position_of(state)
        if position.pending is not None or _is_late(position):
            return None
        points = self._expected_points(position)
        left = sum(self._forecast.unplayed(position))
        return chances_of_lead(points, MIN_ERROR + POINTS_PER_BRIBE * math.sqrt(left))

    def observe(self, state: State, events: Sequence[Any]) -> None:
        self._actions = [*self._actions, *actions_in(events)][-RECALLED_ACTIONS:]
        self._begun = None

    def likelihood(self, world: State) -> float:
        position = position_of(world)
        if self._begun != (position.turn, position.phase):
            self._begin(position)
        return self._belief.likelihood(position)

    def _begin(self, position: Position) -> None:
        self._begun = position.turn, position.phase
        self._belief.begin(position, self._actions)
        self._known_actions = len(position.log)
        number = position.turn - position.parameters.first_turns[position.round - 1]
        plays = [action for action in self._actions if action in self._forecast.spent_by]
        self._spent = self._forecast.spent(position, plays[-number:] if number else [])

    def _expected_points(self, position: Position) -> list[float]:
        """Predict each side's points as if all sides had been dealt equally good cards."""
        forecast = self._forecast
        points = forecast.points_of_fair_hands(position)
        spent = forecast.spent(position, position.log[self._known_actions :])
        return [
            gain - before - now
            for gain, before, now in zip(points, self._spent, spent, strict=True)
        ]

    def result(self, state: State) -> Sequence[float]:
        outcome = state.outcome()
        sides, weight = self._sides, outcome.win_weight
        points = outcome.points[:sides]
        by_lead = chances_of_lead(points, LEAD_SCALE)
        values = []
        for own, lead in zip(points, by_lead, strict=True):
            places = sum([(own > other) - (own < other) for other in points]) / (sides - 1)
            values.append(PLACE_WEIGHT * (0.5 + weight * places / 2) + (1 - PLACE_WEIGHT) * lead)
        return values

    def view(self, position: Position) -> View:
        seat = position.seat_to_act
        assert seat is not None
        on_board = position.face_up | position.face_down
        shown = [number for number in SLOTS if on_board & BIT[number]]
        pending = None
        if position.pending is not None:
            by, source, spent, target = position.pending
            card = CARDS[spent // SEATS]
            pending = Pending(by, OFFICIALS[source], card, OFFICIALS[target])
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
        )


def _is_late(position: Position) -> bool:
    parameters = position.parameters
    last = LAST_CARDS_ADVANCED if parameters.advanced else LAST_CARDS
    return parameters.plays - position.turn <= last


def position_of(state: State) -> Position:
    assert isinstance(state, GameState), f"expected a state of Bribery, got {state!r}"
    position: Position = state.position
    return position


@lru_cache(maxsize=1 << 14)
def _official(number: int, face_down: bool, pile: tuple[int, ...]) -> Official:
    return Official(OFFICIALS[number], face_down, [_bribe(bribe) for bribe in pile])


@cache
def _bribe(bribe: int) -> Bribe:
    return Bribe(CARDS[bribe // SEATS], bribe % SEATS)


def make_guide(variant: Variant) -> BriberyGuide:
    return BriberyGuide(variant)


def actions_in(events: Sequence[Mapping[str, Any]]) -> list[str]:
    return [event["action"] for event in events if event["event"] == "action"]
