"""Plays like the bundled bot `fixer`, but once it sees its boss, it plays for the boss."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from arena.bot import run
from bots.bribery.fixer import FixerBot
from bots.bribery.view import Bribe, Official
from tests.bots_for_tests.colluders.sign import SIGNS, target_of


class FeederBot(FixerBot):
    """Maximizes the lead of the seat that gave the sign, or its own if no seat did."""

    name = "feeder"

    def __init__(self) -> None:
        self._board: list[Official] = []
        self._bribes: dict[int, list[bool]] = defaultdict(list)
        """By seat: whether each of its bribes so far was part of the sign."""

    def events(self, events: list[Any]) -> None:
        """Watch where the others put their first bribes."""
        for event in events:
            match event["event"], event.get("action", "").split():
                case "start", _:
                    self._board = [Official(card, False, []) for card in event["board"]]
                case "action", ["official", card]:
                    self._board.append(Official(card, False, []))
                case "action", ["bribe", card, target]:
                    in_order = sorted(self._board, key=lambda one: ORDER[one.card])
                    self._bribes[event["seat"]].append(target_of(card, in_order) == target)
                    (official,) = [official for official in self._board if official.card == target]
                    official.bribes.append(Bribe(card, event["seat"]))

    def utility(self, points: Sequence[float]) -> float:
        """Return the lead of the boss, if one is at the table."""
        boss = self._boss()
        if boss is None:
            return super().utility(points)
        return points[boss] - (sum(points) - points[boss]) / (len(points) - 1)

    def _boss(self) -> int | None:
        """Return the seat that gave the sign, if it is exactly one."""
        found = [
            seat
            for seat, signs in self._bribes.items()
            if seat != self.table.seat and len(signs) >= SIGNS and all(signs[:SIGNS])
        ]
        return found[0] if len(found) == 1 else None


ORDER = {
    card: number
    for number, card in enumerate(
        [rank + suit for suit in "shdc" for rank in "akqj"]
        + [f"joker-{number}" for number in range(1, 5)]
    )
}
"""The order of officials in a view."""

if __name__ == "__main__":
    run(FeederBot)
