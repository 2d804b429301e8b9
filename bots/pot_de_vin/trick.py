"""The current trick of Pot de Vin: its cards, the winning seat, and the seats still to act."""

from bots.pot_de_vin.cards import CHARACTER, VALUE, VALUES
from bots.pot_de_vin.view import PASS, View, card_of, cards_of


class Trick:
    def __init__(self, view: View) -> None:
        assert view.trump is not None, "a trick is played under a trump"
        self.trump = CHARACTER[view.trump]
        self.cards = cards_of(view.trick)
        self.led = CHARACTER[self.cards[0]] if self.cards else None
        self.gems = len(view.trick) - len(self.cards)
        self.strength = -1
        self.winner = view.seat  # until a card is played
        for turn in view.trick:
            if turn.action != PASS and self.is_taken_by(card := card_of(turn.action)):
                self.strength, self.winner = self.strength_of(card), turn.seat
        self.later = view.active[len(view.trick) + 1 :]
        takes_trump_card = view.n < 6
        self.loot = [*self.cards, view.trump] if takes_trump_card else self.cards

    def strength_of(self, card: str) -> int:
        """Return the strength of a card, or 0 if it can't win the trick. Trumps beat all other
        cards.
        """
        if CHARACTER[card] == self.trump:
            return VALUE[card] + len(VALUES)
        return VALUE[card] if self.led in (None, CHARACTER[card]) else 0

    def is_taken_by(self, card: str) -> bool:
        return self.strength_of(card) > self.strength
