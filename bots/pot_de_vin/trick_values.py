"""Values of the actions in a trick of Pot de Vin, as `planner` has them, but several times as fast.

They are read from the position of the engine, in which a hand is four sets of cards, one a
character.
"""

from collections.abc import Mapping, Sequence

from bots.pot_de_vin.planner import (
    CARD_VALUE_POINTS,
    LATER_CARD_POINTS,
    OVERTAKE_PROBABILITY,
)
from bots.pot_de_vin.worth import GUILD_CARDS, GUILDS_MASK, Worth
from engine import Variant
from engine.pot_de_vin.actions import CARD, PASS, SIZE, SUIT_BIT, TALLY_WON
from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, INDEX, TALLY, VALUES
from engine.pot_de_vin.position import NOT_LED, Position

VALUE = {action: INDEX[card] % len(VALUES) + 1 for action, card in CARD.items()}
"""The value of the card that an action plays."""
_COST = {PASS: 0.0} | {action: CARD_VALUE_POINTS * value for action, value in VALUE.items()}


def _strengths(trump: int, led: int) -> Mapping[str, int]:
    """Return the strength of each action when these characters are trump and led."""
    strengths = {PASS: 0}
    for action, value in VALUE.items():
        character = CHARACTER[CARD[action]]
        trumps = value + len(VALUES) if character == trump else 0
        strengths[action] = trumps or (value if character == led else 0)
    return strengths


_ANY = range(len(CHARACTERS))
_STRENGTHS = [[_strengths(trump, led) for led in _ANY] for trump in _ANY]
"""By trump and led character."""


class TrickValues:
    """The expected gain of the side of the seat to act over the average of the other sides."""

    def __init__(self, variant: Variant) -> None:
        self._sides = len(variant.sides)
        self.worth = Worth(variant.seats, self._sides < variant.seats)
        miss = 1 - 1 / (variant.seats - 1)
        self._missing = [miss**number for number in range(len(CARDS))]
        """By number of cards: the probability that a given other seat has none of them."""

    def __call__(self, position: Position, legal: Sequence[str]) -> list[float]:
        """Return the expected points of each play or pass."""
        seat, trick, led = position.seat_to_act, position.trick, position.led
        assert seat is not None, "expected a seat to act"
        stakes = _Stakes(position, self.worth, self._sides)
        loot, later = stakes.loot, stakes.later
        overtaken = sum([stakes.gain(one, loot) for one in later]) / (len(later) or 1)
        trump = CHARACTER[position.trumps[position.round - 1]]
        others = _others(position.hands, seat)
        strength, winner, holds = 0, seat, 1.0
        if led != NOT_LED:
            reached = [_STRENGTHS[trump][led][action] for action in trick]
            strength = max(reached)
            winner = position.active[reached.index(strength)]
            holds = self._hold(strength, (trump, led), others, len(later))
        is_last = sum([SIZE[suit] for suit in position.hands[seat]]) == 1
        values = []
        for action in legal:
            character = SUIT_BIT[action][0] if led == NOT_LED else led
            own = _STRENGTHS[trump][character][action]
            taker, stays = winner, holds
            if own > strength:
                taker, stays = seat, self._hold(own, (trump, character), others, len(later))
            gain = stakes.gain(taker, loot + TALLY_WON[action])
            value = stays * gain + (1 - stays) * overtaken
            values.append(value if is_last else value - _COST[action])
        return values

    def _hold(
        self, strength: int, trump_and_led: tuple[int, int], others: Sequence[int], later: int
    ) -> float:
        """Return the probability that `later` seats do not beat a card of this strength.

        `others` are the cards in the other hands, by character.
        """
        if not later:
            return 1.0
        trump, led = trump_and_led
        missing, value = self._missing, strength - len(VALUES)
        beaten = 1 - missing[SIZE[others[trump] >> max(0, value)]]
        if led != trump:
            beaten *= missing[SIZE[others[led]]]  # it must have none of the led character
            if value <= 0:
                beaten += 1 - missing[SIZE[others[led] >> strength]]
        return (1 - OVERTAKE_PROBABILITY * beaten) ** later


class _Stakes:
    """What a trick is worth to each seat, for the side of the seat to act."""

    __slots__ = (
        "_before",
        "_more",
        "_remaining",
        "_seat",
        "_sides",
        "_tallies",
        "_worth",
        "later",
        "loot",
    )

    def __init__(self, position: Position, worth: Worth, sides: int) -> None:
        seat = position.seat_to_act
        assert seat is not None, "expected a seat to act"
        self._seat = seat
        self._worth, self._sides = worth, sides
        self._tallies = tallies = position.tallies
        loot = sum([TALLY_WON[action] for action in position.trick])
        if not position.parameters.recycled_trumps:
            loot += TALLY[position.trumps[position.round - 1]]
        self.loot = loot
        """What the winner takes, as a tally."""
        self.later = position.active[len(position.trick) + 1 :]
        """The seats that act after this one."""
        self._remaining = GUILD_CARDS - (sum(tallies) + loot & GUILDS_MASK)
        self._more = LATER_CARD_POINTS * len(self.later)
        self._before: dict[int, float] = {}

    def gain(self, winner: int, won: int) -> float:
        """Return the gain if `winner` takes what the tally `won` has."""
        tallies, sides = self._tallies, self._sides
        own, seats = tallies[winner], len(tallies)
        partner = tallies[(winner + sides) % seats] if sides < seats else 0
        before = self._before.get(winner)
        if before is None:
            before = self._before[winner] = self._worth(own, partner, self._remaining)
        gain = self._worth(own + won, partner, self._remaining) - before + self._more
        return gain if (winner - self._seat) % sides == 0 else -gain / (sides - 1)


def _others(hands: Sequence[Sequence[int]], seat: int) -> tuple[int, int, int, int]:
    """Return the cards in all hands but that of `seat`, as a set for each character."""
    aldo = pietra = enzo = ugo = 0
    for other, hand in enumerate(hands):
        if other != seat:
            first, second, third, fourth = hand
            aldo |= first
            pietra |= second
            enzo |= third
            ugo |= fourth
    return aldo, pietra, enzo, ugo
