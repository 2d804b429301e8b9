"""Points per game and win shares of entrants over variants, with their intervals."""

from array import array
from collections.abc import Iterator, Mapping, Sequence

from arena.rating.board_sample import BoardSample
from arena.rating.counts import Counts
from arena.rating.intervals import Estimate, combine, share_interval

Interval = tuple[float, float] | tuple[None, None]
"""Its bounds; None after too few boards."""


class VariantMeans:
    """The points per game and the win shares in a variant, with their errors, by entrant."""

    def __init__(self, sample: BoardSample, counts: Mapping[str, Counts]) -> None:
        """Take the scores of all boards of the variant, and the counts of their games."""
        self.boards = sample.boards
        self.counts = counts
        self.points: dict[str, Estimate | None] = {}
        self.wins: dict[str, Estimate | None] = {}
        if sample:
            self.points = sample.points_per_game
            self.wins = sample.estimates(array("d", self._linear_shares(sample)))

    def _linear_shares(self, sample: BoardSample) -> Iterator[float]:
        """Yield the win share on each board, with the ratio of sums linearised at its mean."""
        means = {
            name: (counts.wins / counts.chances, counts.chances / self.boards[name])
            for name, counts in self.counts.items()
            if name in self.boards
        }
        for name, wins, chances in sample.wins():
            share, mean_chances = means[name]
            yield share + (wins - share * chances) / mean_chances


def points_interval(name: str, means: Sequence[VariantMeans]) -> Interval:
    """Return the 95 % interval of the points per game of `name` over several variants."""
    parts = [one for one in means if name in one.boards]
    whole = combine([(one.counts[name].games, one.points[name]) for one in parts])
    return whole.interval() if whole else (None, None)


def wins_interval(name: str, means: Sequence[VariantMeans]) -> Interval:
    """Return the 95 % interval of the win share of `name` over several variants."""
    parts = [one for one in means if name in one.boards]
    whole = combine([(one.counts[name].chances, one.wins[name]) for one in parts])
    boards = sum([one.boards[name] for one in parts])
    return share_interval(whole, boards) or (None, None)
