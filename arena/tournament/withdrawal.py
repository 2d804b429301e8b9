"""Withdrawal of bots with too many faults, decided in schedule order.

A bot is withdrawn after faults of its own in 3 consecutive games of the schedule, or in 5 % of at
least 40 games. The schedule is played in portions, and a bot is withdrawn from whole portions. A
portion counts from the next but one on, so that no portion waits for the last games of the one
before it. The first portion counts from the second one on. So withdrawals depend neither on the
speed of the workers nor on where a run was stopped.
"""

from collections import Counter

import msgspec

from arena.protocol import SeatFault

CONSECUTIVE_FAULTS = 3
"""Consecutive games with a fault after which a bot is withdrawn."""
FAULTY_PERCENT, MIN_GAMES = 5, 40
"""Percentage of games with a fault from which a bot is withdrawn, once it has `MIN_GAMES` games."""


class Conduct(msgspec.Struct, frozen=True):
    """The part of a game record that withdrawal depends on."""

    entrants: tuple[str, ...]
    faults: tuple[SeatFault, ...] = ()


_decoder = msgspec.json.Decoder(Conduct)


def conduct_in(record: bytes) -> Conduct:
    """Return the conduct in a record that is JSON. Raises `msgspec.DecodeError`."""
    return _decoder.decode(record)


def portions_that_count(portion: int) -> int:
    """Return the number of first portions that decide the withdrawals of `portion`, from 0."""
    return min(portion, max(1, portion - 1))


class Withdrawals:
    """Counts games in schedule order, and keeps the withdrawn bots with their reasons."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """By name of the bot, for people."""
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self._consecutive: Counter[str] = Counter()

    def count(self, game: Conduct) -> None:
        """Count a game. Call this in schedule order."""
        kinds = {fault.seat: fault.kind for fault in game.faults}
        for seat, name in enumerate(game.entrants):
            kind = kinds.get(seat)
            if kind == "withdrawn" or name in self.reasons:
                continue
            self._games[name] += 1
            self._faulty[name] += kind is not None
            self._consecutive[name] = self._consecutive[name] + 1 if kind else 0
            games, faulty = self._games[name], self._faulty[name]
            if self._consecutive[name] >= CONSECUTIVE_FAULTS:
                self.reasons[name] = f"it had faults in {CONSECUTIVE_FAULTS} games in a row"
            elif games >= MIN_GAMES and 100 * faulty >= FAULTY_PERCENT * games:
                self.reasons[name] = f"it had faults in {faulty} of {games} games"
