"""A bot that maximizes its expected lead at the end of a Bribery game.

The bot predicts how many more bribes each official will receive, and prefers officials that
opponents are unlikely to win back. The bot also plans for the rest of its hand, saves its best
bribes for late turns, and uses an official's ability only if the gain is large.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from bots.bribery.bot import BriberyBot
from bots.bribery.view import View, unplayed

# Tuned by playing many boards. It may be wrong by half or more.
# Estimated gain of playing a card later, relative to playing it now. Later decisions are better
# informed.
LATER_GAIN_FACTOR: Final = 1.2


class FixerBot(BriberyBot):
    name = "fixer"
    min_ability_gain: ClassVar[float] = 2.0  # a bribe may be more useful later, or as a threat

    def utility(self, points: Sequence[float]) -> float:
        return self.lead(points)

    def future_bribes(self) -> list[int]:
        view = self.view
        left = unplayed(view)
        if view.phase == "play" and left[view.side]:
            left[view.side] -= 1
        return left

    def values(self, view: View, legal: Sequence[str]) -> Mapping[str, float]:
        values = super().values(view, legal)
        return self._with_rest_of_hand(values) if view.phase == "play" else values

    def _with_rest_of_hand(self, values: Mapping[str, float]) -> Mapping[str, float]:
        if len(self.view.hand) == 1:
            return values
        current = self.current_value()
        gains: dict[str, list[tuple[float, str]]] = {card: [] for card in self.view.hand}
        plays = []
        for action, value in values.items():
            card, place = _card_and_place(action)
            plays.append((action, value, card, place))
            if place:
                gains[card].append((value - current, place))
        best_two = {card: _best_two(each) for card, each in gains.items()}
        planned = {}
        for action, value, card, place in plays:
            rest = [
                second if place == best_place else best
                for other, (best, best_place, second) in best_two.items()
                if other != card
            ]
            planned[action] = value + LATER_GAIN_FACTOR * sum(rest)
        return planned


def _card_and_place(action: str) -> tuple[str, str]:
    words = action.split()
    return words[1], words[2] if len(words) > 2 else ""


def _best_two(gains: list[tuple[float, str]]) -> tuple[float, str, float]:
    gains.sort(reverse=True)
    best, place = gains[0] if gains else (0.0, "")
    return best, place, gains[1][0] if len(gains) > 1 else 0.0
