"""All the chance of one game: who starts, and how the cards lie [3]."""

import random
from typing import Any

import msgspec

from engine.contract import RawJson
from engine.errors import InvalidDeal
from engine.fields import read_fields
from engine.pot_de_vin.cards import CARDS, INDEX

ORDERS = 3
"""A recycled trump pile is used this many times [R18]."""
PLACES = 4
"""A recycled trump pile has this many cards."""


class Deal(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A deal; hands lie relative to the starting seat [R3].

    `trump_orders`, only where the trump pile is recycled, are permutations of the four places
    of the pile.
    """

    start: int
    cards: tuple[str, ...]
    trump_orders: tuple[tuple[int, ...], ...] | None = None


_FIELDS: dict[str, Any] = {
    "start": int,
    "cards": tuple[str, ...],
    "trump_orders": tuple[tuple[int, ...], ...],
}


def draw_deal(seats: int, recycled_trumps: bool, rng: random.Random) -> Deal:
    """Draw a fair deal: every part uniformly and independently."""
    return Deal(
        start=rng.randrange(seats),
        cards=tuple(rng.sample(CARDS, len(CARDS))),
        trump_orders=(
            tuple([tuple(rng.sample(range(PLACES), PLACES)) for _ in range(ORDERS)])
            if recycled_trumps
            else None
        ),
    )


def read_deal(raw: RawJson, seats: int, recycled_trumps: bool) -> Deal:
    """Return the deal that a JSON object describes.

    Raises:
        InvalidDeal: a field is missing, unknown, of a wrong type or has a wrong content.
    """
    types = _FIELDS if recycled_trumps else {name: _FIELDS[name] for name in ("start", "cards")}
    deal = Deal(**read_fields(raw, types))
    _check(deal, seats)
    return deal


def _check(deal: Deal, seats: int) -> None:
    if not 0 <= deal.start < seats:
        raise InvalidDeal("start", f"expected a seat 0..{seats - 1}, got {deal.start}")
    if len(deal.cards) != len(CARDS):
        raise InvalidDeal("cards", f"expected {len(CARDS)} cards, got {len(deal.cards)}")
    seen = set()
    for place, card in enumerate(deal.cards):
        if card not in INDEX:
            raise InvalidDeal("cards", f"{card!r} at place {place} is not a card")
        if card in seen:
            raise InvalidDeal("cards", f"{card!r} at place {place} stands there twice")
        seen.add(card)
    if deal.trump_orders is None:
        return
    if len(deal.trump_orders) != ORDERS:
        raise InvalidDeal(
            "trump_orders", f"expected {ORDERS} permutations, got {len(deal.trump_orders)}"
        )
    for order in deal.trump_orders:
        if sorted(order) != list(range(PLACES)):
            raise InvalidDeal(
                "trump_orders", f"expected permutations of 0..{PLACES - 1}, got {list(order)}"
            )
