"""What a search knows of Pot de Vin: values of actions, expected points, fitted weights."""

import random
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from benchmarks import pot_de_vin_decisions as comparing
from benchmarks import pot_de_vin_horizon as horizon
from benchmarks import pot_de_vin_weights as fitting
from benchmarks.pot_de_vin_weights import Example, goods_of, vector_of, weights_from
from bots.pot_de_vin.guide import MIN_ROUNDS_LEFT, PotDeVinGuide
from bots.pot_de_vin.planner import CARD_VALUE_POINTS
from bots.pot_de_vin.trick_values import VALUE, TrickValues
from bots.pot_de_vin.weights import weights_of, weights_of_planner
from bots.pot_de_vin.worth import GUILD_CARDS, GUILDS_MASK, Worth
from engine import get_variant, variants
from engine.pot_de_vin.actions import PASS, TALLY_WON
from engine.pot_de_vin.cards import CARDS, GEM, GEM_TALLY, KIND, TALLY
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.state import PotDeVinState

POT_DE_VIN = [variant.id for variant in variants().values() if variant.game == "pot-de-vin"]
each_variant = pytest.mark.parametrize("variant_id", POT_DE_VIN)


def states(variant_id: str, seed: int) -> Iterator[PotDeVinState]:
    """Yield the states of a game of random actions."""
    variant, rng = get_variant(variant_id), random.Random(seed)
    state = variant.start(variant.deal(rng))
    assert isinstance(state, PotDeVinState)
    while state.seat_to_act is not None:
        yield state
        state.apply(rng.choice(state.legal_actions()))


def remaining_in(position: Position) -> int:
    """Return the guild cards that no seat has won, as a tally."""
    return GUILD_CARDS - (sum(position.tallies) & GUILDS_MASK)


@each_variant
def test_steps_are_what_one_thing_more_adds_to_the_worth(variant_id: str) -> None:
    worth = Worth(weights_of(variant_id))
    for state in states(variant_id, 1):
        own, mate, *_ = state.position.tallies
        remaining = remaining_in(state.position)
        steps = worth.steps(own, mate, remaining)
        for card in CARDS:
            if KIND[card] < len(steps) and own >> 3 * KIND[card] & 7 < 7:
                more = worth(own + TALLY[card], mate, remaining) - worth(own, mate, remaining)
                assert steps[KIND[card]] == pytest.approx(more)
        assert steps[GEM] == pytest.approx(worth(GEM_TALLY, 0, remaining) - worth(0, 0, remaining))


@each_variant
def test_a_gain_is_the_difference_of_two_worths(variant_id: str) -> None:
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
def test_the_last_seat_values_a_trick_by_what_its_winner_gains(variant_id: str) -> None:
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
            before = card + sum([TALLY_WON[one] for one in trick[:-1]])
            remaining = GUILD_CARDS - (sum(position.tallies) + before & GUILDS_MASK)
            won = worth(position.tallies[winner] + before + TALLY_WON[action], 0, remaining)
            gain = won - worth(position.tallies[winner], 0, remaining)
            sign = 1 if winner == seat else -1 / (variant.seats - 1)
            cost = 0 if action == PASS else CARD_VALUE_POINTS * VALUE[action]
            assert value == pytest.approx(sign * gain - cost)
            compared += 1
    assert compared > 20


@each_variant
def test_expected_points_are_the_weights_of_all_that_a_side_has(variant_id: str) -> None:
    variant = get_variant(variant_id)
    guide, vector = PotDeVinGuide(variant), vector_of(weights_of(variant_id))
    for state in states(variant_id, 3):
        position = state.position
        if position.round and not position.trick:
            goods = np.array([goods_of(position, side) for side in range(len(variant.sides))])
            assert guide.expected_points(position) == pytest.approx(list(goods @ vector))


@each_variant
def test_a_simulated_game_ends_between_rounds_but_plays_out_the_last_ones(variant_id: str) -> None:
    guide = PotDeVinGuide(get_variant(variant_id))
    for state in states(variant_id, 4):
        position = state.position
        left = position.parameters.rounds - position.round + 1
        ends = bool(position.round) and not position.trick and left >= MIN_ROUNDS_LEFT
        assert (guide.estimate(state, 99) is not None) == ends
        assert guide.estimate(state, 0) is None


@each_variant
def test_fitted_weights_know_the_table_of_columns(variant_id: str) -> None:
    columns = weights_of(variant_id).columns
    points = [columns[own][0][0] for own in range(8)]  # when the guild has no card left
    assert max(points[4:6]) < points[0] < points[1] < points[2] < points[3] < points[7]


# -- how the weights are fitted -----------------------------------------------------------------


def test_weights_are_recovered_from_points_that_they_made() -> None:
    variant = get_variant("pot-de-vin/4-teams")
    start = vector_of(weights_of_planner(variant.seats, teamed=True))
    true = vector_of(weights_of(variant.id))
    found = list(examples_with(true, range(20)))
    fitted = fitting.fit(iter(found), start)
    assert fitting.explained(iter(found), start) < 0.6
    assert fitting.explained(iter(found), fitted) > 0.9


def examples_with(weights: fitting.Array, games: range) -> Iterator[Example]:
    """Yield positions whose sides get the points that `weights` say."""
    for number in games:
        for goods, _ in fitting.examples(get_variant("pot-de-vin/4-teams"), number, 0):
            yield Example(goods, goods @ weights)


def test_what_never_happened_keeps_its_weight() -> None:
    start = vector_of(weights_of_planner(3, teamed=False))
    assert fitting.fit(iter([]), start) == pytest.approx(start)


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "pot-de-vin/6-teams"])
def test_weights_are_the_same_as_a_vector(variant_id: str) -> None:
    weights = weights_of(variant_id)
    assert weights_from(vector_of(weights)) == weights


# -- where simulated games end ------------------------------------------------------------------


def test_games_to_the_end_have_most_noise_and_no_bias() -> None:
    found = horizon.measure("pot-de-vin/4", count=3, games=12, seed=0)
    assert [one.rounds for one in found] == [0, 1, 2, None]
    noise = [one.noise for one in found]
    assert noise == sorted(noise)
    assert found[-1].squared_bias == 0


def test_what_noise_explains_is_no_bias() -> None:
    rng = random.Random(1)
    found = []
    for _ in range(4000):
        true, wrong = rng.gauss(0, 1), rng.gauss(0, 0.5)
        told = [[true + wrong + rng.gauss(0, 1), true + rng.gauss(0, 2)] for _ in range(2)]
        halves = [[one[0]] * 3 + [one[1]] for one in told]
        found.append(horizon.Difference(*halves, noise=[10.0] * 3 + [40.0]))
    estimate, *_, end = horizon.summarize(found, games=20)
    assert estimate.squared_bias == pytest.approx(0.25, abs=0.15)
    assert estimate.squared_difference == pytest.approx(1, abs=0.2)
    assert end.row("pot-de-vin/3")[1] == "the end of the game"


# -- what more simulated games gain ---------------------------------------------------------------


def test_a_search_with_more_games_is_compared_with_the_first_one() -> None:
    variant = get_variant("pot-de-vin/3")
    searchers = [(PotDeVinGuide(variant), games) for games in (1, 8, 1)]
    found = [*islice(comparing.decisions(variant, searchers, games=6, seed=1), 12)]
    assert found == [*islice(comparing.decisions(variant, searchers, games=6, seed=1), 12)]
    for one in found:
        assert set(one.places) in (set(), set(one.chosen))
        assert all(0 <= place <= 1 for place in one.places.values())
    first, longer, same = comparing.summarize(found)
    assert first[1:] == same[1:] == (0, 0, 0)
    assert longer.others > 0
    assert longer.mean == pytest.approx(sum([one.gain(1) for one in found]) / len(found))


def test_actions_can_be_chosen_and_tried_with_the_true_cards() -> None:
    variant = get_variant("pot-de-vin/3")
    searchers = [(PotDeVinGuide(variant), 1), (comparing.Clairvoyant(variant), 20)]
    found = [*islice(comparing.decisions(variant, searchers, 4, 1, true_cards=True), 8)]
    assert any(one.places for one in found)
    state = next(states(variant.id, 3))
    assert state.seat_to_act is not None
    world = comparing.Clairvoyant(variant).draw(state, state.seat_to_act, random.Random(1))
    assert [world.view(seat) for seat in range(3)] == [state.view(seat) for seat in range(3)]


def test_the_place_after_an_action_is_that_of_its_side() -> None:
    variant, rng = get_variant("pot-de-vin/4-teams"), random.Random(2)
    guide = PotDeVinGuide(variant)
    for state in states(variant.id, 6):
        left = state.position.parameters.rounds - state.position.round
        if left or len(state.position.trick) < len(state.position.active) - 1:
            continue
        action = state.legal_actions()[0]
        after, seat = state.clone(), state.seat_to_act
        after.apply(action)
        assert seat is not None
        assert after.seat_to_act is None
        ranks = after.outcome().ranks
        expected = {-1: 1.0, 0: 0.5, 1: 0.0}[ranks[seat] - ranks[1 - seat % 2]]
        assert comparing.place_after(action, [state], [7], guide) == expected
        worlds = comparing.likely_worlds(guide, state, 3, rng)
        assert all(world.position.hands[seat] == state.position.hands[seat] for world in worlds)
        return
    pytest.fail("expected a last decision")
