"""Where simulated games of Pot de Vin should end: bias and noise of what they tell of two actions.

    python -m benchmarks.pot_de_vin_horizon pot-de-vin/3 --positions 60 --games 200

compares two good actions in positions of games, by simulated games that `champion`'s guide plays in
worlds that the seat thinks possible. The difference that a game to the end tells is right on
average, but has much noise. One that ends after some rounds, with an estimate, has less noise, but
is wrong on average in each position: its bias. The squared error of a search with n games for each
action is about the squared bias and the noise of a game divided by n. Bias and noise are compared
in separate halves of the games.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from statistics import fmean, pvariance
from typing import NamedTuple

from benchmarks.ladder import table, variants_of
from bots.pot_de_vin.guide import PotDeVinGuide
from engine import Variant, get_variant
from engine.pot_de_vin.state import PotDeVinState

GAME = "pot-de-vin"
AFTER = ("the trick", "one round more", "two rounds more")
"""By number of whole rounds after the trick: when an estimate is taken."""
NEVER = 1_000
POSITION_SHARE = 0.12
"""The part of the decisions of a game that is looked at."""
HEADS = ("variant", "ends after", "noise of a game", "squared bias", "squared difference")


class Difference(NamedTuple):
    """What simulated games tell of the difference between two actions, by horizon."""

    first: Sequence[float]
    """The mean of the first half of the games; the last horizon is the end of the game."""
    second: Sequence[float]
    noise: Sequence[float]
    """The variance of what one game tells."""


class Horizon(NamedTuple):
    """How well an estimate after some rounds tells the better action, in units of value."""

    rounds: int | None
    noise: float
    squared_bias: float
    squared_difference: float
    """The mean square of the true difference, to compare the bias with."""

    def row(self, variant_id: str) -> tuple[str, ...]:
        """Return a row of the table."""
        after = "the end of the game" if self.rounds is None else AFTER[self.rounds]
        numbers = [f"{one:.4f}" for one in self[1:]]
        return (f"`{variant_id}`", after, *numbers)


def told(guide: PotDeVinGuide, state: PotDeVinState, side: int, rng: random.Random) -> list[float]:
    """Play on to the end, and return what `side` is worth at each horizon, and then."""
    values: list[float] = []
    while state.seat_to_act is not None:
        # An estimate is None within a round, and near the end, where games are played on.
        values += [one[side] for one in [guide.estimate(state, NEVER)] if one is not None]
        legal = state.legal_actions()
        state.apply(legal[0] if len(legal) == 1 else guide.play(state, legal, rng))
    end = guide.result(state)[side]
    return [*[*values, *[end] * len(AFTER)][: len(AFTER)], end]


def positions(
    guide: PotDeVinGuide, variant: Variant, rng: random.Random
) -> Iterator[PotDeVinState]:
    """Yield positions with a choice, of games that all seats play as the guide lets them."""
    while True:
        state = variant.start(variant.deal(rng))
        assert isinstance(state, PotDeVinState)
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            if state.position.round and len(legal) > 1 and rng.random() < POSITION_SHARE:
                yield state
            state.apply(guide.play(state, legal, rng))


def compare(
    guide: PotDeVinGuide, state: PotDeVinState, games: int, rng: random.Random
) -> Difference:
    """Compare the best action by the guide with the next one or the third."""
    seat, legal = state.seat_to_act, state.legal_actions()
    assert seat is not None, "expected a seat to act"
    values = guide.values(state, legal)
    order = sorted(range(len(legal)), key=values.__getitem__, reverse=True)
    side = seat % len(state.variant.sides)
    columns = []
    for action in (legal[order[0]], legal[order[rng.randrange(1, min(3, len(legal)))]]):
        found = []
        for _ in range(games):
            world = state.determinize(seat, rng)
            world.apply(action)
            found.append(told(guide, world, side, rng))
        columns.append(list(zip(*found, strict=True)))
    half = games // 2
    pairs = list(zip(*columns, strict=True))
    return Difference(
        [fmean(one[:half]) - fmean(other[:half]) for one, other in pairs],
        [fmean(one[half:]) - fmean(other[half:]) for one, other in pairs],
        [pvariance(one) + pvariance(other) for one, other in pairs],
    )


def summarize(found: Sequence[Difference], games: int) -> list[Horizon]:
    """Return bias and noise of each horizon."""
    half = games // 2
    true = fmean([one.first[-1] * one.second[-1] for one in found])
    end_noise = fmean([one.noise[-1] for one in found])
    horizons = []
    for place, rounds in enumerate((*range(len(AFTER)), None)):
        noise = fmean([one.noise[place] for one in found])
        errors = [(one.first[place] - one.second[-1]) ** 2 for one in found]
        errors += [(one.second[place] - one.first[-1]) ** 2 for one in found]
        bias = fmean(errors) - (noise + end_noise) / half  # what the noise explains is no bias
        horizons.append(Horizon(rounds, noise, bias if rounds is not None else 0.0, true))
    return horizons


def measure(variant_id: str, count: int, games: int, seed: int) -> list[Horizon]:
    """Compare actions in positions of a variant."""
    variant, rng = get_variant(variant_id), random.Random(f"horizon {seed} {variant_id}")
    guide = PotDeVinGuide(variant)
    chosen = positions(guide, variant, rng)
    found = [compare(guide, next(chosen), games, rng) for _ in range(count)]
    return summarize(found, games)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variants", nargs="+", choices=variants_of(GAME))
    parser.add_argument("--positions", type=int, default=60, help="default: %(default)s")
    parser.add_argument("--games", type=int, default=200, help="of each action, at least 4")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    options = parser.parse_args()
    rows = []
    for variant_id in options.variants:
        found = measure(variant_id, options.positions, options.games, options.seed)
        rows += [one.row(variant_id) for one in found]
    print(table(HEADS, rows))


if __name__ == "__main__":
    main()
