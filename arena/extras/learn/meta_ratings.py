"""Ratings from the matrix of pairs: Nash averaging and alpha-Rank, with intervals over boards.

The mean score of a bot depends on who else takes part: a clone of a weak bot raises all that beat
it. Nash averaging (Balduzzi et al. 2018) weighs opponents by the equilibrium of maximum entropy of
the game of choosing a bot, so a clone only shares the weight of its original. alpha-Rank
(Omidshafiei et al. 2019) is the time for which a population that changes to what beats it is at
each bot; it tells more than a mean where bots beat each other in a circle.

Both are our own, 85 lines, since a rating with intervals takes 201 matrices. OpenSpiel's `egt` has
the same alpha-Rank to 1e-15, a matrix at a time: 6 s for 8 bots instead of 1 ms. Its Nash averaging
needs `cvxpy`, which OpenSpiel does not install.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.base.errors import SettingsError
from arena.played_run import Run
from arena.rating.complete_boards import BoardShares, read_boards
from engine import variants

Floats = NDArray[np.float64]
RESAMPLES = 200
LEVEL = 95
"""Of intervals, in percent."""
MAX_GROUPS = 500
"""Groups of boards that are drawn together, so that memory does not grow with a run."""
TEMPERATURES = tuple(np.geomspace(1, 2e-5, 11).tolist())
"""Of the search for an equilibrium, from the first to the last."""
STEPS, SETTLED = 12, 1e-7
"""At most so many for a temperature, and the change of weights that ends them."""
MAX_RISE, LEAST = 1.5, -30.0
"""How far a logarithm of a weight may rise in a step, above `LEAST`."""
POPULATION, INTENSITY, LEAST_CHANCE = 50, 20.0, 1e-100
"""Of alpha-Rank: the size of the population, alpha by share, and the least chance to take over."""


class MetaRating(NamedTuple):
    """A bot in the order of its field."""

    bot: str
    value: float
    low: float
    high: float
    """Bounds at `LEVEL` %, by resampling boards."""


class PairCounts(NamedTuple):
    """The number of times that bots were placed before each other, by groups of boards."""

    bots: tuple[str, ...]
    groups: Floats
    """Of shape (groups, bots, bots): weighted games in which the first was before the second; a
    shared rank counts half."""


def pair_counts(boards: Iterable[BoardShares]) -> PairCounts:
    """Return the counts of games of `boards`; those of partners count for both.

    Raises:
        SettingsError: there is no board.
    """
    found = list(boards)
    if not found:
        raise SettingsError("there are no complete boards to rate: play some first")
    bots = sorted({bot for board in found for bot in board.entrants})
    number = {bot: place for place, bot in enumerate(bots)}
    groups = np.zeros((min(len(found), MAX_GROUPS), len(bots), len(bots)))
    for place, board in enumerate(found):
        counts = groups[place % len(groups)]
        for own, before in zip(board.sides, board.before, strict=True):
            for other, twice in zip(board.sides, before, strict=True):
                for bot, opponent in product(own, other):  # 0 for partners
                    counts[number[bot], number[opponent]] += twice / 2
    return PairCounts(tuple(bots), groups)


def shares_of(counts: Floats) -> Floats:
    """Return the share of games in which the row was before the column, of the shape of `counts`.

    It is 1/2 for a pair that has not met.
    """
    met = counts + np.swapaxes(counts, -1, -2)
    return np.divide(counts, met, out=np.full_like(counts, 0.5), where=met > 0)


# -- ratings of fields, each from shares of shape (..., bots, bots), with a result (..., bots) --


def nash_weights(shares: Floats) -> Floats:
    """Return the equilibrium of maximum entropy of the game of choosing a bot.

    A mixture that likes entropy, too, has one equilibrium, which goes to that of maximum entropy as
    the temperature, the price of entropy, goes to 0. Newton's method follows it from 1 on, on the
    logarithms of weights. No bot gains more than about 1e-3 on the result.

    Args:
        shares: how often the row was before the column.
    """
    gains = shares - np.swapaxes(shares, -1, -2)
    bots = shares.shape[-1]
    logs = np.full(shares.shape[:-1], -np.log(bots))
    system = np.zeros((*shares.shape[:-2], bots + 1, bots + 1))
    system[..., :bots, bots] = 1.0  # of the level that all bots in the equilibrium have
    for temperature in TEMPERATURES:
        for _ in range(STEPS):
            weights = np.exp(logs)
            system[..., :bots, :bots] = temperature * np.eye(bots) - gains * weights[..., None, :]
            system[..., bots, :bots] = weights
            misses = _times(gains, weights) - temperature * logs
            target = np.concatenate([misses, np.zeros_like(misses[..., :1])], -1)
            step = np.linalg.solve(system, target[..., None])[..., :bots, 0]
            rise = (logs + step - np.maximum(logs, LEAST)).max(-1, keepdims=True)
            logs = logs + step * np.minimum(1.0, MAX_RISE / np.maximum(rise, MAX_RISE))
            logs = logs - np.log(np.exp(logs).sum(-1, keepdims=True))
            if np.abs(np.exp(logs) - weights).max() < SETTLED:
                break
    found: Floats = np.exp(logs)
    return found


def nash_averages(shares: Floats) -> Floats:
    """Return what each bot gains on the equilibrium: 0 for those in it, less for all others."""
    gains: Floats = _times(shares - np.swapaxes(shares, -1, -2), nash_weights(shares)) / 2
    return gains


def alpha_rank(shares: Floats, alpha: float = INTENSITY, population: int = POPULATION) -> Floats:
    """Return the share of time that a population is at each bot.

    Args:
        shares: how often the row was before the column.
        alpha: how strongly a share above 1/2 is selected.
        population: its size.
    """
    edge = np.clip(alpha * (shares - np.swapaxes(shares, -1, -2)), -50, 50)  # of the row
    with np.errstate(all="ignore"):  # equal bots and overflows have their limits
        fixed = np.expm1(-edge) / np.expm1(-population * edge)
    fixed = np.where(np.abs(edge) < 1e-12, 1 / population, fixed)
    return _stationary(np.swapaxes(np.maximum(fixed, LEAST_CHANCE), -1, -2))


def _stationary(moves: Floats) -> Floats:
    """Return the share of time at each state of a Markov chain; `moves` is changed.

    It is the method of Grassmann, Taksar and Heyman, which subtracts nothing: states are left out
    one after the other, and come back in reverse.

    Args:
        moves: the rates from the row to the column, but for a common factor.
    """
    states = moves.shape[-1]
    for last in range(states - 1, 0, -1):
        moves[..., :last, last] /= moves[..., last, :last].sum(-1)[..., None]
        moves[..., :last, :last] += moves[..., :last, last, None] * moves[..., last, None, :last]
    times = np.zeros(moves.shape[:-1])
    times[..., 0] = 1.0
    for state in range(1, states):
        times[..., state] = (times[..., :state] * moves[..., :state, state]).sum(-1)
        times /= times.sum(-1, keepdims=True)
    return times


def mean_shares(shares: Floats) -> Floats:
    """Return the mean share of each bot over all others."""
    means: Floats = (shares.sum(-1) - 0.5) / max(1, shares.shape[-1] - 1)
    return means


def _times(matrices: Floats, vectors: Floats) -> Floats:
    product: Floats = (matrices @ vectors[..., None])[..., 0]
    return product


METHODS: dict[str, Callable[[Floats], Floats]] = {
    "nash": nash_averages,
    "alpha-rank": alpha_rank,
    "mean": mean_shares,
}


def meta_ratings(
    run: Run | PairCounts, method: str = "nash", *, resamples: int = RESAMPLES, seed: int = 0
) -> Sequence[MetaRating]:
    """Return the ratings of the bots of a run, the best first.

    Args:
        run: the run, whose complete boards count, or counts of pairs.
        method: `nash`, `alpha-rank`, or `mean`: the mean share over the other bots.
        resamples: draws of boards with replacement, from which the intervals are.
        seed: of these draws.

    Raises:
        SettingsError: there is no such method, or no complete board.
    """
    if method not in METHODS:
        raise SettingsError(f"got method={method!r}, expected one of {', '.join(METHODS)}")
    if isinstance(run, PairCounts):
        counts = run
    else:
        boards = read_boards(run.games(), variants(), run.settings.ranked_by)
        counts = pair_counts(list(boards))
    groups = len(counts.groups)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(groups, np.full(groups, 1 / groups), size=resamples)
    times = np.vstack([np.ones(groups), drawn])
    values = METHODS[method](shares_of(np.tensordot(times, counts.groups, 1)))
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(values, [tail, 100 - tail], axis=0)
    rows = zip(counts.bots, values[0].tolist(), low.tolist(), high.tolist(), strict=True)
    return sorted(map(MetaRating._make, rows), key=lambda rating: rating.value, reverse=True)
