"""The exact values of endgames, against brute force, and the table of optimal play."""

import random
from collections.abc import Iterator
from itertools import islice, permutations
from statistics import fmean

import msgspec
import pytest

from benchmarks.endgame_solvers import (
    consistent_worlds,
    is_last_choice,
    is_open,
    payoff,
    solve_bribery,
    solve_pot_de_vin,
)
from benchmarks.endgames import (
    ENDGAMES,
    Answers,
    Endgame,
    answers,
    bots_for,
    choice,
    positions,
    rows_of,
)
from bots.pot_de_vin.memory import Memory
from bots.pot_de_vin.view import View
from engine import State, get_variant
from engine.bribery.state import BriberyState
from engine.pot_de_vin.state import PotDeVinState

LAST_CARDS, LAST_CHOICE, AGAINST_PLANNERS = ENDGAMES


def moments(variant_id: str, number: int) -> Iterator[State]:
    """Yield the states of a random game with more than one legal action."""
    rng = random.Random(number)
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(rng))
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        if len(legal) > 1:
            yield state.clone()
        state.apply(rng.choice(legal))


# -- Bribery --------------------------------------------------------------------------------------


def minimax(state: State, seat: int) -> float:
    """Return the value for `seat`, by looking at every course of the game."""
    if state.seat_to_act is None:
        return payoff(state, seat)
    values = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        values.append(minimax(child, seat))
    return (max if state.seat_to_act == seat else min)(values)


@pytest.mark.parametrize("number", range(4))
def test_the_last_cards_of_bribery_are_solved_as_by_brute_force(number: int) -> None:
    solved = 0
    for state in moments("bribery/2", number):
        assert isinstance(state, BriberyState)
        if sum(map(len, state.position.hands)) > 3 or not is_open(state):
            continue
        seat = state.seat_to_act
        assert seat is not None
        found = solve_bribery(state)
        assert list(found) == state.legal_actions()
        for action, value in found.items():
            child = state.clone()
            child.apply(action)
            assert value == minimax(child, seat)
        solved += 1
    assert solved


def test_bribery_is_not_solved_while_cards_are_hidden() -> None:
    state = next(moments("bribery/2", 0))
    assert isinstance(state, BriberyState)
    assert not is_open(state)
    with pytest.raises(ValueError, match="has hidden cards"):
        solve_bribery(state)


def test_nothing_is_hidden_where_bribery_counts_as_open() -> None:
    rng = random.Random(0)
    for state in moments("bribery/2", 1):
        assert isinstance(state, BriberyState)
        if is_open(state):
            redrawn = state.determinize(state.position.seat_to_act or 0, rng)
            assert isinstance(redrawn, BriberyState)
            assert redrawn.position.hands == state.position.hands


# -- Pot de Vin -----------------------------------------------------------------------------------

POT_DE_VIN = LAST_CHOICE.variants


def last_choices(variant_id: str) -> Iterator[PotDeVinState]:
    """Yield the last choices of random games."""
    for number in range(1_000):
        for state in moments(variant_id, number):
            assert isinstance(state, PotDeVinState)
            if is_last_choice(state):
                yield state


def first_game(endgame: Endgame) -> int:
    """Return the number of the first game with positions that differ in value."""
    return next(number for number in range(1_000) if list(positions(endgame, number, seed=0)))


def hidden_cards(state: PotDeVinState) -> tuple[object, ...]:
    """Return where the cards lie that the seat to act may not know."""
    position = state.position
    return *map(tuple, position.hands), position.trumps


def worlds_by_permutation(state: PotDeVinState) -> set[tuple[object, ...]]:
    """Return the hidden cards of all orders of the unseen cards that agree with the view."""
    seat = state.seat_to_act
    view = msgspec.convert(msgspec.to_builtins(state.view(seat)), View)
    memory = Memory(view)
    found = set()
    for order in permutations(memory.unseen):
        cards, world = list(order), state.clone()
        for other, size in enumerate(view.hand_sizes):
            if other != seat:
                hand = tuple([cards.pop() for _ in range(size)])
                if any(card.split("-")[0] in memory.lacks[other] for card in hand):
                    break
                world.position.give_hand(other, hand)
        else:
            if cards:
                world.position.trumps = (*world.position.trumps[: world.position.round], *cards)
            found.add(hidden_cards(world))
    return found


@pytest.mark.parametrize("variant_id", [one for one in POT_DE_VIN if "6" not in one])
def test_all_worlds_that_agree_with_the_view_are_found_once(variant_id: str) -> None:
    for state in islice(last_choices(variant_id), 4):
        worlds = [hidden_cards(world) for world in consistent_worlds(state)]
        assert len(worlds) == len(set(worlds))
        assert set(worlds) == worlds_by_permutation(state)


@pytest.mark.parametrize("variant_id", POT_DE_VIN)
def test_worlds_are_those_that_the_engine_draws(variant_id: str) -> None:
    rng = random.Random(0)
    state = next(last_choices(variant_id))
    seat = state.position.seat_to_act
    assert seat is not None
    worlds = [next_hand(world, seat) for world in consistent_worlds(state)]
    assert {next_hand(state.determinize(seat, rng), seat) for _ in range(300)} == set(worlds)


def next_hand(state: PotDeVinState, seat: int) -> tuple[int, ...]:
    """Return the hand of the seat after `seat`."""
    return tuple(state.position.hands[(seat + 1) % len(state.position.hands)])


@pytest.mark.parametrize("variant_id", POT_DE_VIN)
def test_the_value_of_a_last_choice_is_the_mean_over_worlds(variant_id: str) -> None:
    for state in islice(last_choices(variant_id), 4):
        seat = state.seat_to_act
        assert seat is not None
        for action, value in solve_pot_de_vin(state).items():
            results = []
            for world in consistent_worlds(state):
                world.apply(action)
                while world.seat_to_act is not None:
                    (only,) = world.legal_actions()
                    world.apply(only)
                results.append(payoff(world, seat))
            assert value == pytest.approx(fmean(results))


def test_an_earlier_choice_needs_to_know_how_the_others_reply() -> None:
    state = next(state for state, _ in positions(AGAINST_PLANNERS, first_game(AGAINST_PLANNERS), 0))
    assert isinstance(state, PotDeVinState)
    with pytest.raises(ValueError, match="expected a reply"):
        solve_pot_de_vin(state)
    first = solve_pot_de_vin(state, lambda world: world.legal_actions()[0])
    assert list(first) == state.legal_actions()


def test_pot_de_vin_is_not_solved_in_earlier_rounds() -> None:
    state = next(moments("pot-de-vin/3", 0))
    assert isinstance(state, PotDeVinState)
    with pytest.raises(ValueError, match="round 1 is not the last one with choices"):
        solve_pot_de_vin(state)


# -- the table ------------------------------------------------------------------------------------


def test_answers_count_what_bots_play_where_actions_differ_in_value() -> None:
    number = first_game(LAST_CHOICE)
    found = list(positions(LAST_CHOICE, number, seed=0))
    assert all(len(set(values.values())) > 1 for _, values in found)
    given = answers(LAST_CHOICE, ["planner", "greedy", "random"], 0, number)
    assert list(given) == ["planner", "greedy", "random"]
    for bot, (count, optimal, lost) in given.items():
        losses = [max(v.values()) - v[choice(bot, state, number)] for state, v in found]
        assert (count, optimal) == (len(found), sum(one < 1e-9 for one in losses))
        assert lost == pytest.approx(sum(losses))


def test_rows_are_in_the_order_of_optimal_play() -> None:
    games = [
        {"a": Answers(2, 1, 0.5), "b": Answers(2, 2, 0.0)},
        {"a": Answers(2, 1, 1.5), "b": Answers(2, 1, 0.4)},
    ]
    rows = rows_of(LAST_CHOICE, games)
    assert [row[1] for row in rows] == ["`b`", "`a`"]
    assert rows[0][2:] == ["4", "75% (1% to 100%)", "0.10"]
    assert rows[1][2] == "4"
    assert rows[1][4] == "0.50"


def test_a_game_without_positions_counts_nothing() -> None:
    (row,) = rows_of(LAST_CHOICE, [{"a": Answers()}, {"a": Answers()}])
    assert row == ["Pot de Vin, last choice", "`a`", "0", "-", "-"]


def test_only_bots_that_play_the_game_are_asked() -> None:
    assert bots_for(LAST_CARDS, ["planner", "fixer", "random"]) == ["fixer", "random"]
