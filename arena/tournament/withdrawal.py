"""Withdrawal of bots with too many faults, decided in schedule order.

A bot is withdrawn when, counting its games in that order, three in a row had a fault of its own, or
5% of all so far, which are at least 40. The schedule is played in portions, and a bot is withdrawn
from whole ones: what counts for a portion is the first one and all but the last one before it. So
nobody waits for the last games of a portion before the next begins, and who is withdrawn from where
does not depend on who plays how fast, nor on where a run was stopped.
"""

from collections import Counter

import msgspec

from arena.protocol import SeatFault

IN_A_ROW = 3
PERCENT, LEAST_GAMES = 5, 40


class Conduct(msgspec.Struct, frozen=True):
    """What of a game record counts here."""

    entrants: tuple[str, ...]
    faults: tuple[SeatFault, ...] = ()


_decoder = msgspec.json.Decoder(Conduct)


def conduct_in(record: bytes) -> Conduct:
    """Return what counts of a record that is JSON; raises `msgspec.DecodeError`."""
    return _decoder.decode(record)


def portions_that_count(portion: int) -> int:
    """Return how many portions, from the first one on, count for who plays in this one, from 0."""
    return min(portion, max(1, portion - 1))


class Withdrawals:
    """Who is withdrawn after the games that were counted, and why."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """By name, in words."""
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self._in_a_row: Counter[str] = Counter()

    def count(self, game: Conduct) -> None:
        """Count a game; to be called in the order of the schedule."""
        kinds = {fault.seat: fault.kind for fault in game.faults}
        for seat, name in enumerate(game.entrants):
            kind = kinds.get(seat)
            if kind == "withdrawn" or name in self.reasons:
                continue
            self._games[name] += 1
            self._faulty[name] += kind is not None
            self._in_a_row[name] = self._in_a_row[name] + 1 if kind else 0
            games, faulty = self._games[name], self._faulty[name]
            if self._in_a_row[name] >= IN_A_ROW:
                self.reasons[name] = f"it had faults in {IN_A_ROW} games in a row"
            elif games >= LEAST_GAMES and 100 * faulty >= PERCENT * games:
                self.reasons[name] = f"it had faults in {faulty} of {games} games"
