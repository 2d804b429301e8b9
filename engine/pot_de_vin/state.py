"""A position of Pot de Vin and its rules; numbers in brackets are sections of the rules page.

The hot path is `legal_actions` and `apply`. So a hand is kept as the actions that play its cards,
and what people and bots look at (views, events, the result) is built only when it is asked for,
in modules of its own.
"""

import copy
from typing import TYPE_CHECKING, NamedTuple

from engine.contract import Outcome, State
from engine.errors import GameNotOver, IllegalAction
from engine.pot_de_vin.cards import CARDS, CHARACTER, INDEX, in_order
from engine.pot_de_vin.deal import PLACES, Deal
from engine.pot_de_vin.events import Event, events_for
from engine.pot_de_vin.scoring import describe, rank_sides, standing
from engine.pot_de_vin.view import Table, View, view_for

if TYPE_CHECKING:
    from engine.pot_de_vin.variant import PotDeVin

PASS = "pass"
_PLAY = {card: f"play {card}" for card in CARDS}
_CARD = {action: card for card, action in _PLAY.items()}
_CHARACTER = {action: CHARACTER[card] for action, card in _CARD.items()}
_DISCARD = {play: f"discard {card}" for play, card in _CARD.items()}
_DISCARDED = {discard: play for play, discard in _DISCARD.items()}


def _strengths(trump: int, led: int) -> dict[str, int]:
    """Return how strong each action is in a trick; the strongest wins it [5.3]."""
    strengths = {PASS: -1}
    for action, card in _CARD.items():
        character = CHARACTER[card]
        strengths[action] = INDEX[card] % 13 + 1 if character == led else 0
        if character == trump:
            strengths[action] = INDEX[card] % 13 + 14
    return strengths


_STRENGTH = tuple([tuple([_strengths(trump, led) for led in range(4)]) for trump in range(4)])
"""By character of the trump card and led character."""


class PastRound(NamedTuple):
    """A finished round."""

    leader: int
    active: tuple[int, ...]
    trick: list[str]
    winner: int
    cards: list[str]
    gems: int
    out: list[tuple[int, int]]
    """The seats that ran out of cards and lost their gems, each with the number of gems."""


class PotDeVinState(State):
    """A position of one game.

    Attributes other than those of `State` are for this package. Lists are indexed by seat unless
    their comment says else.
    """

    __slots__ = (
        "active",
        "areas",
        "discards",
        "gems",
        "hands",
        "leader",
        "led",
        "orders",
        "past",
        "removed",
        "round",
        "start",
        "story",
        "table",
        "treasure",
        "trick",
        "trumps",
    )

    variant: "PotDeVin"

    def __init__(self, variant: "PotDeVin", deal: Deal) -> None:
        n = variant.seats
        self.variant = variant
        self.start = self.leader = deal.start
        self.gems = [variant.gems] * n  # held
        self.treasure = [0] * n  # won gems
        self.removed = [0] * n  # gems lost [5.4]
        self.areas: list[list[str]] = [[] for _ in range(n)]  # the cards taken
        self.discards: list[str | None] = [None] * n  # the cards put away in the set-up
        self.round = 0  # 0 during the set-up
        self.active: tuple[int, ...] = ()  # the seats that act in this round, in order
        self.trick: list[str] = []  # their actions so far
        self.led: int | None = None  # the number of the led character
        self.past: list[PastRound] = []  # the finished rounds
        self.table: Table | None = None  # kept for `view`
        self.story: list[list[Event]] = []  # kept for `events`
        self.trumps = list(deal.cards[: variant.first_hand])  # the trump card of each round
        self.hands: list[list[list[str]]] = [[]] * n  # [seat][character]: `play` actions
        dealt = variant.first_hand
        for offset, size in enumerate(variant.hand_sizes):
            hand: list[list[str]] = [[], [], [], []]
            for card in in_order(deal.cards[dealt : dealt + size]):
                hand[CHARACTER[card]].append(_PLAY[card])
            self.hands[(deal.start + offset) % n] = hand
            dealt += size
        self.orders = deal.trump_orders or ()
        if variant.recycled_trumps:  # the pile grows by set-up discards first [4.2]
            self._ask_for_discard()
        else:
            self._begin_round()

    # -- deciding -----------------------------------------------------------------------------

    def legal_actions(self) -> list[str]:
        """Return the legal actions in canonical order [5.2]."""
        seat = self.seat_to_act
        if seat is None:
            return []
        aldo, pietra, enzo, ugo = hand = self.hands[seat]
        led = self.led
        if led is None:
            actions = aldo + pietra + enzo + ugo
            return actions if self.round else [_DISCARD[action] for action in actions]
        actions = hand[led].copy() if hand[led] else aldo + pietra + enzo + ugo
        if self.gems[seat]:
            actions.append(PASS)
        return actions

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act [5.2]; raises `IllegalAction`."""
        seat = self.seat_to_act
        if seat is None or not self.round:
            self._discard(seat, action)
            return
        led = self.led
        if action == PASS and led is not None and self.gems[seat]:
            self.gems[seat] -= 1
        else:
            hand = self.hands[seat]
            character = _CHARACTER.get(action)
            if (
                character is None
                or action not in hand[character]
                or (character != led and led is not None and hand[led])
            ):
                raise IllegalAction(action, seat, self.legal_actions())
            hand[character].remove(action)
            if led is None:
                self.led = character
        trick = self.trick
        trick.append(action)
        if len(trick) < len(self.active):
            self.seat_to_act = self.active[len(trick)]
        else:
            self._end_round()

    def _discard(self, seat: int | None, action: str) -> None:
        """Put a card into the trump pile during the set-up [4.2]."""
        legal = self.legal_actions()
        if seat is None or action not in legal:
            raise IllegalAction(action, seat, legal)
        play = _DISCARDED[action]
        card = _CARD[play]
        self.hands[seat][CHARACTER[card]].remove(play)
        self.discards[seat] = card
        self.trumps.append(card)
        if len(self.trumps) < PLACES:
            self._ask_for_discard()
        else:  # the pile is complete: from now on `trumps` is the trump card of each round
            self.trumps = [self.trumps[place] for order in self.orders for place in order]
            self._begin_round()

    def _ask_for_discard(self) -> None:
        """Ask the next of the last seats, which hold a card too many [4.2]."""
        n = self.variant.seats
        self.seat_to_act = (self.start + n - PLACES + len(self.trumps)) % n

    def _begin_round(self) -> None:
        """Turn the trump card; every seat with a card is to act, from the leader on [5.1]."""
        self.round += 1
        self.trick = []
        self.led = None
        self.table = None
        self.active = self.variant.clockwise[self.leader]
        if self.round > self.variant.hand:  # only now can a seat have run out of cards
            self.active = tuple([seat for seat in self.active if any(self.hands[seat])])
        self.seat_to_act = self.leader

    def _end_round(self) -> None:
        """Find the winner, hand out the loot, go on or end the game [5.3-5.5]."""
        variant, active, trick = self.variant, self.active, self.trick
        trump = self.trumps[self.round - 1]
        assert self.led is not None
        strength = _STRENGTH[CHARACTER[trump]][self.led]
        winner = active[trick.index(max(trick, key=strength.__getitem__))]
        cards = [_CARD[action] for action in trick if action != PASS]
        gems = len(trick) - len(cards)
        if not variant.recycled_trumps:
            cards.append(trump)
        self.areas[winner] += cards
        self.treasure[winner] += gems
        out: list[tuple[int, int]] = []
        self.past.append(PastRound(self.leader, active, trick, winner, cards, gems, out))
        self.leader = winner
        if self.round >= variant.hand:  # only now can a seat have run out of cards
            holding = [seat for seat in active if any(self.hands[seat])]
            for seat in active:
                if seat not in holding and self.gems[seat]:
                    out.append((seat, self.gems[seat]))
                    self.removed[seat] += self.gems[seat]
                    self.gems[seat] = 0
            if not holding:  # always so after the last round [5.6]
                self._end_game()
                return
            self.leader = next(seat for seat in variant.clockwise[winner] if seat in holding)
        self._begin_round()

    def _end_game(self) -> None:
        self.seat_to_act = None
        self.active = ()
        self.trick = []
        self.led = None
        self.table = None

    # -- asking -------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """Return points and ranks per seat, and as detail the result of section 10.2."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        sides = self.variant.sides
        standings = [standing(side, self.areas, self.treasure) for side in sides]
        ranks = rank_sides(standings)
        seats = range(self.variant.seats)
        return Outcome(
            points=tuple([standings[seat % len(sides)].points for seat in seats]),
            ranks=tuple([ranks[seat % len(sides)] for seat in seats]),
            describe=lambda: describe(sides, self.areas, self.treasure),
        )

    def hand_of(self, seat: int) -> tuple[str, ...]:
        """Return the cards that a seat holds, in canonical order."""
        return tuple([_CARD[action] for actions in self.hands[seat] for action in actions])

    def view(self, seat: int | None) -> View:
        """Return the view of section 10.1."""
        return view_for(self, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Event]:
        """Return the events of section 9."""
        return events_for(self, seat, since)

    def clone(self) -> "PotDeVinState":
        """Return an independent copy."""
        other = copy.copy(self)
        other.hands = [[cards.copy() for cards in hand] for hand in self.hands]
        other.gems = self.gems.copy()
        other.treasure = self.treasure.copy()
        other.removed = self.removed.copy()
        other.areas = [area.copy() for area in self.areas]
        other.discards = self.discards.copy()
        other.trumps = self.trumps.copy()
        other.trick = self.trick.copy()
        other.past = self.past.copy()
        other.story = self.story.copy()
        return other
