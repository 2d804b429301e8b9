"""Games, points, wins and faults of each entrant, and their means with intervals.

A shared win counts in parts. A game that counts as several wins by its own rules (`win_weight`)
has that weight in the wins and in the chances to win.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from arena.rating.board_sample import BoardSample, BoardScores
from arena.rating.intervals import Estimate, combine, share_interval
from arena.record import AnyResult
from engine import Variant


class Counts:
    """Games, points and wins: of an entrant, or of a seat."""

    def __init__(self) -> None:
        self.games = 0
        self.points = 0
        self.wins = 0.0
        self.chances = 0
        """Games, each counted with its win weight."""

    def add(self, record: AnyResult, seat: int, win_shares: Mapping[int, float]) -> None:
        """Count a game, played at `seat`."""
        self.games += 1
        self.points += record.points[seat]
        if seat in win_shares:
            self.wins += record.win_weight * win_shares[seat]
        self.chances += record.win_weight

    @property
    def points_per_game(self) -> float:
        """The mean points of a game; 0 without games."""
        return self.points / max(1, self.games)

    @property
    def win_share(self) -> float:
        """Wins per chance; 0 without games."""
        return self.wins / max(1, self.chances)


class EntrantCounts(Counts):
    """The counts of an entrant in one table of the leaderboard."""

    def __init__(self) -> None:
        super().__init__()
        self.faults = 0
        """Games in which the bot itself had a fault."""
        self.is_withdrawn = False


NO_SEATS = frozenset[int]()


def win_shares(record: AnyResult, variant: Variant) -> Mapping[int, float]:
    """Return the share of each winning seat in the win. A side with a fault has not won."""
    return shares_of_win(record.ranks, faulty_seats(record), variant.sides)


def faulty_seats(record: AnyResult) -> frozenset[int]:
    """Return the seats that had a fault in a game."""
    return frozenset([fault.seat for fault in record.faults]) if record.faults else NO_SEATS


@lru_cache(maxsize=1 << 16)
def shares_of_win(
    ranks: Sequence[int], faulty: frozenset[int], sides: Sequence[Sequence[int]]
) -> Mapping[int, float]:
    """Return `win_shares` of a game with these `ranks`, by seat, and `faulty` seats."""
    winners = [side for side in sides if ranks[side[0]] == 1 and faulty.isdisjoint(side)]
    return {seat: 1 / len(winners) for side in winners for seat in side}


def count_wins(scores: BoardScores, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the wins of a board in each of `tables`, which hold the counts by entrant.

    They are added game by game, so that thirds are rounded as such.
    """
    names = scores.names
    for number, share in scores.won:
        name = names[number]
        for table in tables:
            table[name].wins += share


def count_sample(sample: BoardSample, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the games, points and chances of all boards of a variant in each of `tables`."""
    for name, totals in sample.totals().items():
        for table in tables:
            counts = table[name]
            counts.games += totals.games
            counts.points += totals.points
            counts.chances += totals.chances


def count_faults(record: AnyResult, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the faults of a game in each of `tables`, and note who was withdrawn."""
    for fault in record.faults:
        for table in tables:
            counts = table[record.entrants[fault.seat]]
            if fault.kind == "withdrawn":
                counts.is_withdrawn = True
            else:
                counts.faults += 1


# -- means over variants ---------------------------------------------------------------------------


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
    parts = [part for part in means if name in part.boards]
    whole = combine([(estimate.counts[name].games, estimate.points[name]) for estimate in parts])
    return whole.interval() if whole else (None, None)


def wins_interval(name: str, means: Sequence[VariantMeans]) -> Interval:
    """Return the 95 % interval of the win share of `name` over several variants."""
    parts = [part for part in means if name in part.boards]
    whole = combine([(estimate.counts[name].chances, estimate.wins[name]) for estimate in parts])
    boards = sum([counts.boards[name] for counts in parts])
    return share_interval(whole, boards) or (None, None)
