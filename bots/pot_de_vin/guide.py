"""What a search knows of Pot de Vin: seats play as `planner` does, computed much faster.

It reads the position of the engine, in which a hand is four sets of cards, one a character, and
what a seat has won is one number, its tally.
"""

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from arena.search import Guide
from bots.pot_de_vin.cards import POT_DE_VIN_POINTS
from bots.pot_de_vin.evaluation import FLAT_POINTS, MAX_REMAINING, forecast
from bots.pot_de_vin.planner import (
    CARD_VALUE_POINTS,
    LATER_CARD_POINTS,
    OVERTAKE_PROBABILITY,
)
from engine import State, Variant
from engine.pot_de_vin.actions import CARD, PASS, SIZE, SUIT_BIT, TALLY_WON
from engine.pot_de_vin.cards import CHARACTER, GUILDS, INDEX, KIND_BITS, TALLY
from engine.pot_de_vin.cards import POT_DE_VIN as POTS
from engine.pot_de_vin.position import NOT_LED, Position
from engine.pot_de_vin.state import PotDeVinState

TEMPERATURE = 1.2
"""The points that make an action likelier by a factor of e."""
NOISE_POINTS = 1.5
"""The greatest error of a seat in a simulated game, in points."""
LEAD_SCALE = 8.0
"""The lead in points that is worth three quarters of a sure win, without regard to places."""
PLACE_WEIGHT = 0.7
"""The part of the value of a finished game that depends on places only."""

_VALUES = 13
_MASK = (1 << KIND_BITS) - 1
_THREE = 3 * KIND_BITS
_MASK_OF_THREE = (1 << _THREE) - 1
_JOKERS = len(GUILDS) * KIND_BITS
_NEUTRAL = _JOKERS + KIND_BITS
_GEMS = (POTS + 1) * KIND_BITS
_GUILDS_MASK = (1 << _JOKERS) - 1
_GUILD_CARDS = sum([tally for tally in TALLY.values() if tally <= _GUILDS_MASK])
"""The number of cards of each guild, as a tally."""


def _strengths(trump: int, led: int) -> Mapping[str, int]:
    """Return the strength of each action when these characters are trump and led."""
    strengths = {PASS: 0}
    for action, card in CARD.items():
        character, value = CHARACTER[card], INDEX[card] % _VALUES + 1
        strengths[action] = (
            value + _VALUES if character == trump else value if character == led else 0
        )
    return strengths


_STRENGTHS = [[_strengths(trump, led) for led in range(4)] for trump in range(4)]
_VALUE = {action: INDEX[card] % _VALUES + 1 for action, card in CARD.items()}
_COST = {PASS: 0.0} | {action: CARD_VALUE_POINTS * value for action, value in _VALUE.items()}
_NEUTRAL_POINTS = [
    FLAT_POINTS["bonus"] * (three & _MASK)
    + FLAT_POINTS["penalty"] * (three >> KIND_BITS & _MASK)
    + (*POT_DE_VIN_POINTS, 0, 0, 0)[three >> 2 * KIND_BITS]
    for three in range(_MASK_OF_THREE + 1)
]
"""Points of the numbers of bonus, penalty and Pot de Vin cards."""


class Worth:
    """The expected points of tallies at the end of the game, as `ForecastEvaluation` has them."""

    def __init__(self, seats: int, teamed: bool) -> None:
        self._forecast = forecast(seats, teamed)
        self._columns: dict[int, float] = {}
        """By own, partner's and remaining symbols of three guilds: their expected points."""

    def __call__(self, own: int, partner: int, remaining: int) -> float:
        """Return the expected points of a tally, given that of the partner and the guild cards."""
        low = own & _MASK_OF_THREE | (partner & _MASK_OF_THREE) << 9 | (remaining & 511) << 18
        own_high = own >> _THREE & _MASK_OF_THREE
        high = own_high | (partner >> _THREE & _MASK_OF_THREE) << 9 | remaining >> _THREE << 18
        columns = self._columns
        first, second = columns.get(low), columns.get(high)
        if first is None:
            first = self._add(low)
        if second is None:
            second = self._add(high)
        jokers = FLAT_POINTS["joker"] * (own >> _JOKERS & _MASK)
        neutral = _NEUTRAL_POINTS[own >> _NEUTRAL & _MASK_OF_THREE]
        return first + second + jokers + neutral + (own >> _GEMS)

    def _add(self, key: int) -> float:
        points = 0.0
        for guild in range(3):
            own, partner, remaining = [key >> 9 * part + 3 * guild & _MASK for part in range(3)]
            points += self._forecast[own][partner][min(remaining, MAX_REMAINING)]
        self._columns[key] = points
        return points


class PotDeVinGuide(Guide):
    """Values actions by the expected points of the trick, for the side that wins it."""

    def __init__(self, variant: Variant) -> None:
        self._sides = len(variant.sides)
        self._teamed = self._sides < variant.seats
        self._worth = Worth(variant.seats, self._teamed)
        self._missing = [(1 - 1 / (variant.seats - 1)) ** n for n in range(_VALUES * 4)]
        """By number of cards: the probability that a given other seat has none of them."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely a seat plays each action: the better it is, the likelier."""
        values = self.values(state, legal)
        best = max(values)
        return [math.exp((value - best) / TEMPERATURE) for value in values]

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Return the best action after random errors."""
        chance = rng.random
        values = [value + NOISE_POINTS * chance() for value in self.values(state, legal)]
        return legal[values.index(max(values))]

    def result(self, state: State) -> Sequence[float]:
        """Return the mean over the other sides of being placed before them, and of the lead."""
        outcome = state.outcome()
        sides = self._sides
        points, ranks = outcome.points[:sides], outcome.ranks[:sides]
        values = []
        for own, rank in zip(points, ranks, strict=True):
            value = 0.0
            for other, other_rank in zip(points, ranks, strict=True):
                value += PLACE_WEIGHT * ((rank < other_rank) - (rank > other_rank))
                value += (1 - PLACE_WEIGHT) * math.tanh((own - other) / (2 * LEAD_SCALE))
            values.append(0.5 + value / (2 * (sides - 1)))
        return values

    def values(self, state: State, legal: Sequence[str]) -> list[float]:
        """Return the expected points of each action for the seat to act."""
        assert isinstance(state, PotDeVinState)
        position = state.position
        if not position.round:  # a low card takes few tricks
            return [-CARD_VALUE_POINTS * int(action.rpartition("-")[2]) for action in legal]
        return self._trick_values(position, legal)

    def _trick_values(self, position: Position, legal: Sequence[str]) -> list[float]:
        """Return the expected points of each play or pass."""
        # One long function: it is called for each action of each simulated game.
        seat, trick, tallies = position.seat_to_act, position.trick, position.tallies
        assert seat is not None
        active, sides, worth = position.active, self._sides, self._worth
        trump_card = position.trumps[position.round - 1]
        trump = CHARACTER[trump_card]
        loot = 0 if position.parameters.recycled_trumps else TALLY[trump_card]
        for action in trick:
            loot += TALLY_WON[action]
        remaining = _GUILD_CARDS - (sum(tallies) + loot & _GUILDS_MASK)
        later = active[len(trick) + 1 :]
        more = LATER_CARD_POINTS * len(later)

        def stake(winner: int, won: int) -> float:
            """Return our gain if `winner` takes `won`."""
            own = tallies[winner]
            partner = tallies[(winner + sides) % len(tallies)] if self._teamed else 0
            gain = worth(own + won, partner, remaining) - worth(own, partner, remaining) + more
            return gain if (winner - seat) % sides == 0 else -gain / (sides - 1)

        overtaken = sum([stake(other, loot) for other in later]) / (len(later) or 1)
        others = [0, 0, 0, 0]
        for other, hand in enumerate(position.hands):
            if other != seat:
                others = [all_of | suit for all_of, suit in zip(others, hand, strict=True)]
        led, winner, strength, holds = position.led, seat, 0, 1.0
        if led != NOT_LED:
            strengths = _STRENGTHS[trump][led]
            reached = [strengths[action] for action in trick]
            strength = max(reached)
            winner = active[reached.index(strength)]
            holds = self._hold(strength, led, trump, others, len(later))
        free = len(position.hand_of(seat)) == 1
        values = []
        for action in legal:
            won, cost = loot + TALLY_WON[action], 0.0 if free else _COST[action]
            character = SUIT_BIT[action][0] if led == NOT_LED else led
            own = _STRENGTHS[trump][character][action]
            if own > strength:
                stays = self._hold(own, character, trump, others, len(later))
                value = stays * stake(seat, won)
            else:
                stays = holds
                value = stays * stake(winner, won)
            values.append(value + (1 - stays) * overtaken - cost)
        return values

    def _hold(
        self, strength: int, led: int, trump: int, others: Sequence[int], later: int
    ) -> float:
        """Return the probability that `later` seats do not beat a card of this strength."""
        if not later:
            return 1.0
        missing = self._missing
        value = strength - _VALUES
        beaten = 1 - missing[SIZE[others[trump] >> max(0, value)]]
        if led != trump:
            beaten *= missing[SIZE[others[led]]]  # it must have none of the led character
            if value <= 0:
                beaten += 1 - missing[SIZE[others[led] >> strength]]
        return (1 - OVERTAKE_PROBABILITY * beaten) ** later


def make_guide(variant: Variant) -> PotDeVinGuide:
    """Return the guide of a variant."""
    return PotDeVinGuide(variant)


def actions_in(events: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Return the actions that events tell of, or None if one of them is hidden."""
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
