"""A toy game for tests: who hides the highest card.

Everybody is dealt four cards. In each of four rounds everybody hides one, in order and unseen
by the others; then all are shown and the highest scores a point for its side.
"""

import copy
import random
from typing import ClassVar

import msgspec

from engine import GameNotOver, IllegalAction, InvalidDeal, Outcome, State, Variant

ROUNDS = 4


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Four cards for each seat, one seat after the other."""

    cards: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """What a seat may know: its cards, the card that it hides, and all that was shown."""

    seat: int | None
    hand: tuple[int, ...]
    hidden: int | None
    shown: tuple[tuple[int, ...], ...]
    to_act: int | None
    legal: tuple[str, ...]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """What a seat is told."""


class Hid(Event, frozen=True, tag="hide"):
    """A seat hid a card, which only the seat itself is told."""

    seat: int
    card: int | None


class Shown(Event, frozen=True, tag="show"):
    """All show what they hid."""

    cards: tuple[int, ...]


class Points(msgspec.Struct, frozen=True):
    """The result: points by side."""

    points: tuple[int, ...]


class HighCardState(State):
    """A position."""

    variant: "HighCard"

    def __init__(self, variant: "HighCard", deal: Deal) -> None:
        self.variant = variant
        self.seat_to_act = 0
        self.hands = [
            sorted(deal.cards[first : first + ROUNDS])
            for first in range(0, len(deal.cards), ROUNDS)
        ]
        self.hidden: list[int] = []
        self.shown: list[tuple[int, ...]] = []

    def legal_actions(self) -> list[str]:
        if self.seat_to_act is None:
            return []
        return [f"hide {card}" for card in self.hands[self.seat_to_act]]

    def apply(self, action: str) -> None:
        legal = self.legal_actions()
        if action not in legal:
            raise IllegalAction(action, self.seat_to_act, legal)
        card = int(action.removeprefix("hide "))
        self.hands[self.seat_to_act].remove(card)
        self.hidden.append(card)
        if len(self.hidden) == self.variant.seats:
            self.shown.append(tuple(self.hidden))
            self.hidden.clear()
        self.seat_to_act = None if len(self.shown) == ROUNDS else len(self.hidden)

    def view(self, seat: int | None) -> View:
        return View(
            seat=seat,
            hand=() if seat is None else tuple(self.hands[seat]),
            hidden=None if seat is None or seat >= len(self.hidden) else self.hidden[seat],
            shown=tuple(self.shown),
            to_act=self.seat_to_act,
            legal=tuple(self.legal_actions()) if seat == self.seat_to_act else (),
        )

    def events(self, seat: int | None, since: int = 0) -> list[Event]:
        events: list[Event] = []
        for cards in self.shown:
            events += self._hidings(cards, seat)
            events.append(Shown(cards))
        events += self._hidings(self.hidden, seat)
        return events[since:]

    def _hidings(self, cards: tuple[int, ...] | list[int], seat: int | None) -> list[Event]:
        return [Hid(who, card if who == seat else None) for who, card in enumerate(cards)]

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver(f"seat {self.seat_to_act} is to act")
        won = [cards.index(max(cards)) for cards in self.shown]
        points = [sum(seat in side for seat in won) for side in self.variant.sides]
        ranks = [1 + sum(other > own for other in points) for own in points]
        side_of = {seat: i for i, side in enumerate(self.variant.sides) for seat in side}
        seats = range(self.variant.seats)
        return Outcome(
            points=tuple(points[side_of[seat]] for seat in seats),
            ranks=tuple(ranks[side_of[seat]] for seat in seats),
            describe=lambda: Points(tuple(points)),
        )

    def clone(self) -> "HighCardState":
        return copy.deepcopy(self, {id(self.variant): self.variant})

    def determinize(self, seat: int, rng: random.Random) -> "HighCardState":
        return self.variant.draw_world(HighCardState.view(self, seat), rng)


class HighCard(Variant):
    """Three seats, each for itself."""

    id = "high-card/3"
    game = "high-card"
    seats = 3
    teams: tuple[tuple[int, ...], ...] | None = None
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, state_type: type[HighCardState] = HighCardState) -> None:
        self.state_type = state_type

    def deal(self, rng: random.Random) -> Deal:
        count = self.seats * ROUNDS
        return Deal(tuple(rng.sample(range(1, count + 1), count)))

    def read_deal(self, raw: object) -> Deal:
        try:
            deal = msgspec.convert(raw, Deal)
        except msgspec.ValidationError as error:
            raise InvalidDeal("cards", str(error)) from None
        if sorted(deal.cards) != list(range(1, self.seats * ROUNDS + 1)):
            raise InvalidDeal("cards", "not one each")
        return deal

    def start(self, deal: Deal) -> HighCardState:
        return self.state_type(self, deal)

    def draw_world(self, view: View, rng: random.Random) -> HighCardState:
        hands = [[cards[seat] for cards in view.shown] for seat in range(self.seats)]
        hands[view.seat] += view.hand if view.hidden is None else (view.hidden, *view.hand)
        unseen = set(range(1, self.seats * ROUNDS + 1)).difference(*hands)
        drawn = rng.sample(sorted(unseen), len(unseen))
        for hand in hands:
            while len(hand) < ROUNDS:
                hand.append(drawn.pop())
        state = self.start(Deal(tuple(card for hand in hands for card in hand)))
        for number in range(len(view.shown) + 1):
            acted = self.seats if number < len(view.shown) else view.to_act or 0
            for seat in range(acted):
                state.apply(f"hide {hands[seat][number]}")
        return state


class HighCardTeams(HighCard):
    """Four seats in two teams."""

    id = "high-card/4-teams"
    seats = 4
    teams = ((0, 2), (1, 3))
