"""What the bots of Pot de Vin share: what they see, the trick on the table, and what cards win.

This is no bot. It needs no engine either: the guilds of the cards are told when a game starts.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import msgspec

from arena.bot import Bot

PASS = "pass"
CHARACTERS = ("aldo", "pietra", "enzo", "ugo")
VALUES = range(1, 14)
CHARACTER = {f"{name}-{value}": name for name in CHARACTERS for value in VALUES}
"""The character of each card, the cards in canonical order."""
VALUE = {f"{name}-{value}": value for name in CHARACTERS for value in VALUES}

COLUMN_POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 15)
"""By number of symbols in a guild column."""
POT_DE_VIN_POINTS = (0, -1, -3, -6, 10)
"""By number of Pot de Vin cards."""
NEUTRAL = {1: "joker", 2: "bonus", 3: "penalty", 13: "pot-de-vin"}
"""The kinds of the cards that belong to no guild, by value."""
FLAT_POINTS = {"joker": 2.3, "bonus": 2.0, "penalty": -2.0}
"""A joker nearly always finds a column that a symbol more makes better by 2 or 3."""


class Turn(msgspec.Struct):
    """What a seat did in a round."""

    seat: int
    action: str


class PastRound(msgspec.Struct):
    """A finished round, as far as bots look back."""

    trump: str
    trick: list[Turn]


class View(msgspec.Struct):
    """The part of a seat's view that these bots look at; the rest is not even decoded."""

    seat: int
    n: int
    teams: list[list[int]]
    phase: str
    trump: str | None
    active: list[int]
    trick: list[Turn]
    hand: list[str]
    discarded: str | None
    hand_sizes: list[int]
    columns: list[dict[str, list[str]]]
    neutral: list[list[str]]
    history: list[PastRound]


def card_of(action: str) -> str:
    """Return the card of `play aldo-7` or `discard aldo-7`."""
    return action.partition(" ")[2]


def cards_of(trick: Iterable[Turn]) -> list[str]:
    """Return the cards that were played in a trick, in order."""
    return [card_of(turn.action) for turn in trick if turn.action != PASS]


class Trick:
    """The trick on the table: what lies there, who has it now, who can still take it."""

    def __init__(self, view: View) -> None:
        assert view.trump is not None, "a trick is played under a trump"
        self.trump = CHARACTER[view.trump]
        self.cards = cards_of(view.trick)
        self.led = CHARACTER[self.cards[0]] if self.cards else None
        self.gems = len(view.trick) - len(self.cards)
        self.strength = -1
        """Of the strongest card so far."""
        self.winner = view.seat
        """Who has it now; the viewer if nobody has played."""
        for turn in view.trick:
            if turn.action != PASS and self.is_taken_by(card := card_of(turn.action)):
                self.strength, self.winner = self.strength_of(card), turn.seat
        self.later = view.active[len(view.trick) + 1 :]
        """The seats that act after the viewer, in order."""
        takes_trump_card = view.n < 6
        self.loot = [*self.cards, view.trump] if takes_trump_card else self.cards
        """What the winner takes, as far as it is known."""

    def strength_of(self, card: str) -> int:
        """Return how strong a card is here: trumps beat all, other characters than led lose."""
        if CHARACTER[card] == self.trump:
            return VALUE[card] + len(VALUES)
        return VALUE[card] if self.led in (None, CHARACTER[card]) else 0

    def is_taken_by(self, card: str) -> bool:
        """Return whether the card is stronger than all that lie there."""
        return self.strength_of(card) > self.strength


class Memory:
    """What a seat can infer from all that was played: cards not seen, characters lacked."""

    def __init__(self, view: View) -> None:
        self._sizes = view.hand_sizes
        self.lacks: list[set[str]] = [set() for _ in range(view.n)]
        """By seat: the characters that it did not follow."""
        gone: set[str | None] = {*view.hand, view.discarded, view.trump}
        tricks = [past.trick for past in view.history]
        gone.update([past.trump for past in view.history])
        for trick in [*tricks, view.trick]:
            led: str | None = None
            for turn in trick:
                if turn.action != PASS:
                    card = card_of(turn.action)
                    gone.add(card)
                    led = led or CHARACTER[card]
                    if CHARACTER[card] != led:
                        self.lacks[turn.seat].add(led)
        self.unseen = [card for card in CHARACTER if card not in gone]
        """The cards in the other hands and in the face-down trump pile."""
        self._values: dict[str, list[int]] = {name: [] for name in CHARACTERS}
        for card in self.unseen:
            self._values[CHARACTER[card]].append(VALUE[card])

    def chance_to_beat(self, seat: int, strength: int, led: str, trump: str) -> float:
        """Return how likely a seat that is yet to act may play a card stronger than `strength`."""
        if not self.unseen:
            return 0.0
        miss = max(0.0, 1 - self._sizes[seat] / len(self.unseen))  # it has not a given card
        lacks = self.lacks[seat]
        trumps = 0 if trump in lacks else self._stronger(trump, strength - len(VALUES))
        if led == trump:
            return 1 - miss**trumps
        follows = 0 if led in lacks else len(self._values[led])
        better = 0 if led in lacks else self._stronger(led, strength)
        # Either it follows with a better card, or it cannot follow and has a trump.
        return 1 - miss**better + miss**follows * (1 - miss**trumps)

    def _stronger(self, character: str, value: int) -> int:
        """Return how many unseen cards of a character are above a value."""
        return len([one for one in self._values[character] if one > value])


def column_points(own: int, partner: int) -> int:
    """Return what a guild is worth to a side: of two teammates' columns the smaller counts."""
    return COLUMN_POINTS[min(own, partner) or max(own, partner)]


class PotDeVinBot(Bot):
    """A bot that does what it thinks worth most: by card that takes the trick or not, or passing.

    What the three are worth is all that makes a style; only their order matters.
    """

    games: ClassVar[Sequence[str]] = ("pot-de-vin",)
    view_type: ClassVar[Any] = View

    kind: dict[str, str]
    """The guild of each card, or what else it is."""
    view: View
    trick: Trick

    def events(self, events: list[Any]) -> None:
        """Learn the guilds of the cards at the start of a game."""
        for event in events:
            if event["event"] == "start":
                neutral = {
                    card: NEUTRAL[value] for card, value in VALUE.items() if value in NEUTRAL
                }
                self.kind = neutral | event["deck"]

    def act(self, view: View, legal: list[str]) -> str:
        """Return the action that is worth most; of equals the first."""
        if len(legal) == 1:
            return legal[0]
        if view.phase == "discard":
            return max(legal, key=lambda action: self.discarding(card_of(action)))
        self.view = view
        self.trick = Trick(view)
        self.look()
        return max(legal, key=self._worth)

    def _worth(self, action: str) -> float:
        if action == PASS:
            return self.passing()
        card = card_of(action)
        return self.taking(card) if self.trick.is_taken_by(card) else self.ducking(card)

    def look(self) -> None:
        """Prepare to weigh the actions at hand."""

    def taking(self, card: str) -> float:
        """Return what it is worth to play a card that is the strongest so far."""
        raise NotImplementedError

    def ducking(self, card: str) -> float:
        """Return what it is worth to play a card that does not take the trick."""
        raise NotImplementedError

    def passing(self) -> float:
        """Return what it is worth to pay a gem."""
        raise NotImplementedError

    def discarding(self, card: str) -> float:
        """Return what it is worth to put a card away in the set-up: the lowest take least."""
        return -VALUE[card]

    # -- what a trick is worth ----------------------------------------------------------------

    def gain(self, seat: int, cards: Iterable[str], gems: int) -> float:
        """Return the points that a seat brings its side by taking these cards and gems."""
        points = float(gems)
        taken: dict[str, int] = {}
        for card in cards:
            kind = self.kind[card]
            if kind in FLAT_POINTS:
                points += FLAT_POINTS[kind]
            else:
                taken[kind] = taken.get(kind, 0) + 1
        view = self.view
        sides = len(view.teams)
        for kind, number in taken.items():
            if kind == NEUTRAL[13]:
                have = len([card for card in view.neutral[seat] if VALUE[card] == 13])
                points += POT_DE_VIN_POINTS[have + number] - POT_DE_VIN_POINTS[have]
            else:
                have = len(view.columns[seat][kind])
                teamed = sides < view.n
                partner = len(view.columns[(seat + sides) % view.n][kind]) if teamed else 0
                points += self.column(kind, have + number, partner)
                points -= self.column(kind, have, partner)
        return points

    def column(self, guild: str, own: int, partner: int) -> float:
        """Return what symbols of a guild are worth to their side: here, if the game ended now."""
        return column_points(own, partner)
