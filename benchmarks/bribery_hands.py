"""Measures what the cards in the hands are worth in Bribery, for the forecast that the search uses.

    python -m benchmarks.bribery_hands --games 200

Seats play as `fixer` does, with errors. Between two rounds all hands are full, or the game is over,
so what the board is worth for a side can be compared with the others. The line is a regression of
that lead on those before it, within the same round: of the board as it is, the officials, the
bribes and the value of the bribes in the hands. The points of a card are its weight in units of the
weight of the board. R² is the part of the variance that the board explains, alone and with hands.
"""

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from benchmarks.ladder import table, variants_of
from bots.bribery.cards import BRIBES
from bots.bribery.control import MEAN
from bots.bribery.evaluation import lead
from bots.bribery.forecast import Forecast
from bots.bribery.guide import BriberyGuide
from engine import get_variant
from engine.bribery.cards import CARDS
from engine.bribery.position import PLAY_PHASE, Position
from engine.bribery.state import BriberyState

ERRORS = 0.12
"""The part of random actions in the games, which brings more kinds of positions."""
HEADS = ("variant", "positions", "R² board", "R² with hands", "board", "official", "bribe", "pip")


class Row(NamedTuple):
    """The leads of a side within a round, and what the first of them is when the round ends."""

    leads: Sequence[float]
    """Of the board, and of the officials, bribes and pips above the mean in the hands."""
    later: float


class Fit(NamedTuple):
    """A regression of what boards are worth at the end of the round."""

    board_only: float
    """The part of the variance that the board explains alone."""
    explained: float
    """The part of the variance that the board and the hands explain."""
    weights: Sequence[float]
    """Of the board, an official, a bribe, and a pip; those of cards in units of the first."""


def features(forecast: Forecast, position: Position, sides: int) -> list[list[float]]:
    """Return by feature and side: the board, the officials, bribes and pips in the hands."""
    officials, bribes, pips = [0.0] * sides, [0.0] * sides, [0.0] * sides
    for seat, hand in enumerate(position.hands):
        for name in [CARDS[card] for card in hand]:
            if name in BRIBES:
                bribes[seat % sides] += 1
                pips[seat % sides] += BRIBES[name] - MEAN
            else:
                officials[seat % sides] += 1
    return [forecast.points_on_board(position), officials, bribes, pips]


def play(variant_id: str, seed: int, number: int) -> list[Row]:
    """Return the rows of a game, of each side and each card that is played within a round."""
    variant = get_variant(variant_id)
    sides = len(variant.sides)
    rng = random.Random(f"bribery hands {seed} {variant_id} {number}")
    guide, forecast = BriberyGuide(variant), Forecast(variant)
    state = variant.start(variant.deal(rng))
    assert isinstance(state, BriberyState)
    rows: list[Row] = []
    waiting: list[list[list[float]]] = []  # the positions of this round
    while state.seat_to_act is not None:
        position, legal = state.position, state.legal_actions()
        if position.phase == PLAY_PHASE:
            seen = features(forecast, position, sides)
            if position.parameters.begins_round[position.turn]:
                rows += _rows(waiting, seen[0])
                waiting = []
            else:
                waiting.append(seen)
        usual = legal[0] if len(legal) == 1 else guide.play(state, legal, rng)
        state.apply(rng.choice(legal) if rng.random() < ERRORS else usual)
    return rows + _rows(waiting, state.outcome().points[:sides])


def _rows(waiting: Sequence[Sequence[Sequence[float]]], later: Sequence[float]) -> list[Row]:
    # With two sides, the second row would be the first one with other signs.
    sides = range(len(later) if len(later) > 2 else 1)
    return [
        Row([lead(values, side) for values in seen], lead(later, side))
        for seen in waiting
        for side in sides
    ]


def fit(rows: Sequence[Row]) -> Fit:
    """Return the regression of the later leads on those before."""
    leads, later = np.array([row.leads for row in rows]), np.array([row.later for row in rows])

    def explained(columns: np.ndarray) -> tuple[float, np.ndarray]:
        weights = np.linalg.lstsq(columns, later, rcond=None)[0]
        return float(1 - (later - columns @ weights).var() / later.var()), weights

    board_only, _ = explained(leads[:, :1])
    whole, weights = explained(leads)
    board, *cards = weights.tolist()
    return Fit(board_only, whole, [board, *[card / board for card in cards]])


def main() -> None:
    """Measure, and print a line for each variant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--variant", choices=variants_of("bribery"), action="append", default=[])
    parser.add_argument("--games", type=int, default=100, help="games of each variant")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and errors")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    if options.games < 1:
        parser.error(f"expected at least 1 game, got {options.games}")
    cells = []
    with ProcessPoolExecutor(options.workers) as pool:
        for variant in options.variant or variants_of("bribery"):
            games = pool.map(partial(play, variant, options.seed), range(options.games))
            rows = [row for game in tqdm(games, variant, options.games) for row in game]
            found = fit(rows)
            shares = [f"{found.board_only:.2f}", f"{found.explained:.2f}"]
            weights = [f"{weight:.2f}" for weight in found.weights]
            cells.append([f"`{variant}`", str(len(rows)), *shares, *weights])
    print(table(HEADS, cells))


if __name__ == "__main__":
    main()
