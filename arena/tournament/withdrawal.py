"""Withdraw bots that had too many faults. Faults are counted in schedule order.

A bot is withdrawn after faults in 3 consecutive games, or in 5% of its games once it has played
at least 40. The withdrawal takes effect in a later block; see `arena.tournament.blocks`.
"""

from collections import Counter

from arena.base.record import GameResult

CONSECUTIVE_FAULTS = 3
FAULTY_PERCENT, MIN_GAMES = 5, 40
"""Percentage of faulty games that leads to withdrawal, once a bot has played `MIN_GAMES` games."""


class Withdrawals:
    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self._consecutive: Counter[str] = Counter()

    def count(self, game: GameResult) -> None:
        """Count a game. Games must be counted in schedule order."""
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
