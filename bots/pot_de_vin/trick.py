"""The current trick of Pot de Vin: its cards, who is winning it, and who is still to act."""

from bots.pot_de_vin.cards import CHARACTER, VALUE, VALUES
from bots.pot_de_vin.view import PASS, View, card_of, cards_of


class Trick:
    """The current trick as the seat to act sees it."""

    def __init__(self, view: View) -> None:
        assert view.trump is not None, "a trick is played under a trump"
        self.trump = CHARACTER[view.trump]
        self.cards = cards_of(view.trick)
        self.led = CHARACTER[self.cards[0]] if self.cards else None
        self.gems = len(view.trick) - len(self.cards)
        self.strength = -1
        """Strength of the strongest card so far."""
        self.winner = view.seat
        """The seat winning the trick so far; the viewer if no card has been played."""
        for turn in view.trick:
            if turn.action != PASS and self.is_taken_by(card := card_of(turn.action)):
                self.strength, self.winner = self.strength_of(card), turn.seat
        self.later = view.active[len(view.trick) + 1 :]
        """The seats that act after the viewer, in order."""
        takes_trump_card = view.n < 6
        self.loot = [*self.cards, view.trump] if takes_trump_card else self.cards
        """The known cards that the winner takes."""

    def strength_of(self, card: str) -> int:
        """Return the strength of a card in this trick.

        A trump beats all other cards. A character that was not led never wins.
        """
        if CHARACTER[card] == self.trump:
            return VALUE[card] + len(VALUES)
        return VALUE[card] if self.led in (None, CHARACTER[card]) else 0

    def is_taken_by(self, card: str) -> bool:
        """Return whether `card` beats every card played so far."""
        return self.strength_of(card) > self.strength
