"""Figures of the engine: playouts, OpenSpiel beside them, and `determinize`."""

from collections.abc import Callable, Iterator, Sequence

from arena.extras.bench.engine_workloads import (
    decisions_of_a_game,
    determinize,
    hearts,
    open_spiel,
    playouts,
)
from arena.extras.bench.figures import Measured, Missing, Row, Samples, inverse, ratios
from arena.extras.bench.sizes import Sizes
from arena.extras.bench.timing import LOOP, Workload, in_turn, python_loop
from engine import Variant, get_variant

DRAWN = 5
"""Random games from which the length of a game is estimated."""


def playout_figures(rows: Sequence[Row], sizes: Sizes) -> Iterator[Measured]:
    """Yield the games a second that the engine plays at random, by variant."""
    for row in rows:
        variant = get_variant(_variant(row))
        workloads = {"own": playouts(variant, sizes.playouts), LOOP: python_loop()}
        times = in_turn(workloads, sizes.rounds)
        decisions = decisions_of_a_game(variant, DRAWN)
        games = [1 / (own * decisions) for own in times["own"]]
        yield row.name, Samples(games, ratios(times[LOOP], times["own"]), LOOP)


def hearts_figures(
    rows: Sequence[Row], sizes: Sizes, own: Callable[[Variant, int], Workload]
) -> Iterator[Measured]:
    """Yield the decisions a second of random games over those of hearts in OpenSpiel.

    Hearts is played by a loop in Python, and our games by `own`, such as `playouts`.
    """
    spiel = open_spiel()
    for row in rows:
        if spiel is None:
            yield row.name, Missing("needs OpenSpiel: pip install open_spiel")
            continue
        variant = get_variant(_variant(row))
        workloads = {
            "own": own(variant, sizes.playouts),
            "hearts": hearts(spiel, sizes.playouts),
        }
        times = in_turn(workloads, sizes.rounds)
        rate = ratios(times["hearts"], times["own"])
        yield row.name, Samples(inverse(times["own"]), rate, "hearts of OpenSpiel")


def determinize_figures(rows: Sequence[Row], sizes: Sizes) -> Iterator[Measured]:
    """Yield the time of a call of `determinize`, by variant."""
    for row in rows:
        variant = get_variant(_variant(row))
        workloads = {"own": determinize(variant, sizes.determinized), LOOP: python_loop()}
        times = in_turn(workloads, sizes.rounds)
        us = [1e6 * own for own in times["own"]]
        yield row.name, Samples(us, ratios(times["own"], times[LOOP]), LOOP)


def _variant(row: Row) -> str:
    return row.name.partition("/")[2]
