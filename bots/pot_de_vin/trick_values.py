"""A faster version of `PlannerBot`'s evaluation of actions in Pot de Vin."""
# compiled: see setup.py

from collections.abc import Mapping, Sequence
from typing import Final

from bots.pot_de_vin.planner import (
    CARD_VALUE_POINTS,
    LATER_CARD_POINTS,
    OVERTAKE_PROBABILITY,
)
from bots.pot_de_vin.weights import Weights
from bots.pot_de_vin.worth import GUILD_CARDS, GUILDS_MASK, Worth
from engine import Variant
from engine.pot_de_vin.actions import CARD, PASS, SIZE, SUIT_BIT, TALLY_WON
from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GEM, INDEX, KIND, TALLY, VALUES
from engine.pot_de_vin.position import NOT_LED, Position

VALUE: Final = {action: INDEX[card] % len(VALUES) + 1 for action, card in CARD.items()}


def _facts(trump: int, led: int) -> Mapping[str, tuple[int, int, float]]:
    facts = {PASS: (0, GEM, 0.0)}
    for action, card in CARD.items():
        character, value = CHARACTER[card], VALUE[action]
        strength = value if led in (character, NOT_LED) else 0
        if character == trump:
            strength = value + len(VALUES)
        facts[action] = strength, KIND[card], CARD_VALUE_POINTS * value
    return facts


_FACTS: Final = [
    [_facts(trump, led) for led in (*range(len(CHARACTERS)), NOT_LED)]
    for trump in range(len(CHARACTERS))
]


class TrickValues:
    def __init__(self, variant: Variant, weights: Weights) -> None:
        sides = self._sides = len(variant.sides)
        self._teamed = sides < variant.seats
        self.worth = Worth(weights)
        self._signs = [1.0] + [-1 / (sides - 1)] * (sides - 1)
        miss = 1 - 1 / (variant.seats - 1)
        self._missing = [miss**number for number in range(len(CARDS))]

    def __call__(self, position: Position, legal: Sequence[str]) -> list[float]:
        seat, trick, led = position.seat_to_act, position.trick, position.led
        assert seat is not None, "expected a seat to act"
        tallies, trump_card = position.tallies, position.trumps[position.round - 1]
        trump = CHARACTER[trump_card]
        facts = _FACTS[trump][led]
        later = position.active[len(trick) + 1 :]
        count = len(later)
        loot = sum([TALLY_WON[action] for action in trick])
        if not position.parameters.recycled_trumps:
            loot += TALLY[trump_card]
        remaining = GUILD_CARDS - (sum(tallies) + loot & GUILDS_MASK)
        more = LATER_CARD_POINTS * count
        overtaken = 0.0
        for other in later:
            gain = self._gain(other, tallies, loot, remaining) + more
            overtaken += gain * self._signs[(other - seat) % self._sides] / count
        others = _others(position.hands, seat) if count else (0, 0, 0, 0)
        # If the action does not take the trick: points, and those for a point that it adds.
        strength, ducking, factor = 0, 0.0, 0.0
        steps: Sequence[float] = ()
        if trick:
            reached = [facts[action][0] for action in trick]
            strength = max(reached)
            winner = position.active[reached.index(strength)]
            gain = self._gain(winner, tallies, loot, remaining) + more
            steps = self._steps(winner, tallies, loot, remaining)
            stays = self._hold(strength, trump, led, others) ** count
            factor = stays * self._signs[(winner - seat) % self._sides]
            ducking = factor * gain + (1 - stays) * overtaken
        taking = self._gain(seat, tallies, loot, remaining) + more
        own_steps = self._steps(seat, tallies, loot, remaining)
        is_last = len(legal) < 3 and sum([SIZE[suit] for suit in position.hands[seat]]) == 1
        values = []
        for action in legal:
            own, kind, cost = facts[action]
            if own > strength:
                value = taking + own_steps[kind]
                if count:
                    character = SUIT_BIT[action][0] if led == NOT_LED else led
                    stays = self._hold(own, trump, character, others) ** count
                    value = stays * value + (1 - stays) * overtaken
            else:
                value = ducking + factor * steps[kind]
            values.append(value if is_last else value - cost)
        return values

    def _gain(self, winner: int, tallies: Sequence[int], loot: int, remaining: int) -> float:
        partner = tallies[(winner + self._sides) % len(tallies)] if self._teamed else 0
        return self.worth.gain(tallies[winner], loot, partner, remaining)

    def _steps(
        self, winner: int, tallies: Sequence[int], loot: int, remaining: int
    ) -> Sequence[float]:
        """Return what the trick's winner would gain from one additional card of each kind."""
        partner = tallies[(winner + self._sides) % len(tallies)] if self._teamed else 0
        return self.worth.steps(tallies[winner] + loot, partner, remaining)

    def _hold(self, strength: int, trump: int, led: int, others: Sequence[int]) -> float:
        """Return the probability that a later seat leaves the card unbeaten."""
        missing, value = self._missing, strength - len(VALUES)
        beaten = 1 - missing[SIZE[others[trump] >> (value if value > 0 else 0)]]
        if led != trump:
            beaten *= missing[SIZE[others[led]]]  # it must have none of the led character
            if value <= 0:
                beaten += 1 - missing[SIZE[others[led] >> strength]]
        return 1 - OVERTAKE_PROBABILITY * beaten


def _others(hands: Sequence[Sequence[int]], seat: int) -> tuple[int, int, int, int]:
    aldo = pietra = enzo = ugo = 0
    for other, hand in enumerate(hands):
        if other != seat:
            first, second, third, fourth = hand
            aldo |= first
            pietra |= second
            enzo |= third
            ugo |= fourth
    return aldo, pietra, enzo, ugo
