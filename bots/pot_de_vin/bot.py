"""Base class of the bots for Pot de Vin.

It does not import the engine: a bot learns the guilds of the cards when a game starts.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from arena.bot import Bot
from bots.pot_de_vin.cards import NEUTRAL, VALUE
from bots.pot_de_vin.trick import Trick
from bots.pot_de_vin.view import PASS, View, card_of


class PotDeVinBot(Bot):
    """Plays the action with the highest value.

    A subclass defines the value of a card that takes the trick, of another card, and of a pass.
    """

    games: ClassVar[Sequence[str]] = ("pot-de-vin",)
    view_type: ClassVar[Any] = View

    kinds: dict[str, str]
    """The guild of each card, or its kind if it has none."""
    view: View
    trick: Trick

    def events(self, events: list[Any]) -> None:
        """Store the guilds of the cards at the start of a game."""
        for event in events:
            if event["event"] == "start":
                neutral = {
                    card: NEUTRAL[value] for card, value in VALUE.items() if value in NEUTRAL
                }
                self.kinds = neutral | event["deck"]

    def act(self, view: View, legal: list[str]) -> str:
        """Return the action with the highest value, the first one of equals."""
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
        """Prepare to evaluate the actions at a turn, once for all of them."""

    def taking(self, card: str) -> float:
        """Return the value of playing `card`, the strongest one so far."""
        raise NotImplementedError

    def ducking(self, card: str) -> float:
        """Return the value of playing `card`, which does not take the trick."""
        raise NotImplementedError

    def passing(self) -> float:
        """Return the value of passing, which costs a gem."""
        raise NotImplementedError

    def discarding(self, card: str) -> float:
        """Return the value of discarding `card` in the set-up: low cards take few tricks."""
        return -VALUE[card]
