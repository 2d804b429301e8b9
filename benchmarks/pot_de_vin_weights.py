"""Weights of cards and columns in Pot de Vin, fitted to games in which all seats play alike.

    python -m benchmarks.pot_de_vin_weights --games 3000 --write

plays games in each variant as `champion` lets seats play in simulated games, and fits the points at
the end to what each side has when a round begins: columns, other cards won, gems, its hand. Only
the differences between the sides of a position count. Weights of what rarely happens stay near
those of `planner`. `--write` writes them to `bots/pot_de_vin/weights.json`, for `champion`. It
prints how much of the differences the weights explain in games that they were not fitted to.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bots.pot_de_vin.cards import VALUES
from bots.pot_de_vin.evaluation import MAX_REMAINING, MAX_SYMBOLS
from bots.pot_de_vin.guide import PotDeVinGuide
from bots.pot_de_vin.weights import FILE, Weights, weights_of_planner
from bots.pot_de_vin.worth import GUILD_CARDS, GUILDS_MASK
from engine import Variant, get_variant
from engine.pot_de_vin.cards import BONUS, GEM, GUILDS, JOKER, KIND_BITS, PENALTY, POT_DE_VIN
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.scoring import count
from engine.pot_de_vin.state import PotDeVinState

Array = np.ndarray[Any, np.dtype[np.float64]]

VARIANTS = tuple(f"pot-de-vin/{name}" for name in ("3", "4", "5", "4-teams", "6-teams"))
MIN_ROUNDS_LEFT = 3
"""Shorter games are simulated to their end."""
ERROR_PROBABILITY = 0.03
"""The probability that a seat plays by chance, so that unusual positions occur."""
RIDGE = 20.0
"""How strongly weights are drawn towards those of `planner`, in rows."""
TEST_SHARE = 5
"""Of this number of games, one is for testing."""
POSITIONS_AT_ONCE = 2_000

COLUMNS = MAX_SYMBOLS * MAX_SYMBOLS * (MAX_REMAINING + 1)
FLAT = (JOKER, BONUS, PENALTY, GEM)
POTS = COLUMNS + len(FLAT)
CARDS = POTS + 5
LENGTH = CARDS + len(VALUES)
"""The parts of a vector of weights: columns, flat points, numbers of Pot de Vin cards, hand."""


class Example(NamedTuple):
    """What each side has in a position, and the points that it gets, both less their means."""

    goods: Array
    points: Array


def goods_of(position: Position, side: int) -> list[int]:
    """Return how often a side has what each weight is for."""
    goods = [0] * LENGTH
    seats = position.parameters.sides[side]
    tallies = [position.tallies[seat] for seat in seats]
    remaining = GUILD_CARDS - (sum(position.tallies) & GUILDS_MASK)
    for guild in range(len(GUILDS)):
        mate = count(tallies[1], guild) if len(tallies) > 1 else 0
        goods[_column(count(tallies[0], guild), mate, count(remaining, guild))] += 1
    for tally in tallies:
        for place, kind in enumerate(FLAT[:-1], COLUMNS):
            goods[place] += count(tally, kind)
        goods[POTS - 1] += tally >> GEM * KIND_BITS
        goods[POTS + count(tally, POT_DE_VIN)] += 1
    for suit in chain.from_iterable([position.hands[seat] for seat in seats]):
        for place in range(len(VALUES)):
            goods[CARDS + place] += suit >> place & 1
    return goods


def _column(one: int, other: int, remaining: int) -> int:
    high, low = max(one, other), min(one, other)
    return (high * MAX_SYMBOLS + low) * (MAX_REMAINING + 1) + remaining


def examples(variant: Variant, number: int, seed: int) -> Iterator[Example]:
    """Play a game, and yield what it says of each position at the beginning of a round."""
    rng = random.Random(f"weights {seed} {variant.id} {number}")
    guide = PotDeVinGuide(variant, weights_of_planner(variant.seats, variant.teams is not None))
    state = variant.start(variant.deal(rng))
    assert isinstance(state, PotDeVinState)
    sides = range(len(variant.sides))
    found: list[Array] = []
    while state.seat_to_act is not None:
        position, legal = state.position, state.legal_actions()
        left = position.parameters.rounds - position.round + 1
        if position.round and not position.trick and left >= MIN_ROUNDS_LEFT:
            found.append(np.array([goods_of(position, side) for side in sides], float))
        by_chance = rng.random() < ERROR_PROBABILITY
        state.apply(rng.choice(legal) if by_chance else guide.play(state, legal, rng))
    points = np.array(state.outcome().points[: len(sides)], float)
    for goods in found:
        yield Example(goods - goods.mean(axis=0), points - points.mean())


def fit(found: Iterator[Example], start: Array) -> Array:
    """Return the weights that explain the points best, near those to start with."""
    square, product = RIDGE * np.eye(LENGTH), np.zeros(LENGTH)
    rows: list[Example] = []
    for example in found:
        rows.append(example)
        if len(rows) == POSITIONS_AT_ONCE:
            _add(rows, start, square, product)
            rows.clear()
    if rows:
        _add(rows, start, square, product)
    return start + np.linalg.solve(square, product)


def _add(rows: Sequence[Example], start: Array, square: Array, product: Array) -> None:
    goods = np.concatenate([row.goods for row in rows])
    missing = np.concatenate([row.points for row in rows]) - goods @ start
    used = np.flatnonzero(goods.any(axis=0))  # most numbers of symbols never occur together
    goods = goods[:, used]
    square[np.ix_(used, used)] += goods.T @ goods
    product[used] += goods.T @ missing


def explained(found: Iterator[Example], weights: Array) -> float:
    """Return the part of the squared differences in points that the weights explain."""
    unexplained = whole = 0.0
    for goods, points in found:
        unexplained += float(((points - goods @ weights) ** 2).sum())
        whole += float((points**2).sum())
    return 1 - unexplained / whole


def vector_of(weights: Weights) -> Array:
    """Return weights as a vector."""
    vector = np.zeros(LENGTH)
    for high in range(MAX_SYMBOLS):
        for low in range(high + 1):
            for remaining in range(MAX_REMAINING + 1):
                vector[_column(high, low, remaining)] = weights.columns[high][low][remaining]
    vector[COLUMNS:POTS] = weights.joker, weights.bonus, weights.penalty, weights.gem
    vector[POTS:CARDS] = weights.pots
    vector[CARDS:] = weights.cards
    return vector


def weights_from(vector: Array) -> Weights:
    """Return the weights of a vector, rounded."""
    numbers = [round(float(number), 2) for number in vector]
    sizes, lefts = range(MAX_SYMBOLS), range(MAX_REMAINING + 1)
    columns = [[[numbers[_column(a, b, left)] for left in lefts] for b in sizes] for a in sizes]
    joker, bonus, penalty, gem = numbers[COLUMNS:POTS]
    pots = [round(number - numbers[POTS], 2) for number in numbers[POTS:CARDS]]
    return Weights(columns, joker, bonus, penalty, gem, pots, numbers[CARDS:])


def measure(variant_id: str, games: int, seed: int) -> Weights:
    """Fit the weights of a variant, and tell how good they are."""
    variant = get_variant(variant_id)
    start = vector_of(weights_of_planner(variant.seats, variant.teams is not None))
    tested = range(0, games, TEST_SHARE)
    fitted = [number for number in range(games) if number not in tested]
    weights = weights_from(fit(_all(variant, fitted, seed), start))
    shares = [explained(_all(variant, tested, seed), one) for one in (start, vector_of(weights))]
    print(f"{variant_id}: explained by `planner` {shares[0]:.1%}, now {shares[1]:.1%}", flush=True)
    return weights


def _all(variant: Variant, numbers: Sequence[int], seed: int) -> Iterator[Example]:
    return chain.from_iterable([examples(variant, number, seed) for number in numbers])


def main() -> None:
    """Fit the weights of all variants, and print or write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=3000, help="games of each variant")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    options = parser.parse_args()
    if options.games < TEST_SHARE + 1:
        parser.error(f"expected at least {TEST_SHARE + 1} games, got {options.games}")
    measuring = partial(measure, games=options.games, seed=options.seed)
    with ProcessPoolExecutor(options.workers) as pool:
        found = dict(zip(VARIANTS, pool.map(measuring, VARIANTS), strict=True))
    if options.write:
        FILE.write_bytes(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    main()
