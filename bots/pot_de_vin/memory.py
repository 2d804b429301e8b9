"""Track the unseen cards in Pot de Vin, and which characters each player has run out of."""

from bots.pot_de_vin.cards import CHARACTER, CHARACTERS, VALUE, VALUES
from bots.pot_de_vin.view import PASS, View, card_of


class Memory:
    def __init__(self, view: View) -> None:
        self._hand_sizes = view.hand_sizes
        self.lacks: list[set[str]] = [set() for _ in range(view.n)]
        seen: set[str | None] = {*view.hand, view.discarded, view.trump}
        tricks = [past.trick for past in view.history]
        seen.update([past.trump for past in view.history])
        for trick in [*tricks, view.trick]:
            led: str | None = None
            for turn in trick:
                if turn.action != PASS:
                    card = card_of(turn.action)
                    seen.add(card)
                    led = led or CHARACTER[card]
                    if CHARACTER[card] != led:
                        self.lacks[turn.seat].add(led)
        self.unseen = [card for card in CHARACTER if card not in seen]
        self._values: dict[str, list[int]] = {name: [] for name in CHARACTERS}
        for card in self.unseen:
            self._values[CHARACTER[card]].append(VALUE[card])

    def beat_probability(self, seat: int, strength: int, led: str, trump: str) -> float:
        if not self.unseen:
            return 0.0
        # The probability that the seat does not have a given unseen card.
        miss = max(0.0, 1 - self._hand_sizes[seat] / len(self.unseen))
        lacks = self.lacks[seat]
        trumps = 0 if trump in lacks else self._stronger(trump, strength - len(VALUES))
        if led == trump:
            return 1 - miss**trumps
        follows = 0 if led in lacks else len(self._values[led])
        better = 0 if led in lacks else self._stronger(led, strength)
        # It follows with a better card, or it cannot follow and has a trump.
        return 1 - miss**better + miss**follows * (1 - miss**trumps)

    def _stronger(self, character: str, value: int) -> int:
        return len([other for other in self._values[character] if other > value])
