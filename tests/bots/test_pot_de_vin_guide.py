"""Tests of the search guide for Pot de Vin: action values, expected points, fitted weights."""

import random
from collections.abc import Iterator

import pytest

from bots.pot_de_vin.guide import MIN_ROUNDS_LEFT, PotDeVinGuide
from bots.pot_de_vin.planner import CARD_VALUE_POINTS
from bots.pot_de_vin.trick_values import VALUE, TrickValues
from bots.pot_de_vin.weights import weights_of
from bots.pot_de_vin.worth import GUILD_CARDS, GUILDS_MASK, Worth
from engine import get_variant, variants
from engine.pot_de_vin.actions import PASS, TALLY_WON
from engine.pot_de_vin.cards import GEM_TALLY, TALLY
from engine.pot_de_vin.position import Position
from engine.state import GameState

POT_DE_VIN = [variant.id for variant in variants().values() if variant.game == "pot-de-vin"]
each_variant = pytest.mark.parametrize("variant_id", POT_DE_VIN)


def states(variant_id: str, seed: int) -> Iterator[GameState]:
    variant, rng = get_variant(variant_id), random.Random(seed)
    state = variant.start(variant.deal(rng))
    assert isinstance(state, GameState)
    while state.seat_to_act is not None:
        yield state
        state.apply(rng.choice(state.legal_actions()))


def remaining_in(position: Position) -> int:
    """Return the guild cards that no seat has won, as a tally."""
    return GUILD_CARDS - (sum(position.tallies) & GUILDS_MASK)


@each_variant
def test_gain_is_the_difference_of_two_worths(variant_id: str) -> None:
    worth, rng = Worth(weights_of(variant_id)), random.Random(2)
    cards = [*TALLY.values(), GEM_TALLY]
    for state in states(variant_id, 2):
        own, mate, *_ = state.position.tallies
        loot, remaining = sum(rng.sample(cards, 3)), remaining_in(state.position)
        more = worth(own + loot, mate, remaining) - worth(own, mate, remaining)
        # Twice, since what is not in the tables yet is computed in another way.
        assert [worth.gain(own, loot, mate, remaining) for _ in range(2)] == [more, more]
    fresh = Worth(weights_of(variant_id))
    assert fresh.gain(0, loot, 0, remaining) == worth(loot, 0, remaining) - worth(0, 0, remaining)


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "pot-de-vin/4", "pot-de-vin/5"])
def test_last_seat_values_a_trick_by_its_winner_gain(variant_id: str) -> None:
    variant = get_variant(variant_id)
    weights = weights_of(variant_id)
    values, worth = TrickValues(variant, weights), Worth(weights)
    compared = 0
    for state in states(variant_id, 2):
        position, legal = state.position, state.legal_actions()
        seat = position.seat_to_act
        if (
            seat is None
            or seat != position.active[-1]
            or sum(map(int.bit_count, position.hands[seat])) < 2
        ):
            continue
        for action, value in zip(legal, values(position, legal), strict=True):
            after = state.clone()
            after.apply(action)
            _, trick, winner = after.position.past_rounds[-1]
            card = TALLY[position.trumps[position.round - 1]]
            before = card + sum([TALLY_WON[card_won] for card_won in trick[:-1]])
            remaining = GUILD_CARDS - (sum(position.tallies) + before & GUILDS_MASK)
            won = worth(position.tallies[winner] + before + TALLY_WON[action], 0, remaining)
            gain = won - worth(position.tallies[winner], 0, remaining)
            sign = 1 if winner == seat else -1 / (variant.seats - 1)
            cost = 0 if action == PASS else CARD_VALUE_POINTS * VALUE[action]
            assert value == pytest.approx(sign * gain - cost)
            compared += 1
    assert compared > 20


@each_variant
def test_estimates_between_rounds_except_the_last(variant_id: str) -> None:
    guide = PotDeVinGuide(get_variant(variant_id))
    for state in states(variant_id, 4):
        position = state.position
        left = position.parameters.rounds - position.round + 1
        ends = bool(position.round) and not position.trick and left >= MIN_ROUNDS_LEFT
        assert (guide.estimate(state, 99) is not None) == ends
        assert guide.estimate(state, 0) is None
