"""Fixes: weighs how safe each control is from all the bribes that are still to be played.

It knows how many bribes each side has left, and what places they have left to go to. So it values
what nobody can take back, and, the later it is, what the board says: its last bribe it counts out.
It plans where the whole hand should go and keeps the best of it for the last word, and it pays for
an ability only when that gains much.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from arena.bot import run
from bots.bribery import BriberyBot, to_come

# Found by playing many boards with other numbers; it may be off by half and more.
TRUST = 1.2
"""How much of what a card could gain now it is hoped to gain on a later turn: more than all of it,
for who waits sees more. So an official, which gains nothing, is best played first."""


class FixerBot(BriberyBot):
    """Maximizes the lead that it can expect at the end of the game."""

    name = "fixer"
    patience: ClassVar[float] = 2.0  # a bribe may serve better later, or as a threat

    def weigh(self, points: Sequence[float]) -> float:
        """What others have is as bad as what we have is good."""
        return self.lead(points)

    def expected(self) -> list[int]:
        """Reckon with all bribes but the one that is about to be played."""
        view = self.view
        coming = to_come(view)
        if view.phase == "play" and coming[view.side]:
            coming[view.side] -= 1
        return coming

    def choose(self, worths: Mapping[str, float]) -> str:
        """Play a card where it leaves good places to the others of the hand."""
        if self.view.phase == "play":
            worths = self._with_rest_of_hand(worths)
        return super().choose(worths)

    def _with_rest_of_hand(self, worths: Mapping[str, float]) -> Mapping[str, float]:
        """Add to the worth of each play what the other cards could gain at other officials."""
        nothing = self.unchanged()
        gains: dict[str, list[tuple[float, str]]] = {card: [] for card in self.view.hand}
        for action, worth in worths.items():
            _, card, *places = action.split()
            gains[card] += [(worth - nothing, place) for place in places]
        for each in gains.values():
            each.sort(reverse=True)
        planned = {}
        for action, worth in worths.items():
            _, card, *places = action.split()
            rest = [
                next((gain for gain, place in each if place not in places), 0.0)
                for other, each in gains.items()
                if other != card
            ]
            planned[action] = worth + TRUST * sum(rest)
        return planned


if __name__ == "__main__":
    run(FixerBot)
