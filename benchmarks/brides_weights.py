"""Measures what each weight gains in Brides & Bribes, for the weights that `champion` plays by.

    python -m benchmarks.brides_weights --games 2000

In each game all seats play as `doge` does, but each has all its weights changed by chance, around
those of `champion`. The places at the end are regressed on these changes, so each game measures
all weights at once: with a thousand games, the error of an effect is about 0.01 of a place. A step
against the effects, and a new measurement around it, leads to better weights. `--start doge`
measures around the weights of `doge`.
"""

import argparse
import math
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from tqdm import tqdm

from arena.rating.board_result import placement_scores
from benchmarks.ladder import table, variants_of
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.weights import TUNED, Weights
from engine import get_variant
from engine.brides_and_bribes.state import BridesAndBribesState

STARTS = {"champion": TUNED, "doge": Weights()}
FACTOR = 0.3
"""The standard deviation of the logarithm of a changed factor."""
ADDED: Final = {
    "first_marriage": 1.5,
    "patience": 0.4,
    "urgency": 1.0,
    "early_marriages": 0.25,
    "second_brides": 0.6,
    "declared_marriages": 0.6,
    "early_tokens": 0.08,
    "declared_hires": 0.3,
    "delegations": 0.3,
    "asking": 0.35,
    "guides": 0.1,
}
"""The standard deviations of what is added to the other weights."""


class Seat(NamedTuple):
    """How the weights of a seat differ from the mean of the others, and its place."""

    changes: Sequence[float]
    """In standard deviations, in the order of the fields of `Weights`."""
    place: float
    """From -1 to 1."""


def changed(start: Weights, changes: Sequence[float]) -> Weights:
    """Return the weights after `changes`, which are standard deviations."""
    names = Weights.__struct_fields__
    values = {}
    for name, change in zip(names, changes, strict=True):
        value = getattr(start, name)
        added = ADDED.get(name)
        values[name] = (
            value * math.exp(FACTOR * change) if added is None else value + added * change
        )
    return Weights(**values)


def play(number: int, start: Weights, seed: int) -> list[Seat]:
    """Play the game of this number, and return its seats."""
    names = variants_of("brides-and-bribes")
    variant = get_variant(names[number % len(names)])
    rng = random.Random(f"brides weights {seed} {number}")
    state = variant.start(variant.deal(rng))
    assert isinstance(state, BridesAndBribesState)
    fields = len(Weights.__struct_fields__)
    changes = [[rng.gauss(0, 1) for _ in range(fields)] for _ in range(variant.seats)]
    models = [Model(variant.seats, changed(start, own)) for own in changes]
    while (seat := state.seat_to_act) is not None:
        legal = state.legal_actions()
        values = list(models[seat].values(state, legal))
        state.apply(legal[values.index(max(values))])
    others = variant.seats - 1
    scores = placement_scores(state.outcome().ranks, variant.sides)
    gaps = np.array(changes) - np.array(changes).mean(axis=0)
    places = [2 * score / others - 1 for score in scores]
    rows = (gaps * variant.seats / others).tolist()
    return [Seat(row, place) for row, place in zip(rows, places, strict=True)]


def effects(seats: Sequence[Seat]) -> tuple[list[float], list[float]]:
    """Return by weight what a standard deviation more adds to the place, and the errors."""
    changes = np.array([seat.changes for seat in seats])
    places = np.array([seat.place for seat in seats])
    inverse = np.linalg.inv(changes.T @ changes)
    found = inverse @ changes.T @ places
    errors = np.sqrt(np.diag(inverse)) * (places - changes @ found).std()
    return found.tolist(), errors.tolist()


def main() -> None:
    """Measure, and print a table, the largest effects first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=500, help="default: %(default)s")
    parser.add_argument("--start", choices=STARTS, default="champion", help="whose weights")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    start = STARTS[options.start]
    fields = Weights.__struct_fields__
    if 2 * options.games < len(fields):
        parser.error(f"{len(fields)} weights need at least {len(fields) // 2 + 1} games")
    playing = partial(play, start=start, seed=options.seed)
    with ProcessPoolExecutor(options.workers) as pool:
        played = pool.map(playing, range(options.games), chunksize=5)
        seats = [seat for game in tqdm(played, total=options.games) for seat in game]
    found, errors = effects(seats)
    rows = []
    for name, effect, error in sorted(
        zip(fields, found, errors, strict=True), key=lambda row: -abs(row[1] / row[2])
    ):
        rows.append((name, f"{getattr(start, name):.3g}", f"{effect:+.3f}", f"{error:.3f}"))
    print(table(("weight", "value", "effect", "error"), rows))


if __name__ == "__main__":
    main()
