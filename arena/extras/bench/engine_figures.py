"""Figures of the engine: playouts, OpenSpiel beside them, and `determinize`."""

import importlib
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from arena.extras.bench.figures import (
    COMPILED,
    PLAIN,
    BenchRow,
    Measured,
    Missing,
    Samples,
    Sizes,
    compared,
    over_loop,
)
from arena.extras.bench.timing import Workload, timed
from engine import State, Variant, get_variant, variants

DRAWN = 5
"""Random games from which the length of a game is estimated."""
NO_OPEN_SPIEL = Missing("needs OpenSpiel: pip install open_spiel")


def engine_figures(_: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the speed of random games, or the time of `determinize`, by variant.

    It is compared with hearts in OpenSpiel, played by a loop in Python, or with the Python loop.
    """
    spiel = open_spiel()
    for row in rows:
        variant = get_variant(row.what_of_group)
        found: Samples | Missing = NO_OPEN_SPIEL
        if row.group == "determinize":
            found = over_loop(determinize(variant, sizes.determinized), sizes.rounds)
        elif row.group == "playouts":
            by_decision = over_loop(playouts(variant, sizes.playouts), sizes.rounds)
            found = by_decision._replace(times=decisions_of_a_game(variant, DRAWN))
        elif spiel is not None:
            play = play_at_random if row.group == "hearts" else play_out
            own, other = playouts(variant, sizes.playouts, play), hearts(spiel, sizes.playouts)
            found = compared(own, other, "hearts of OpenSpiel", sizes.rounds)
        yield row.name, found


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


def play_out(variant: Variant, deals: Sequence[Any], rng: random.Random) -> int:
    """Play each deal by `State.play_out` to its outcome, and return the number of decisions."""
    decisions = 0
    for state in map(variant.start, deals):
        decisions += state.play_out(rng)
        state.outcome()
    return decisions


def playouts(variant: Variant, number: int, play: Callable[..., int] = play_at_random) -> Workload:
    """Return `number` random games in the engine, timed per decision."""
    deals, rng = _deals(variant, number), random.Random(1)
    return timed(lambda: play(variant, deals, rng), time.process_time)


def decisions_of_a_game(variant: Variant, games: int) -> float:
    """Return the mean number of decisions of random games."""
    return play_at_random(variant, _deals(variant, games), random.Random(1)) / games


def _deals(variant: Variant, number: int) -> list[Any]:
    return [variant.deal(random.Random(each)) for each in range(number)]


def determinize(variant: Variant, games: int) -> Workload:
    """Return calls of `determinize` at each decision of random games, timed per call."""
    seen = [moment for each in range(games) for moment in moments(variant, random.Random(each))]
    rng = random.Random(1)

    def work() -> int:
        for state, seat in seen:
            state.determinize(seat, rng)
        return len(seen)

    return timed(work, time.process_time)


def moments(variant: Variant, rng: random.Random) -> list[tuple[State, int]]:
    """Return the state and the seat of each decision of a random game.

    Each seat gets its view and its events at its turns, as from a referee. So the states hold what
    they keep from one turn to the next.
    """
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
    """Return `number` random games of hearts in OpenSpiel from the deal on, timed per decision."""
    rng = random.Random(1)
    dealt = [_deal_hearts(spiel, rng) for _ in range(number)]

    def work() -> int:
        decisions = 0
        for deal in dealt:
            state = deal.clone()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
            state.returns()
        return decisions

    return timed(work, time.process_time)


def _deal_hearts(spiel: Any, rng: random.Random) -> Any:
    """Return a state of hearts after the deal, before the first decision."""
    state = spiel.load_game("hearts").new_initial_state()
    while state.is_chance_node():
        outcomes: Sequence[int]
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, chances)[0])
    return state
