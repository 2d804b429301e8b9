"""Withdrawal of bots with too many faults, decided in schedule order.

A bot is withdrawn after faults of its own in 3 consecutive games of the schedule, or in 5 % of at
least 40 games. The schedule is played in portions, and a bot is withdrawn from whole portions. A
portion counts from the next but one on, so that no portion waits for the last games of the one
before it. The first portion counts from the second one on. So withdrawals depend neither on the
speed of the workers nor on where a run was stopped.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence

from arena.base.record import Game, GameResult

CONSECUTIVE_FAULTS = 3
"""Consecutive games with a fault after which a bot is withdrawn."""
FAULTY_PERCENT, MIN_GAMES = 5, 40
"""Percentage of games with a fault from which a bot is withdrawn, once it has `MIN_GAMES` games."""


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

    def count(self, game: GameResult) -> None:
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

    def among(self, entrants: Iterable[str]) -> dict[str, str]:
        """Return the reason for each of `entrants` that is withdrawn."""
        return {name: self.reasons[name] for name in entrants if name in self.reasons}


class Portion:
    """The games of consecutive boards of the schedule, and what is known of the played ones."""

    def __init__(self, games: Sequence[Game], first: int) -> None:
        """Begin without results. `first` is the position of the first game in the schedule."""
        self.games = games
        self.first = first
        self.results: dict[str, GameResult] = {}
        """By key, of the games whose withdrawn bots are those of the portion."""

    @property
    def keys(self) -> list[str]:
        """The keys of the games."""
        return [game.key for game in self.games]

    @property
    def is_over(self) -> bool:
        """Whether all games of the portion have been played."""
        return len(self.results) == len(self.games)


class WithdrawalCourse:
    """Follows the withdrawals through the portions of a schedule, in order."""

    def __init__(self, is_enabled: bool) -> None:
        """Begin before the first portion. No bot is withdrawn unless `is_enabled`."""
        self._is_enabled = is_enabled
        self._withdrawals = Withdrawals()
        self._portions = 0
        self._uncounted: deque[Portion] = deque()

    def advance(self) -> bool:
        """Count the portions that decide the next one, and return whether all of them are over."""
        while self._portions - len(self._uncounted) < portions_that_count(self._portions):
            if not self._uncounted[0].is_over:
                return False
            portion = self._uncounted.popleft()
            for key in portion.keys if self._is_enabled else ():
                self._withdrawals.count(portion.results[key])
        return True

    def begin(self, portion: Portion) -> None:
        """Begin the next portion. Its withdrawals are those counted so far."""
        self._portions += 1
        self._uncounted.append(portion)

    def withdrawn(self, entrants: Iterable[str]) -> dict[str, str]:
        """Return the reason for each of `entrants` that is withdrawn in the current portion."""
        return self._withdrawals.among(entrants)
