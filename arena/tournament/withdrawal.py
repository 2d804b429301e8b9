"""Withdrawal of bots with too many faults, counted in schedule order.

A bot is withdrawn after faults of its own in 3 consecutive games of the schedule, or in 5 % of at
least 40 games. `schedule_portions` says from which games on.
"""

from collections import Counter

from arena.base.record import GameResult

CONSECUTIVE_FAULTS = 3
"""Consecutive games with a fault after which a bot is withdrawn."""
FAULTY_PERCENT, MIN_GAMES = 5, 40
"""Percentage of games with a fault from which a bot is withdrawn, once it has `MIN_GAMES` games."""


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
