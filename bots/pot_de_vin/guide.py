"""What a search knows of Pot de Vin: seats play as `planner` does, computed much faster.

It reads the position of the engine, in which a hand is four sets of cards, one a character, and
what a seat has won is one number, its tally.
"""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

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
from engine.pot_de_vin.cards import CHARACTER, GEM_TALLY, GUILDS, INDEX, KIND_BITS, TALLY
from engine.pot_de_vin.cards import POT_DE_VIN as POTS
from engine.pot_de_vin.position import NOT_LED, Position
from engine.pot_de_vin.rules import legal_actions
from engine.pot_de_vin.state import PotDeVinState

TEMPERATURE = 1.2
"""The points that make an action likelier by a factor of e."""
NOISE_POINTS = 1.5
"""The greatest error of a seat in a simulated game, in points."""
LEAD_SCALE = 8.0
"""The lead in points that is worth three quarters of a sure win, without regard to places."""
LEAD_SCALE_OF_ROUND = 3.0
"""The same for expected points, for the square root of the number of rounds left."""
MIN_ROUNDS_LEFT = 3
"""The last rounds are simulated to the end."""
BELIEF_TEMPERATURE = 2.0
"""As `TEMPERATURE`, for what others have played: they may value actions in another way."""
ERROR_PROBABILITY = 0.3
"""The probability that another seat has played by chance."""
PLACE_WEIGHT = 0.7
"""The part of the value of a finished game that depends on places only."""

_VALUES = 13
_MASK = (1 << KIND_BITS) - 1
_JOKERS = len(GUILDS) * KIND_BITS
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
_OTHER_POINTS = [
    FLAT_POINTS["joker"] * (four & _MASK)
    + FLAT_POINTS["bonus"] * (four >> KIND_BITS & _MASK)
    + FLAT_POINTS["penalty"] * (four >> 2 * KIND_BITS & _MASK)
    + (*POT_DE_VIN_POINTS, 0, 0, 0)[four >> 3 * KIND_BITS]
    for four in range(1 << 4 * KIND_BITS)
]
"""Points of the numbers of joker, bonus, penalty and Pot de Vin cards."""


_HAND_POINTS = [
    CARD_VALUE_POINTS * sum([value for value in range(1, _VALUES + 1) if suit >> value - 1 & 1])
    for suit in range(1 << _VALUES)
]
"""By suit of a hand: what its cards are worth until they are played."""


class Worth:
    """The expected points of tallies at the end of the game, as `ForecastEvaluation` has them."""

    def __init__(self, seats: int, teamed: bool) -> None:
        self._forecast = forecast(seats, teamed)
        self._columns: dict[int, float] = {}
        """By own, partner's and remaining symbols of three guilds: their expected points."""

    def __call__(self, own: int, partner: int, remaining: int) -> float:
        """Return the expected points of a tally, given that of the partner and the guild cards."""
        low = own & 511 | (partner & 511) << 9 | (remaining & 511) << 18
        high = own >> 9 & 511 | partner & 511 << 9 | remaining >> 9 << 18
        columns = self._columns
        try:
            guilds = columns[low] + columns[high]
        except KeyError:
            guilds = self._add(low) + self._add(high)
        return guilds + _OTHER_POINTS[own >> _JOKERS & 4095] + (own >> _GEMS)

    def of_others(self, own: int) -> float:
        """Return the expected points of all but the guild cards of a tally."""
        return _OTHER_POINTS[own >> _JOKERS & 4095] + (own >> _GEMS)

    def _add(self, key: int) -> float:
        points = 0.0
        for guild in range(3):
            own, partner, remaining = [key >> 9 * part + 3 * guild & _MASK for part in range(3)]
            points += self._forecast[own][partner][min(remaining, MAX_REMAINING)]
        self._columns[key] = points
        return points


class PotDeVinGuide(Guide):
    """Values actions by the expected points of the trick, for the side that wins it."""

    rounds_played_on: ClassVar[int] = 1
    """The rounds that are simulated beyond the tree, before expected points count."""
    recalled_actions: ClassVar[int] = 6
    """The last actions that a world should explain."""
    max_worlds: ClassVar[int] = 128

    def __init__(self, variant: Variant) -> None:
        self._sides = len(variant.sides)
        self._seats = variant.seats
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

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the chances of the sides by their expected points, some rounds after the tree."""
        assert isinstance(state, PotDeVinState)
        position = state.position
        if position.trick or steps < self.rounds_played_on * self._seats:
            return None
        left = position.parameters.rounds - position.round + 1
        if not position.round or left < MIN_ROUNDS_LEFT:
            return None
        tallies, hands, seats = position.tallies, position.hands, self._seats
        remaining = _GUILD_CARDS - (sum(tallies) & _GUILDS_MASK)
        points = []
        for side in range(self._sides):
            mate = tallies[side + self._sides] if self._teamed else 0
            expected = self._worth(tallies[side], mate, remaining) + self._worth.of_others(mate)
            for seat in range(side, seats, self._sides):
                for suit in hands[seat]:
                    expected += _HAND_POINTS[suit]
            points.append(expected)
        return self._chances(points, LEAD_SCALE_OF_ROUND * math.sqrt(left))

    def _chances(self, points: Sequence[float], scale: float) -> list[float]:
        """Return for each side the mean chance to get more points than another one."""
        values = []
        for own in points:
            # The side itself adds 0 to the sum.
            ahead = sum([math.tanh((own - other) / (2 * scale)) for other in points])
            values.append(0.5 + ahead / (2 * (self._sides - 1)))
        return values

    def likelihood(self, world: State) -> float:
        """Return how likely the others would have played their last actions with these hands."""
        assert isinstance(world, PotDeVinState)
        position = world.position
        likelihood = 1.0
        for earlier, action in islice(_rewind(position), self.recalled_actions):
            if earlier.seat_to_act == position.seat_to_act:
                continue
            legal = legal_actions(earlier)
            if len(legal) > 1:
                values = self._trick_values(earlier, legal)
                best = max(values)
                weights = [math.exp((value - best) / BELIEF_TEMPERATURE) for value in values]
                share = weights[legal.index(action)] / sum(weights)
                likelihood *= ERROR_PROBABILITY / len(legal) + (1 - ERROR_PROBABILITY) * share
        return likelihood

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
        """Return the expected points of each play or pass, as in `planner`."""
        seat, trick, tallies, hands = (
            position.seat_to_act,
            position.trick,
            position.tallies,
            position.hands,
        )
        assert seat is not None
        active, sides, worth, seats = position.active, self._sides, self._worth, len(tallies)
        loot = sum([TALLY_WON[action] for action in trick])
        trump_card = position.trumps[position.round - 1]
        if not position.parameters.recycled_trumps:
            loot += TALLY[trump_card]
        remaining = _GUILD_CARDS - (sum(tallies) + loot & _GUILDS_MASK)
        partners = [tallies[(one + sides) % seats] if self._teamed else 0 for one in range(seats)]
        later = active[len(trick) + 1 :]
        more = LATER_CARD_POINTS * len(later)
        overtaken = 0.0
        for one in later:
            own, partner = tallies[one], partners[one]
            gain = worth(own + loot, partner, remaining) - worth(own, partner, remaining) + more
            overtaken += gain if (one - seat) % sides == 0 else -gain / (sides - 1)
        overtaken /= len(later) or 1
        trump, led, strength, winner = CHARACTER[trump_card], position.led, 0, seat
        others = _others(hands, seat)
        holds = 1.0
        if led != NOT_LED:
            strengths = _STRENGTHS[trump][led]
            reached = [strengths[action] for action in trick]
            strength = max(reached)
            winner = active[reached.index(strength)]
            holds = self._hold(strength, led, trump, others, len(later))
        mine, my_partner, theirs, their_partner = (
            tallies[seat],
            partners[seat],
            tallies[winner],
            partners[winner],
        )
        factor = 1.0 if (winner - seat) % sides == 0 else -1 / (sides - 1)
        my_worth = worth(mine, my_partner, remaining) - more
        their_worth = worth(theirs, their_partner, remaining) - more
        aldo, pietra, enzo, ugo = hands[seat]
        is_last = SIZE[aldo] + SIZE[pietra] + SIZE[enzo] + SIZE[ugo] == 1
        values = []
        for action in legal:
            won = loot + TALLY_WON[action]
            character = SUIT_BIT[action][0] if led == NOT_LED else led
            own = _STRENGTHS[trump][character][action]
            if own > strength:
                stays = self._hold(own, character, trump, others, len(later))
                gain = worth(mine + won, my_partner, remaining) - my_worth
            else:
                stays = holds
                gain = factor * (worth(theirs + won, their_partner, remaining) - their_worth)
            value = stays * gain + (1 - stays) * overtaken
            values.append(value if is_last else value - _COST[action])
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


def _rewind(position: Position) -> Iterator[tuple[Position, str]]:
    """Yield the position before each past action and that action, the last one first.

    The same object is yielded each time, with what the values of actions depend on.
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
