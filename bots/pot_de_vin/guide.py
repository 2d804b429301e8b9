"""Search heuristics for Pot de Vin: predict the players' actions and evaluate positions."""
# compiled: see setup.py

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final

from arena.sdk.search import Guide
from bots.any_game.guide_formulas import chances_of_lead, choice_probability, choice_weights
from bots.pot_de_vin.trick_values import TrickValues
from bots.pot_de_vin.weights import weights_of
from bots.pot_de_vin.worth import GUILD_CARDS, GUILDS_MASK
from engine import State, Variant
from engine.pot_de_vin.actions import PASS, SUIT_BIT
from engine.pot_de_vin.cards import GEM_TALLY, TALLY
from engine.pot_de_vin.position import NOT_LED, Position
from engine.pot_de_vin.rules import legal_actions
from engine.state import GameState

# Softmax temperatures, in points.
TEMPERATURE: Final = 1.2
BELIEF_TEMPERATURE: Final = 2.0
RECALLED_ACTIONS: Final = 6
NOISE_POINTS: Final = 1.5
RESULT_SCALE: Final = 8.0
LEAD_SCALE: Final = 4.0
# Predicted leads have an error of LEAD_SCALE * rounds_left ** LEAD_SCALE_GROWTH points.
LEAD_SCALE_GROWTH: Final = 0.25
MIN_ROUNDS_LEFT: Final = 3
ERROR_PROBABILITY: Final = 0.3
# Cost of discarding a card during set-up, in points per unit of the card's face value.
DISCARDED_VALUE_POINTS: Final = 0.2
# Weight of ranks in the value of a finished game. Leads in points have the remaining weight.
PLACE_WEIGHT: Final = 0.7


class PotDeVinGuide(Guide):
    max_worlds: ClassVar[int] = 128

    def __init__(self, variant: Variant) -> None:
        self._sides = len(variant.sides)
        self._seats = variant.seats
        self._trick_values = TrickValues(variant, weights_of(variant.id))

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        return choice_weights(self.values(state, legal), TEMPERATURE)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        chance = rng.random
        values = [value + NOISE_POINTS * chance() for value in self.values(state, legal)]
        return legal[values.index(max(values))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        assert isinstance(state, GameState)
        position = state.position
        left = position.parameters.rounds - position.round + 1
        if position.trick or steps < self._seats or left < MIN_ROUNDS_LEFT or not position.round:
            return None
        return chances_of_lead(self.expected_points(position), LEAD_SCALE * left**LEAD_SCALE_GROWTH)

    def expected_points(self, position: Position) -> list[float]:
        tallies, hands, worth = position.tallies, position.hands, self._trick_values.worth
        of_suit = worth.of_suit
        remaining = GUILD_CARDS - (sum(tallies) & GUILDS_MASK)
        points = []
        for side, seats in enumerate(position.parameters.sides):
            mate = tallies[seats[1]] if len(seats) > 1 else 0
            expected = worth(tallies[side], mate, remaining) + worth.without_guilds(mate)
            points.append(expected + sum([of_suit[suit] for seat in seats for suit in hands[seat]]))
        return points

    def likelihood(self, world: State) -> float:
        """Return how likely the opponents' last actions are, given their hands in `world`."""
        assert isinstance(world, GameState)
        position = world.position
        likelihood = 1.0
        for earlier, action in islice(_rewind(position), RECALLED_ACTIONS):
            if earlier.seat_to_act == position.seat_to_act:
                continue
            legal = legal_actions(earlier)
            if len(legal) > 1:
                values = self._trick_values(earlier, legal)
                chosen = legal.index(action)
                likelihood *= choice_probability(
                    values, chosen, BELIEF_TEMPERATURE, ERROR_PROBABILITY
                )
        return likelihood

    def result(self, state: State) -> Sequence[float]:
        outcome = state.outcome()
        sides = self._sides
        points, ranks = outcome.points[:sides], outcome.ranks[:sides]
        values = []
        for own, rank in zip(points, ranks, strict=True):
            value = 0.0
            for other, other_rank in zip(points, ranks, strict=True):
                value += PLACE_WEIGHT * ((rank < other_rank) - (rank > other_rank))
                value += (1 - PLACE_WEIGHT) * math.tanh((own - other) / (2 * RESULT_SCALE))
            values.append(0.5 + value / (2 * (sides - 1)))
        return values

    def values(self, state: State, legal: Sequence[str]) -> list[float]:
        assert isinstance(state, GameState)
        position = state.position
        if not position.round:  # a low card takes few tricks
            return [-DISCARDED_VALUE_POINTS * int(action.rpartition("-")[2]) for action in legal]
        return self._trick_values(position, legal)


def _rewind(position: Position) -> Iterator[tuple[Position, str]]:
    """Yield all past actions, most recent first, each with the position in which it was chosen.

    All of the yielded positions are the same object, which is modified in place.
    """
    earlier = position.copy()
    if not position.round:
        return
    earlier.trick = position.trick.copy()
    rounds = [*position.past_rounds]
    while True:
        while earlier.trick:
            action = earlier.trick.pop()
            seat = earlier.active[len(earlier.trick)]
            earlier.seat_to_act = seat
            character, bit = SUIT_BIT[action]
            if bit:
                earlier.hands[seat][character] |= bit
            else:
                earlier.gems[seat] += 1
            if not earlier.trick:
                earlier.led = NOT_LED
            yield earlier, action
        if not rounds:
            return
        active, trick, winner = rounds.pop()
        earlier.round -= 1
        earlier.active, earlier.trick = active, [*trick]
        earlier.led = SUIT_BIT[trick[0]][0]
        cards, gems = earlier.winnings_of_round(earlier.round)
        earlier.tallies[winner] -= sum([TALLY[card] for card in cards]) + gems * GEM_TALLY


def make_guide(variant: Variant) -> PotDeVinGuide:
    return PotDeVinGuide(variant)


def actions_in(events: Sequence[Mapping[str, Any]]) -> list[str] | None:
    actions = []
    for event in events:
        match event["event"]:
            case "play":
                actions.append(f"play {event['card']}")
            case "pass":
                actions.append(PASS)
            case "discard":
                if event["card"] is None:
                    return None
                actions.append(f"discard {event['card']}")
    return actions
