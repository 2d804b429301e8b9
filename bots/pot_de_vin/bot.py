"""Base class of the Pot de Vin bots.

It doesn't import the engine: the `start` event tells a bot the guild of each card.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from arena.bot import Bot
from bots.pot_de_vin.cards import NEUTRAL, VALUE
from bots.pot_de_vin.trick import Trick
from bots.pot_de_vin.view import PASS, View, card_of


class PotDeVinBot(Bot):
    """Plays the action with the highest value.

    Subclasses define the value of a card that takes the trick, of any other card, and of a pass.
    """

    games: ClassVar[Sequence[str]] = ("pot-de-vin",)
    view_type: ClassVar[Any] = View

    kinds: dict[str, str]
    """The guild of each card, or its kind if it has none."""
    view: View
    trick: Trick

    def events(self, events: list[Any]) -> None:
        for event in events:
            if event["event"] == "start":
                neutral = {
                    card: NEUTRAL[value] for card, value in VALUE.items() if value in NEUTRAL
                }
                self.kinds = neutral | event["deck"]

    def act(self, view: View, legal: list[str]) -> str:
        """Return the action with the highest value; the first one if several are equal."""
        if len(legal) == 1:
            return legal[0]
        if view.phase == "discard":
            return max(legal, key=lambda action: self.discarding(card_of(action)))
        self.view = view
        self.trick = Trick(view)
        self.prepare()
        return max(legal, key=self._value)

    def _value(self, action: str) -> float:
        if action == PASS:
            return self.passing()
        card = card_of(action)
        return self.taking(card) if self.trick.is_taken_by(card) else self.ducking(card)

    def prepare(self) -> None:
        """Called once per turn, before actions are evaluated."""

    def taking(self, card: str) -> float:
        """Return the value of playing `card`, which would be the strongest so far."""
        raise NotImplementedError

    def ducking(self, card: str) -> float:
        """Return the value of playing `card`, which doesn't take the trick."""
        raise NotImplementedError

    def passing(self) -> float:
        """Return the value of passing, which costs a gem."""
        raise NotImplementedError

    def discarding(self, card: str) -> float:
        """Return the value of discarding `card` during set-up. Low cards win few tricks."""
        return -VALUE[card]
