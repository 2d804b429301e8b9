"""Ratings from the matrix of pairs: Nash averaging and alpha-Rank, with intervals over boards.

The mean score of a bot depends on who else takes part: a clone of a weak bot raises all that beat
it. Nash averaging (Balduzzi et al. 2018) weighs opponents by the equilibrium of maximum entropy of
the game of choosing a bot, so a clone only shares the weight of its original. alpha-Rank
(Omidshafiei et al. 2019) is the time for which a population that changes to what beats it is at
each bot; it tells more than a mean where bots beat each other in a circle.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.errors import SettingsError
from arena.interface import Run
from arena.rating.complete_boards import placed_before
from arena.record import GameRecord
from engine import get_variant

Floats = NDArray[np.float64]
RESAMPLES = 200
LEVEL = 95
"""Of intervals, in percent."""
PASSES, SETTLED = 20_000, 1e-5
"""Of the search for an equilibrium: its steps, and the change in 100 steps that ends it."""
POPULATION, INTENSITY = 50, 20.0
"""Of alpha-Rank: the size of the population, and alpha by share."""


class MetaRating(NamedTuple):
    """A bot in the order of its field."""

    bot: str
    value: float
    low: float
    high: float
    """Bounds at `LEVEL` %, by resampling boards."""


class PairCounts(NamedTuple):
    """The number of times that bots were placed before each other, board by board."""

    bots: tuple[str, ...]
    boards: Floats
    """Of shape (boards, bots, bots): weighted games in which the first was before the second; a
    shared rank counts half."""

    def shares(self, counts: Floats | None = None) -> Floats:
        """Return the share of games in which the row was before the column, of shape (bots, bots).

        It is 1/2 for a pair that has not met. `counts` is the sum over some boards; by default all.
        """
        before = self.boards.sum(axis=0) if counts is None else counts
        met = before + before.T
        return np.divide(before, met, out=np.full_like(before, 0.5), where=met > 0)


def pair_counts(records: Iterable[GameRecord]) -> PairCounts:
    """Return the counts of games, such as `run.games()`; those with partners count for both.

    Raises:
        SettingsError: there are no games.
    """
    boards: dict[tuple[str, int], list[tuple[str, str, float]]] = {}
    for record in records:
        sides = get_variant(record.variant).sides
        before = placed_before(tuple([record.ranks[side[0]] for side in sides]), record.win_weight)
        met = boards.setdefault((record.variant, record.board), [])
        for place, count in enumerate(before):
            own, other = sides[place // len(sides)], sides[place % len(sides)]
            for seat, rival in product(own, other if own != other else ()):
                met.append((record.entrants[seat], record.entrants[rival], count / 2))
    if not boards:
        raise SettingsError("there are no games to rate: play some first")
    bots = sorted({bot for met in boards.values() for bot, _, _ in met})
    number = {bot: place for place, bot in enumerate(bots)}
    counts = np.zeros((len(boards), len(bots), len(bots)))
    for board, met in zip(counts, boards.values(), strict=True):
        for bot, opponent, games in met:
            board[number[bot], number[opponent]] += games
    return PairCounts(tuple(bots), counts)


def nash_weights(shares: Floats) -> Floats:
    """Return the equilibrium of maximum entropy of the game of choosing a bot, of shape (bots,).

    It maximizes the entropy among all mixtures that no bot beats. Its dual is minimized by
    accelerated gradient steps, so weights are right to about 1e-3.

    Args:
        shares: how often the row was before the column, of shape (bots, bots).
    """
    gains = shares - shares.T
    prices, ahead, momentum = np.zeros(len(gains)), np.zeros(len(gains)), 1.0
    rate = 1 / max(1e-12, float(np.linalg.norm(gains, 2)) ** 2)
    before = np.zeros(len(gains))
    for step in range(PASSES):
        weights = _softmax(-(ahead @ gains))
        slope = gains @ weights  # what each bot gains on the mixture: at most 0 in the end
        following = np.maximum(0.0, ahead + rate * slope)
        longer = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        ahead = following + (momentum - 1) / longer * (following - prices)
        prices, momentum = following, longer
        if step % 100 == 0:
            if np.abs(weights - before).max() < SETTLED:
                break
            before = weights
    return _softmax(-(prices @ gains))


def nash_averages(shares: Floats) -> Floats:
    """Return what each bot gains on the equilibrium: 0 for those in it, less for all others."""
    gains: Floats = (shares - shares.T) @ nash_weights(shares) / 2
    return gains


def alpha_rank(shares: Floats, alpha: float = INTENSITY, population: int = POPULATION) -> Floats:
    """Return the share of time that a population is at each bot, of shape (bots,).

    Args:
        shares: how often the row was before the column, of shape (bots, bots).
        alpha: how strongly a share above 1/2 is selected.
        population: its size.
    """
    bots = len(shares)
    edge = np.clip(alpha * (shares - shares.T), -50, 50)  # of the row over the column
    with np.errstate(all="ignore"):  # equal bots and overflows have their limits
        fixed = np.expm1(-edge) / np.expm1(-population * edge)
    fixed = np.where(np.abs(edge) < 1e-12, 1 / population, fixed)
    moves = fixed.T / max(1, bots - 1)  # from the row to the column, which invades
    np.fill_diagonal(moves, 0.0)
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))
    system = np.vstack([moves.T - np.eye(bots), np.ones(bots)])
    found, *_ = np.linalg.lstsq(system, np.append(np.zeros(bots), 1.0), rcond=None)
    weights: Floats = np.maximum(found, 0) / np.maximum(found, 0).sum()
    return weights


def mean_shares(shares: Floats) -> Floats:
    """Return the mean share of each bot over all others, of shape (bots,)."""
    means: Floats = (shares.sum(axis=1) - 0.5) / max(1, len(shares) - 1)
    return means


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
        run: the run, or counts of pairs.
        method: `nash`, `alpha-rank`, or `mean`: the mean share over the other bots.
        resamples: draws of boards with replacement, from which the intervals are.
        seed: of these draws.

    Raises:
        SettingsError: there is no such method, or no game.
    """
    if method not in METHODS:
        raise SettingsError(f"got method={method!r}, expected one of {', '.join(METHODS)}")
    counts = run if isinstance(run, PairCounts) else pair_counts(run.games())
    rate, rng = METHODS[method], np.random.default_rng(seed)
    values = rate(counts.shares())
    boards = len(counts.boards)
    drawn = [values]
    for _ in range(resamples):
        times = rng.multinomial(boards, np.full(boards, 1 / boards))
        drawn.append(rate(counts.shares(np.tensordot(times, counts.boards, 1))))
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail], axis=0)
    rows = zip(counts.bots, values.tolist(), low.tolist(), high.tolist(), strict=True)
    found = [MetaRating(*row) for row in rows]
    return sorted(found, key=lambda rating: rating.value, reverse=True)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max())
    weights: Floats = powers / powers.sum()
    return weights
