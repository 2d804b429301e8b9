"""Counts over games: games, points, wins and faults of each entrant.

A shared win counts in parts. A game that counts as several wins by its own rules (`win_weight`)
has that weight in the wins and in the chances to win.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from arena.rating.board_sample import BoardScores
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
    return _win_shares(record.ranks, _faulty(record), variant.sides)


def wins_by_seat(record: AnyResult, variant: Variant) -> tuple[float, ...]:
    """Return the share of each seat in the win, by win weight."""
    return _wins_by_seat(record.ranks, _faulty(record), variant.sides, record.win_weight)


def _faulty(record: AnyResult) -> frozenset[int]:
    return frozenset([fault.seat for fault in record.faults]) if record.faults else NO_SEATS


@lru_cache(maxsize=1 << 16)
def _win_shares(
    ranks: Sequence[int], faulty: frozenset[int], sides: Sequence[Sequence[int]]
) -> Mapping[int, float]:
    winners = [side for side in sides if ranks[side[0]] == 1 and faulty.isdisjoint(side)]
    return {seat: 1 / len(winners) for side in winners for seat in side}


@lru_cache(maxsize=1 << 12)
def _wins_by_seat(
    ranks: Sequence[int], faulty: frozenset[int], sides: Sequence[Sequence[int]], weight: int
) -> tuple[float, ...]:
    """Return `wins_by_seat`. Few games differ."""
    shares = _win_shares(ranks, faulty, sides)
    return tuple([weight * shares.get(seat, 0.0) for seat in range(len(ranks))])


def count_board(
    records: Sequence[AnyResult], scores: BoardScores, *tables: Mapping[str, EntrantCounts]
) -> None:
    """Count a board in each of `tables`, which hold the counts by entrant.

    `scores` are those of the board's `records`, one per rotation.
    """
    names, games = scores.names, len(records)
    points = list(map(sum, zip(*[iter(scores.points)] * games, strict=True)))
    for table in tables:  # as `Counts.add`, without a call for each seat of each game of a run
        counts = [table[name] for name in names]
        for own, more in zip(counts, points, strict=True):
            own.games += games
            own.points += more
            own.chances += scores.chances
        for number, share in scores.won:  # game by game, so that thirds are rounded as such
            counts[number].wins += share
    for record in records:
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
