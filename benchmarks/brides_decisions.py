"""What a decision of Brides & Bribes gains by games to the end, by what is expected of the others.

    python -m benchmarks.brides_decisions --games 60

One seat plays by the weights of `champion` among sides of `doge`. In some positions before the last
rounds, its likeliest actions are tried in the same worlds to the end of the game, four times: the
others are expected to play as `champion` or as `doge`, which they do, and their hidden tiles to be
anywhere or where they are. A few of the worlds choose an action. The others, of those with the true
style and the true tiles, judge it: the gain in places (from 0 to 1) over the likeliest action.
"""

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from arena.rating.board_result import placement_scores
from benchmarks.ladder import table
from bots.brides_and_bribes.guide import BridesGuide
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.weights import TUNED
from engine import get_variant, variants
from engine.brides_and_bribes.hidden.redrawing import shuffle_cards
from engine.brides_and_bribes.state import BridesAndBribesState, build_state

CHOSEN = 0.06
"""The part of the decisions that is examined."""
LAST_ROUNDS = 2
"""Decisions in this number of rounds at the end are left out."""
MAX_ACTIONS = 3
MIN_PART = 0.05
"""The likeliest actions are tried, down to this part of the highest prior."""
WORLDS = 12
DRAWS = 20
"""How often the worlds are divided between those that choose and those that judge."""

Values = NDArray[np.float64]
"""The place that our seat reaches, by world and action; the likeliest action is the first."""


class Expectation(NamedTuple):
    """What is expected of the others."""

    as_doge: bool
    with_true_tiles: bool


TRUTH = Expectation(as_doge=True, with_true_tiles=True)
EXPECTATIONS = [Expectation(style, tiles) for style in (False, True) for tiles in (False, True)]


def place_at_end(
    state: BridesAndBribesState, action: str, seat: int, models: Sequence[Model]
) -> float:
    """Return the place of `seat` from 0 to 1 if it plays `action`, then all by `models`."""
    state = state.clone()
    state.apply(action)
    while (acting := state.seat_to_act) is not None:
        state.apply(models[acting].best(state, state.legal_actions()))
    scores = placement_scores(state.outcome().ranks, state.variant.sides)
    return scores[seat] / (len(scores) - 1)


def with_true_tiles(
    state: BridesAndBribesState, seat: int, rng: random.Random
) -> BridesAndBribesState:
    """Return a world in which hidden tiles stay where they are, with decks shuffled for `seat`."""
    position = state.position.copy()
    shuffle_cards(position, seat, rng)
    return build_state(state.variant, position)


def examine(
    state: BridesAndBribesState, actions: Sequence[str], models: Sequence[Model], rng: random.Random
) -> dict[Expectation, Values]:
    """Return the places that `actions` lead to; `models` is how all seats truly play."""
    seat = state.seat_to_act
    assert seat is not None, "expected a game that is not over"
    found: dict[Expectation, list[list[float]]] = {one: [] for one in EXPECTATIONS}
    for _ in range(WORLDS):
        worlds = (state.determinize(seat, rng), with_true_tiles(state, seat, rng))
        for one, rows in found.items():
            playing = models if one.as_doge else [models[seat]] * len(models)
            world = worlds[one.with_true_tiles]
            rows.append([place_at_end(world, action, seat, playing) for action in actions])
    return {one: np.array(rows) for one, rows in found.items()}


def play(number: int, variant_id: str, seed: int) -> list[dict[Expectation, Values]]:
    """Play the game of this number, and return what some of its decisions lead to."""
    variant = get_variant(variant_id)
    rng = random.Random(f"brides decisions {seed} {variant_id} {number}")
    state = variant.start(variant.deal(rng))
    assert isinstance(state, BridesAndBribesState)
    guide, own = BridesGuide(variant), number % variant.seats
    tuned, doge = Model(variant.seats, TUNED), Model(variant.seats)
    models = [tuned if seat == own else doge for seat in range(variant.seats)]
    found = []
    while (acting := state.seat_to_act) is not None:
        legal = state.legal_actions()
        if acting == own and guide.cost(state) > LAST_ROUNDS and rng.random() < CHOSEN:
            ranked = sorted(zip(guide.priors(state, legal), legal, strict=True), reverse=True)
            likely = [action for prior, action in ranked if prior >= MIN_PART][:MAX_ACTIONS]
            if len(likely) > 1:
                found.append(examine(state, likely, models, rng))
        state.apply(models[acting].best(state, legal))
    return found


def gain(choosing: Values, judging: Values, worlds: int, rng: np.random.Generator) -> float:
    """Return the mean gain by the action that is best in some `worlds`, in all the others."""
    gains = []
    for _ in range(DRAWS):
        order = rng.permutation(len(choosing))
        best = choosing[order[:worlds]].mean(axis=0).argmax()
        rest = judging[order[worlds:]]
        gains.append((rest[:, best] - rest[:, 0]).mean())
    return float(np.mean(gains))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    brides = [one.id for one in variants().values() if one.game == "brides-and-bribes"]
    parser.add_argument("--variant", choices=brides, default=brides[0])
    parser.add_argument("--games", type=int, default=60, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    playing = partial(play, variant_id=options.variant, seed=options.seed)
    with ProcessPoolExecutor(options.workers) as pool:
        played = pool.map(playing, range(options.games))
        found = [one for game in tqdm(played, total=options.games) for one in game]
    if len(found) < 2:
        parser.error(f"{options.games} games have {len(found)} decisions to examine; play more")
    rng, rows = np.random.default_rng(options.seed), []
    for one in EXPECTATIONS:
        cells = ["as `doge`" if one.as_doge else "as `champion`"]
        cells.append("where they are" if one.with_true_tiles else "anywhere")
        for worlds in (2, 4, 8):
            gains = [gain(values[one], values[TRUTH], worlds, rng) for values in found]
            error = np.std(gains, ddof=1) / np.sqrt(len(gains))
            cells.append(f"{np.mean(gains):+.3f} ± {error:.3f}")
        rows.append(cells)
    print(f"{len(found)} decisions; errors are standard errors")
    heads = ("the others play", "hidden tiles are", *[f"by {n} worlds" for n in (2, 4, 8)])
    print(table(heads, rows))


if __name__ == "__main__":
    main()
