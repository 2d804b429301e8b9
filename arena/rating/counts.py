"""Counts over games: games, points, wins and faults of each entrant.

A shared win counts in parts. A game that counts as several wins by its own rules (`win_weight`)
has that weight in the wins and in the chances to win.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

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


def win_shares(record: AnyResult, variant: Variant) -> Mapping[int, float]:
    """Return the share of each winning seat in the win. A side with a fault has not won."""
    faulty = frozenset([fault.seat for fault in record.faults])
    return _win_shares(record.ranks, faulty, variant.sides)


@lru_cache(maxsize=1 << 16)
def _win_shares(
    ranks: Sequence[int], faulty: frozenset[int], sides: Sequence[Sequence[int]]
) -> Mapping[int, float]:
    winners = [side for side in sides if ranks[side[0]] == 1 and faulty.isdisjoint(side)]
    return {seat: 1 / len(winners) for side in winners for seat in side}


def count_game(record: AnyResult, variant: Variant, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count a game in each of `tables`, which hold the counts by entrant."""
    shares, weight = win_shares(record, variant), record.win_weight
    for table in tables:  # as `Counts.add`, without a call for each seat of each game of a run
        for name, points in zip(record.entrants, record.points, strict=True):
            counts = table[name]
            counts.games += 1
            counts.points += points
            counts.chances += weight
        for seat, share in shares.items():
            table[record.entrants[seat]].wins += weight * share
    if record.faults:
        count_faults(record, *tables)


def count_faults(record: AnyResult, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the faults of a game in each of `tables`, and note who was withdrawn."""
    for fault in record.faults:
        for table in tables:
            counts = table[record.entrants[fault.seat]]
            if fault.kind == "withdrawn":
                counts.is_withdrawn = True
            else:
                counts.faults += 1
