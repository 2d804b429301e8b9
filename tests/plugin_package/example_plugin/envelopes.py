"""A game: favours are for sale, and everybody bids for each with an envelope.

There are five favours, worth 1 to 5 points; one after the other comes up in an order that is
dealt. Everybody has five envelopes, with 1 to 5 coins. For each favour everybody puts down an
envelope, unseen by the others; then all are opened and kept by the officials. The one with most
coins wins the favour; if several have most, nobody does.
"""

import copy
import random
from collections.abc import Sequence

import msgspec

from engine import GameNotOver, IllegalAction, InvalidDeal, Outcome, State, Variant

COINS = (1, 2, 3, 4, 5)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the chance of a game."""

    favours: tuple[int, ...]
    """The favours in the order in which they come up."""


class View(msgspec.Struct, frozen=True):
    """What a seat may know."""

    seat: int | None
    to_act: int | None
    hand: tuple[int, ...]
    """The seat's envelopes that are left, without the one that it has put down."""
    mine: int | None
    """The envelope that it has put down for this favour."""
    favours: tuple[int, ...]
    """Those that have come up; while the game lasts, the last one is for sale."""
    opened: tuple[tuple[int, ...], ...]
    """For each favour that was sold: the envelope of each seat."""
    legal: tuple[str, ...]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """What a seat is told."""


class Offered(Event, frozen=True, tag="offer"):
    """A favour comes up."""

    favour: int


class Opened(Event, frozen=True, tag="open"):
    """All envelopes are opened."""

    envelopes: tuple[int, ...]


class Result(msgspec.Struct, frozen=True):
    """How it ended: the favours that each seat has won."""

    won: tuple[tuple[int, ...], ...]


class EnvelopesState(State):
    """A position."""

    variant: "Envelopes"

    def __init__(self, variant: "Envelopes", deal: Deal) -> None:
        self.variant = variant
        self.seat_to_act = 0
        self.favours = deal.favours
        self.hands = [list(COINS) for _ in range(variant.seats)]
        self.down: list[int] = []
        self.opened: list[tuple[int, ...]] = []

    def legal_actions(self) -> list[str]:
        if self.seat_to_act is None:
            return []
        return [f"bid {coins}" for coins in self.hands[self.seat_to_act]]

    def apply(self, action: str) -> None:
        legal = self.legal_actions()
        if self.seat_to_act is None or action not in legal:
            raise IllegalAction(action, self.seat_to_act, legal)
        self.down.append(self.hands[self.seat_to_act].pop(legal.index(action)))
        if len(self.down) == self.variant.seats:
            self.opened.append(tuple(self.down))
            self.down.clear()
        self.seat_to_act = None if len(self.opened) == len(COINS) else len(self.down)

    def view(self, seat: int | None) -> View:
        return View(
            seat=seat,
            to_act=self.seat_to_act,
            hand=() if seat is None else tuple(self.hands[seat]),
            mine=self.down[seat] if seat is not None and seat < len(self.down) else None,
            favours=self.favours[: len(self.opened) + 1],
            opened=tuple(self.opened),
            legal=tuple(self.legal_actions()) if seat == self.seat_to_act else (),
        )

    def events(self, seat: int | None, since: int = 0) -> Sequence[Event]:
        told: list[Event] = []
        for favour, envelopes in zip(self.favours, self.opened, strict=False):
            told += [Offered(favour), Opened(envelopes)]
        if self.seat_to_act is not None:
            told.append(Offered(self.favours[len(self.opened)]))
        return told[since:]

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver(f"seat {self.seat_to_act} is to act")
        won: list[list[int]] = [[] for _ in self.hands]
        for favour, envelopes in zip(self.favours, self.opened, strict=True):
            most = max(envelopes)
            if envelopes.count(most) == 1:
                won[envelopes.index(most)].append(favour)
        points = tuple(map(sum, won))
        return Outcome(
            points=points,
            ranks=tuple(1 + sum(other > own for other in points) for own in points),
            describe=lambda: Result(tuple(map(tuple, won))),
        )

    def clone(self) -> "EnvelopesState":
        return copy.deepcopy(self, {id(self.variant): self.variant})


class Envelopes(Variant):
    """The game for a number of seats."""

    game = "envelopes"
    teams = None
    rules_version = 1
    view_type = View

    def __init__(self, seats: int) -> None:
        self.id = f"envelopes/{seats}"
        self.seats = seats

    def deal(self, rng: random.Random) -> Deal:
        return Deal(tuple(rng.sample(COINS, len(COINS))))

    def read_deal(self, raw: object) -> Deal:
        try:
            deal = msgspec.convert(raw, Deal)
        except msgspec.ValidationError as error:
            raise InvalidDeal("favours", str(error)) from None
        if sorted(deal.favours) != list(COINS):
            raise InvalidDeal("favours", f"expected 1 to 5 once each, got {deal.favours}")
        return deal

    def start(self, deal: msgspec.Struct) -> EnvelopesState:
        assert isinstance(deal, Deal)
        return EnvelopesState(self, deal)

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> EnvelopesState:
        assert isinstance(view, View)
        unseen = [favour for favour in COINS if favour not in view.favours]
        state = self.start(Deal((*view.favours, *rng.sample(unseen, len(unseen)))))
        for envelopes in view.opened:
            for coins in envelopes:
                state.apply(f"bid {coins}")
        while state.seat_to_act != view.to_act:
            own = f"bid {view.mine}"
            legal = state.legal_actions()
            state.apply(own if state.seat_to_act == view.seat else rng.choice(legal))
        return state
