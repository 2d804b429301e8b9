"""Counts over games: games, points, wins and faults of each entrant.

A shared win counts in parts. A game that counts as several wins by its own rules (`win_weight`)
has that weight in the wins and in the chances to win.
"""

from collections.abc import Mapping

from arena.record import GameRecord
from engine import Variant


class Counts:
    """Games, points and wins: of an entrant, or of a seat."""

    def __init__(self) -> None:
        self.games = 0
        self.points = 0
        self.wins = 0.0
        self.chances = 0
        """Games, each counted with its win weight."""

    def add(self, record: GameRecord, seat: int, win_shares: Mapping[int, float]) -> None:
        """Count a game, played at `seat`."""
        self.games += 1
        self.points += record.points[seat]
        self.wins += record.win_weight * win_shares.get(seat, 0.0)
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


def win_shares(record: GameRecord, variant: Variant) -> dict[int, float]:
    """Return the share of each winning seat in the win. A side with a fault has not won."""
    faulty = {fault.seat for fault in record.faults}
    winners = [
        side for side in variant.sides if record.ranks[side[0]] == 1 and faulty.isdisjoint(side)
    ]
    return {seat: 1 / len(winners) for side in winners for seat in side}


def count_game(record: GameRecord, variant: Variant, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count a game in each of `tables`, which hold the counts by entrant."""
    shares = win_shares(record, variant)
    for table in tables:
        for seat, name in enumerate(record.entrants):
            table[name].add(record, seat, shares)
    count_faults(record, *tables)


def count_faults(record: GameRecord, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the faults of a game in each of `tables`, and note who was withdrawn."""
    for fault in record.faults:
        for table in tables:
            counts = table[record.entrants[fault.seat]]
            if fault.kind == "withdrawn":
                counts.is_withdrawn = True
            else:
                counts.faults += 1
