"""Measures what goods are worth in Brides & Bribes, for the forecast that the search uses.

    python -m benchmarks.brides_forecast --games 60

`doge` plays games. In some positions the game is played on twice, from the same world: once with
the action of `doge`, and once with another one, drawn by chance. Both are played to the end by
`doge`. The difference of the places at the end is regressed on the difference of the goods at the
next pause. Since the action is drawn, these weights say what goods cause. Goods that only go with
winning (as characters do, which a seat that could not marry has more of) get none. The weights are
drawn towards those of the forecast by ridge regression, as if those had been measured too.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from arena.rating.board_result import placement_scores
from benchmarks.ladder import table, variants_of
from bots.brides_and_bribes.forecast import (
    GOODS,
    PAUSES,
    WEIGHTS,
    WEIGHTS_BEFORE,
    goods_of,
    rounds_left,
)
from bots.brides_and_bribes.model import Model
from engine import get_variant
from engine.brides_and_bribes.state import BridesAndBribesState

TRIED = 0.12
"""The part of positions in which another action is tried."""
ERRORS = 0.05
"""The part of random actions in the games, which brings more kinds of positions."""
SLOPE = 0.25
"""The change of a chance near one half, by the change of the logarithm of its odds."""
RIDGE = 0.3
"""The weight of the forecast's own weights, in units of the measurements."""


class Row(NamedTuple):
    """The differences that an action makes for a seat, compared with the mean of the others."""

    left: float
    """The part of the game that is left, as `rounds_left` says."""
    goods: Sequence[float]
    place: float
    """From -1 to 1."""


class Branch(NamedTuple):
    """What came of an action: by seat, the goods at the next pause and the place at the end."""

    left: float
    goods: Sequence[Sequence[float]]
    places: Sequence[float]


def best(model: Model, state: BridesAndBribesState, legal: Sequence[str]) -> str:
    """Return the action of `doge`."""
    values = list(model.values(state, legal))
    return legal[values.index(max(values))]


def play_on(state: BridesAndBribesState, action: str, model: Model) -> Branch | None:
    """Play `action` and the rest of the game; None if the game ends before the next pause."""
    state.apply(action)
    goods: Sequence[Sequence[float]] = ()
    left = 0.0
    while state.seat_to_act is not None:
        if not goods and state.position.window in PAUSES:
            goods, left = goods_of(state.position), rounds_left(state.position)
        state.apply(best(model, state, state.legal_actions()))
    sides = state.variant.sides
    scores = placement_scores(state.outcome().ranks, sides)
    return Branch(left, goods, [score / (len(sides) - 1) for score in scores]) if goods else None


def rows_of(one: Branch, other: Branch) -> Iterator[Row]:
    """Yield the row of each seat."""
    goods = np.array(one.goods) - np.array(other.goods)
    places = np.array(one.places) - np.array(other.places)
    seats = len(places)
    for seat in range(seats):
        rest = (goods.sum(axis=0) - goods[seat]) / (seats - 1)
        yield Row(one.left, (goods[seat] - rest).tolist(), float(places[seat]))


def play(seed: int, number: int) -> list[Row]:
    """Return the rows of the game of this number."""
    names = variants_of("brides-and-bribes")
    variant = get_variant(names[number % len(names)])
    rng = random.Random(f"brides forecast {seed} {number}")
    model = Model(variant.seats)
    state = variant.start(variant.deal(rng))
    assert isinstance(state, BridesAndBribesState)
    rows: list[Row] = []
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        usual = best(model, state, legal)
        if rng.random() < TRIED:
            world = state.clone()
            other = rng.choice([action for action in legal if action != usual])
            branches = [play_on(world.clone(), action, model) for action in (usual, other)]
            if branches[0] and branches[1]:
                rows += rows_of(branches[0], branches[1])
        state.apply(rng.choice(legal) if rng.random() < ERRORS else usual)
    return rows


def fit(rows: Sequence[Row], ridge: float = RIDGE) -> tuple[list[float], list[float], list[float]]:
    """Return the weights by good in the last round, what more rounds add, and standard errors.

    `ridge` binds them to the forecast's own. The errors are those of the first weights without it.
    """
    goods = np.array([row.goods for row in rows])
    left = np.array([[row.left] for row in rows])
    features = SLOPE * np.hstack([goods, left * goods])
    places = np.array([row.place for row in rows])
    before = np.array([*WEIGHTS, *WEIGHTS_BEFORE])
    squares = features.T @ features
    bonds = ridge * len(rows) * np.diag(features.var(axis=0))
    weights = before + np.linalg.solve(squares + bonds, features.T @ (places - features @ before))
    errors = np.sqrt(np.diag(np.linalg.pinv(squares)) * places.var())
    count = len(GOODS)
    return weights[:count].tolist(), weights[count:].tolist(), errors[:count].tolist()


def main() -> None:
    """Measure, and print the weights beside those of the forecast."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=60, help="games in which actions are tried")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        played = pool.map(partial(play, options.seed), range(options.games))
        rows = [row for game in tqdm(played, total=options.games) for row in game]
    if len(rows) < 2 * len(GOODS):
        parser.error(f"{options.games} games have only {len(rows)} rows; play more")
    now, more, errors = fit(rows)
    columns = zip(GOODS, WEIGHTS, now, errors, WEIGHTS_BEFORE, more, strict=True)
    cells = [[good, *[f"{number:.3f}" for number in numbers]] for good, *numbers in columns]
    print(table(("good", "weight", "measured", "error", "before", "measured"), cells))


if __name__ == "__main__":
    main()
