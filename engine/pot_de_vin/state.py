"""A position of Pot de Vin and its rules; numbers in brackets are sections of the rules page.

The hot path is `apply`. So a suit of a hand is one number and the actions that it allows are
looked up in a table, the finished rounds are all that is kept of the past, and what people and
bots look at (views, events, the result) is made only when it is asked for, in modules of its own.
"""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from engine.contract import Outcome, State
from engine.errors import GameNotOver, IllegalAction
from engine.pot_de_vin.cards import CHARACTER, CHARACTERS, INDEX, KIND, KINDS, VALUES
from engine.pot_de_vin.deal import PLACES, Deal
from engine.pot_de_vin.events import Story, events_for
from engine.pot_de_vin.hidden import redraw
from engine.pot_de_vin.rounds import (
    CARD,
    DISCARD,
    KIND_TAKEN,
    PASS,
    PLAY,
    STRENGTH,
    PastRound,
    turn_trumps,
)
from engine.pot_de_vin.scoring import describe
from engine.pot_de_vin.tally import rank_sides, score
from engine.pot_de_vin.view import Table, View, view_for

if TYPE_CHECKING:
    from engine.pot_de_vin.variant import PotDeVin

_SUIT_BITS: Final = len(VALUES)
_ALL: Final = (1 << _SUIT_BITS) - 1
_BIT: Final = {card: 1 << index for card, index in INDEX.items()}
"""A set of cards as a number: each character has 13 bits, its suit."""
_PLACE: Final = {
    action: (CHARACTER[card], 1 << INDEX[card] % _SUIT_BITS) for action, card in CARD.items()
}
"""Where the card of an action is in a hand: the number of its character, its bit in that suit."""
_NOWHERE: Final = (0, 0)
NOTHING: Final = -1
"""Is led before the leader has played."""


def _list_plays(character: int) -> list[tuple[str, ...]]:
    """Return the actions that a suit allows, in canonical order, for every suit there can be."""
    plays: list[tuple[str, ...]] = [()]
    for action, (owner, _) in _PLACE.items():
        if owner == character:  # next come the suits that have this card, too
            plays += [(*without, action) for without in plays]
    return plays


_PLAYS: Final = tuple(map(_list_plays, range(len(CHARACTERS))))


class PotDeVinState(State):
    """A position of one game, blank until it is dealt.

    Attributes other than those of `State` are for this package. Lists are changed in place,
    and so copied by `clone`, which shares all else.
    """

    variant: "PotDeVin"
    seat_to_act: int | None
    start: int
    gems: list[int]  # held, by seat
    removed: list[int]  # gems lost [5.4], by seat
    discards: tuple[str | None, ...]  # put away in the set-up, by seat
    round: int  # 0 during the set-up
    active: tuple[int, ...]  # the seats that act in this round, in order
    led: int  # the number of the led character, or `NOTHING`
    trick: list[str]  # what was done in this round, by those who have
    past: list[PastRound]
    table: Table | None  # kept for `view`
    story: Story | None  # kept for `events`
    trumps: tuple[str, ...]  # the trump card of each round
    orders: tuple[tuple[int, ...], ...]  # those of a recycled trump pile
    hands: list[list[int]]  # [seat][character]: a suit

    def deal(self, variant: "PotDeVin", deal: Deal) -> None:
        """Lay out a game before its first decision [4]."""
        n, start, cards = variant.seats, deal.start, deal.cards
        self.variant = variant
        self.start = start
        self.gems = [variant.gems] * n
        self.removed = [0] * n
        self.discards = (None,) * n
        self.round = 0
        self.active = ()
        self.led = NOTHING
        self.trick = []
        self.past = []
        self.table = None
        self.story = None
        self.trumps = cards[: variant.first_hand]
        self.orders = deal.trump_orders or ()
        self.hands = [[] for _ in range(n)]
        order = variant.clockwise[start]
        for place, seat in enumerate(order):
            self.deal_hand(seat, cards[variant.dealt[place]])
        if variant.recycled_trumps:  # the pile grows by set-up discards first [4.2]
            self._ask_for_discard()
        else:
            self._begin_round(order)

    def deal_hand(self, seat: int, cards: Sequence[str]) -> None:
        """Give a seat these cards in place of those that it holds."""
        hand = 0
        for card in cards:
            hand |= _BIT[card]
        self.hands[seat] = [
            hand & _ALL,
            hand >> _SUIT_BITS & _ALL,
            hand >> 2 * _SUIT_BITS & _ALL,
            hand >> 3 * _SUIT_BITS,
        ]

    # -- deciding -----------------------------------------------------------------------------

    def legal_actions(self) -> list[str]:
        """Return the legal actions in canonical order [5.2]."""
        seat = self.seat_to_act
        if seat is None:
            return []
        hand = self.hands[seat]
        led = self.led
        if led != NOTHING and hand[led]:
            actions = [*_PLAYS[led][hand[led]]]
        else:
            aldo, pietra, enzo, ugo = hand
            actions = [*_PLAYS[0][aldo], *_PLAYS[1][pietra], *_PLAYS[2][enzo], *_PLAYS[3][ugo]]
            if not self.round:
                return [DISCARD[action] for action in actions]
        if led != NOTHING and self.gems[seat]:
            actions.append(PASS)
        return actions

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act [5.2]; raises `IllegalAction`."""
        seat = self.seat_to_act
        if seat is None or not self.round:
            self._discard(seat, action)
            return
        led = self.led
        if action == PASS and led != NOTHING and self.gems[seat]:
            self.gems[seat] -= 1
        else:
            hand = self.hands[seat]
            character, bit = _PLACE.get(action, _NOWHERE)
            if not hand[character] & bit or (character != led and led != NOTHING and hand[led]):
                raise IllegalAction(action, seat, self.legal_actions())
            hand[character] -= bit
            if led == NOTHING:
                self.led = character
        trick = self.trick
        trick.append(action)
        turn = len(trick)
        if turn < len(self.active):
            self.seat_to_act = self.active[turn]
        else:
            self._end_round()

    def _discard(self, seat: int | None, action: str) -> None:
        """Put a card into the trump pile during the set-up [4.2]."""
        legal = self.legal_actions()
        if seat is None or action not in legal:
            raise IllegalAction(action, seat, legal)
        card = action.removeprefix("discard ")
        character, bit = _PLACE[PLAY[card]]
        self.hands[seat][character] -= bit
        self.discards = (*self.discards[:seat], card, *self.discards[seat + 1 :])
        self.trumps = (*self.trumps, card)
        if len(self.trumps) < PLACES:
            self._ask_for_discard()
        else:  # the pile is complete: from now on `trumps` is the trump card of each round
            self.trumps = turn_trumps(self.trumps, self.orders)
            self._begin_round(self.variant.clockwise[self.start])

    def _ask_for_discard(self) -> None:
        """Ask the next of the last seats, which hold a card too many [4.2]."""
        n = self.variant.seats
        self.seat_to_act = (self.start + n - PLACES + len(self.trumps)) % n

    def _begin_round(self, active: tuple[int, ...]) -> None:
        """Turn the trump card; these seats are to act, the leader first [5.1]."""
        self.round += 1
        self.active = active
        self.trick = []
        self.led = NOTHING
        self.seat_to_act = active[0]

    def _end_round(self) -> None:
        """Hand out the loot, go on or end the game [5.3-5.5]."""
        variant, before, trick = self.variant, self.active, self.trick
        trump = self.trumps[self.round - 1]
        strength = STRENGTH[trump][self.led]
        winner = best = -1
        for turn, action in enumerate(trick):
            if strength[action] > best:
                winner = before[turn]
                best = strength[action]
        self.past.append((before, trick, winner))
        active = variant.clockwise[winner]
        if self.round >= variant.hand:  # only now can a seat have run out of cards
            active = tuple([seat for seat in active if any(self.hands[seat])])
            if len(active) < len(before):
                self._remove_gems(before, active)
            if not active:  # always so after the last round [5.6]
                self._end_game()
                return
        self._begin_round(active)

    def _remove_gems(self, before: tuple[int, ...], active: tuple[int, ...]) -> None:
        """Take the gems of those that have run out of cards [5.4]."""
        for seat in before:
            if seat not in active:
                self.removed[seat] = self.gems[seat]
                self.gems[seat] = 0

    def _end_game(self) -> None:
        self.seat_to_act = None
        self.active = ()
        self.trick = []
        self.led = NOTHING

    # -- asking -------------------------------------------------------------------------------

    def loot(self, number: int) -> tuple[list[str], int]:
        """Return what the winner of a round took: the cards, and the number of gems [5.4]."""
        _, trick, _ = self.past[number - 1]
        cards = [CARD[action] for action in trick if action != PASS]
        gems = len(trick) - len(cards)
        if not self.variant.recycled_trumps:  # else it stays in the pile
            cards.append(self.trumps[number - 1])
        return cards, gems

    def taken(self) -> tuple[list[list[str]], list[int]]:
        """Return what the seats have won so far, by seat: cards, and numbers of gems."""
        areas: list[list[str]] = [[] for _ in range(self.variant.seats)]
        treasure = [0] * self.variant.seats
        for number, (_, _, winner) in enumerate(self.past, 1):
            cards, gems = self.loot(number)
            areas[winner] += cards
            treasure[winner] += gems
        return areas, treasure

    def outcome(self) -> Outcome:
        """Return points and ranks per seat, and as detail the result of section 10.2."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        tallies = [[0] * KINDS for _ in range(self.variant.seats)]
        recycled = self.variant.recycled_trumps
        for number, (_, trick, winner) in enumerate(self.past):
            own = tallies[winner]
            for action in trick:
                own[KIND_TAKEN[action]] += 1
            if not recycled:
                own[KIND[self.trumps[number]]] += 1
        sides = self.variant.sides
        keys = [score([tallies[seat] for seat in side]) for side in sides]
        mates = len(sides[0])  # seat s is of side s mod k, so sides repeat as often as that
        return Outcome(
            points=tuple([points for points, _, _ in keys] * mates),
            ranks=tuple(rank_sides(keys) * mates),
            describe=lambda: describe(sides, *self.taken()),
        )

    def hand_of(self, seat: int) -> tuple[str, ...]:
        """Return the cards that a seat holds, in canonical order."""
        return tuple(
            [
                CARD[action]
                for character, suit in enumerate(self.hands[seat])
                for action in _PLAYS[character][suit]
            ]
        )

    def hand_size(self, seat: int) -> int:
        """Return how many cards a seat holds."""
        return sum(map(int.bit_count, self.hands[seat]))

    def view(self, seat: int | None) -> View:
        """Return the view of section 10.1."""
        return view_for(self, seat)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        """Return the events of section 9."""
        return events_for(self, seat, since)

    def clone(self) -> "PotDeVinState":
        """Return an independent copy."""
        other = PotDeVinState()
        other.variant = self.variant
        other.seat_to_act = self.seat_to_act
        other.start = self.start
        other.gems = self.gems.copy()
        other.removed = self.removed.copy()
        other.discards = self.discards
        other.round = self.round
        other.active = self.active
        other.led = self.led
        other.trick = self.trick.copy()
        other.past = self.past.copy()
        other.table = self.table
        other.story = self.story
        other.trumps = self.trumps
        other.orders = self.orders
        other.hands = [hand.copy() for hand in self.hands]
        return other

    def determinize(self, seat: int, rng: random.Random) -> "PotDeVinState":
        """Return a copy in which all that `seat` cannot know is drawn anew."""
        other = self.clone()
        redraw(other, seat, [self.hand_size(s) for s in range(self.variant.seats)], rng)
        return other
