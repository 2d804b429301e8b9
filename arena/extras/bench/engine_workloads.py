"""Workloads in the engine alone, and in OpenSpiel, whose hearts they are compared with."""

import importlib
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from arena.extras.bench.figures import COMPILED, PLAIN
from arena.extras.bench.timing import Workload
from engine import State, Variant, variants


def build_of_games() -> str:
    """Return how the games were built: compiled, or plain Python."""
    variant = next(iter(variants().values()))
    state = variant.start(variant.deal(random.Random(1)))
    file = sys.modules[type(state).__module__].__file__ or ""
    return PLAIN if file.endswith(".py") else COMPILED


def play_at_random(variant: Variant, deals: Sequence[Any], rng: random.Random) -> int:
    """Play each deal at random to its outcome, and return the number of decisions."""
    decisions = 0
    for deal in deals:
        state = variant.start(deal)
        while state.seat_to_act is not None:
            state.apply(rng.choice(state.legal_actions()))
            decisions += 1
        state.outcome()
    return decisions


def playouts(variant: Variant, number: int) -> Workload:
    """Return `number` random games in the engine, timed per decision."""
    deals = [variant.deal(random.Random(each)) for each in range(number)]
    rng = random.Random(1)

    def workload() -> float:
        begin = time.process_time()
        decisions = play_at_random(variant, deals, rng)
        return (time.process_time() - begin) / decisions

    return workload


def play_out(variant: Variant, deals: Sequence[Any], rng: random.Random) -> int:
    """Play each deal by `State.play_out` to its outcome, and return the number of decisions."""
    decisions = 0
    for deal in deals:
        state = variant.start(deal)
        decisions += state.play_out(rng)
        state.outcome()
    return decisions


def played_out(variant: Variant, number: int) -> Workload:
    """Return `number` random games by `State.play_out`, timed per decision."""
    deals = [variant.deal(random.Random(each)) for each in range(number)]
    rng = random.Random(1)

    def workload() -> float:
        begin = time.process_time()
        decisions = play_out(variant, deals, rng)
        return (time.process_time() - begin) / decisions

    return workload


def decisions_of_a_game(variant: Variant, games: int) -> float:
    """Return the mean number of decisions of random games."""
    deals = [variant.deal(random.Random(each)) for each in range(games)]
    return play_at_random(variant, deals, random.Random(1)) / games


def determinize(variant: Variant, games: int) -> Workload:
    """Return calls of `determinize` at each decision of random games, timed per call."""
    seen = [moment for each in range(games) for moment in moments(variant, random.Random(each))]
    rng = random.Random(1)

    def workload() -> float:
        begin = time.process_time()
        for state, seat, _ in seen:
            state.determinize(seat, rng)
        return (time.process_time() - begin) / len(seen)

    return workload


def moments(variant: Variant, rng: random.Random) -> list[tuple[State, int, int]]:
    """Return each decision of a random game: state, seat, number of events it was told before.

    Each seat gets its view and its events at its turns, as from a referee. So the states hold what
    they keep from one turn to the next.
    """
    told = [0] * variant.seats
    found = []
    state = variant.start(variant.deal(rng))
    while (seat := state.seat_to_act) is not None:
        found.append((state.clone(), seat, told[seat]))
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


def play_hearts_at_random(dealt: Sequence[Any], rng: random.Random) -> int:
    """Do as `play_at_random` with states of hearts after the deal."""
    decisions = 0
    for deal in dealt:
        state = deal.clone()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        state.returns()
    return decisions


def hearts(spiel: Any, number: int) -> Workload:
    """Return `number` random games of hearts in OpenSpiel from the deal on, timed per decision."""
    rng = random.Random(1)
    dealt = [deal_hearts(spiel, rng) for _ in range(number)]

    def workload() -> float:
        begin = time.process_time()
        decisions = play_hearts_at_random(dealt, rng)
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
