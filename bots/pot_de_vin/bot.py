"""Base class of the Pot de Vin bots."""

from collections.abc import Sequence
from typing import Any, ClassVar

from arena.bot import Bot
from bots.pot_de_vin.cards import NEUTRAL, VALUE
from bots.pot_de_vin.trick import Trick
from bots.pot_de_vin.view import PASS, View, card_of


class PotDeVinBot(Bot):
    """Plays the legal action with the highest value."""

    games: ClassVar[Sequence[str]] = ("pot-de-vin",)
    view_type: ClassVar[Any] = View

    kinds: dict[str, str]
    """Maps each card to its kind: the name of its guild, "joker", "bonus", "penalty" or
    "pot-de-vin"."""
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
        """Prepare for evaluating the actions of a turn."""

    def taking(self, card: str) -> float:
        """Return the value of playing a card that becomes the strongest of the trick."""
        raise NotImplementedError

    def ducking(self, card: str) -> float:
        """Return the value of playing a card if the trick already contains a stronger card."""
        raise NotImplementedError

    def passing(self) -> float:
        raise NotImplementedError

    def discarding(self, card: str) -> float:
        """Return the value of discarding a card during set-up."""
        return -VALUE[card]
