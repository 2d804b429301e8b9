"""Kuhn poker: each of two players has one of three cards, and one chip to bet."""

from dataclasses import dataclass, field
from itertools import permutations
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine import Game, Position

Card = Literal["jack", "queen", "king"]
Word = Literal["pass", "bet"]
CARDS: list[Card] = ["jack", "queen", "king"]
ENDS = (["pass", "pass"], ["bet", "pass"], ["bet", "bet"])


class Deal(Struct, frozen=True):
    cards: tuple[Card, Card]  # by seat


class View(Struct, frozen=True):
    seat: int | None
    card: Card | None
    said: Annotated[tuple[Word, ...], Meta(max_length=3)]


@dataclass
class Hand(Position):
    cards: tuple[Card, Card]
    said: list[Word] = field(default_factory=list)


def say(hand: Hand, action: str) -> None:
    hand.log.note("said", seat=hand.seat_to_act, word=action)
    hand.said.append("bet" if action == "bet" else "pass")
    hand.seat_to_act = None if hand.said[-2:] in ENDS else len(hand.said) % 2


def chips(hand: Hand) -> list[int]:
    """Return what each seat wins: one chip, or two if both bet."""
    best = int(CARDS.index(hand.cards[1]) > CARDS.index(hand.cards[0]))
    winner = len(hand.said) % 2 if hand.said[-2:] == ["bet", "pass"] else best
    won = 2 if hand.said.count("bet") == 2 else 1
    return [won if seat == winner else -won for seat in (0, 1)]


KUHN_POKER = Game(
    "kuhn-poker",
    {"2": 2},
    View,
    deal_type=Deal,
    list_deals=lambda _: [(Deal((a, b)), 1 / 6) for a, b in permutations(CARDS, 2)],
    start=lambda _, deal: Hand(deal.cards),
    actions=["pass", "bet"],
    apply=say,
    score=chips,
    view=lambda hand, seat: View(seat, None if seat is None else hand.cards[seat], (*hand.said,)),
)
