"""Workloads in the engine alone, and in OpenSpiel, whose hearts they are compared with."""

import importlib
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from arena.bench.figures import COMPILED, PLAIN
from arena.bench.timing import Workload
from engine import State, Variant, variants


def build_of_games() -> str:
    """Return how the games were built: compiled, or plain Python."""
    variant = next(iter(variants().values()))
    state = variant.start(variant.deal(random.Random(1)))
    file = sys.modules[type(state).__module__].__file__ or ""
    return PLAIN if file.endswith(".py") else COMPILED


def playouts(variant: Variant, number: int) -> Workload:
    """Return `number` random games in the engine, timed per decision."""
    deals = [variant.deal(random.Random(each)) for each in range(number)]
    rng = random.Random(1)

    def workload() -> float:
        decisions = 0
        begin = time.process_time()
        for deal in deals:
            state = variant.start(deal)
            while state.seat_to_act is not None:
                state.apply(rng.choice(state.legal_actions()))
                decisions += 1
            state.outcome()
        return (time.process_time() - begin) / decisions

    return workload


def decisions_of_a_game(variant: Variant, games: int) -> float:
    """Return the mean number of decisions of random games."""
    rng = random.Random(1)
    decisions = 0
    for each in range(games):
        state = variant.start(variant.deal(random.Random(each)))
        while state.seat_to_act is not None:
            state.apply(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions / games


def determinize(variant: Variant, games: int) -> Workload:
    """Return calls of `determinize` at each decision of random games, timed per call.

    Each seat gets its view and its events at its turns, as from a referee.
    """
    moments = [moment for each in range(games) for moment in _moments(variant, each)]
    rng = random.Random(1)

    def workload() -> float:
        begin = time.process_time()
        for state, seat in moments:
            state.determinize(seat, rng)
        return (time.process_time() - begin) / len(moments)

    return workload


def _moments(variant: Variant, seed: int) -> list[tuple[State, int]]:
    """Return a copy of the state, and the seat to act, at each decision of a random game."""
    rng = random.Random(seed)
    told = [0] * variant.seats
    found = []
    state = variant.start(variant.deal(rng))
    while (seat := state.seat_to_act) is not None:
        found.append((state.clone(), seat))
        state.view(seat)
        told[seat] += len(state.events(seat, told[seat]))
        state.apply(rng.choice(state.legal_actions()))
    return found


def open_spiel() -> Any:
    """Return the module of OpenSpiel, or None if it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def hearts(spiel: Any, number: int) -> Workload:
    """Return `number` random games of hearts in OpenSpiel, timed per decision.

    The loop is that of `playouts`. The games begin after their deal.
    """
    rng = random.Random(1)
    dealt = [deal_hearts(spiel, rng) for _ in range(number)]

    def workload() -> float:
        decisions = 0
        begin = time.process_time()
        for deal in dealt:
            state = deal.clone()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
            state.returns()
        return (time.process_time() - begin) / decisions

    return workload


def deal_hearts(spiel: Any, rng: random.Random) -> Any:
    """Return a state of hearts after the deal, before the first decision."""
    state = spiel.load_game("hearts").new_initial_state()
    while state.is_chance_node():
        outcomes: Sequence[int]
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, chances)[0])
    return state
