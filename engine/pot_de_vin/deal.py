"""Deals of Pot de Vin: all the chance of a game, drawn or read from JSON [3]."""

import random
from typing import Any

import msgspec

from engine.contract import RawJson
from engine.errors import InvalidDeal
from engine.fields import check_count, check_seat, read_fields
from engine.pot_de_vin.cards import CARDS, INDEX
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES, Parameters


class Deal(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The starting seat and the order of the cards; hands begin at the starting seat [R3].

    `trump_orders` holds permutations of the four places of a recycled trump pile. It is None in
    the other variants.
    """

    start: int
    cards: tuple[str, ...]
    trump_orders: tuple[tuple[int, ...], ...] | None = None


_FIELDS: dict[str, Any] = {
    "start": int,
    "cards": tuple[str, ...],
    "trump_orders": tuple[tuple[int, ...], ...],
}


def draw_deal(parameters: Parameters, rng: random.Random) -> Deal:
    """Draw a fair deal: each part uniformly and independently."""
    return Deal(
        start=rng.randrange(parameters.seats),
        cards=tuple(rng.sample(CARDS, len(CARDS))),
        trump_orders=(
            tuple([tuple(rng.sample(range(PILE_SIZE), PILE_SIZE)) for _ in range(PILE_USES)])
            if parameters.recycled_trumps
            else None
        ),
    )


def read_deal(parameters: Parameters, raw: RawJson) -> Deal:
    """Return the deal that a JSON object describes.

    Raises:
        InvalidDeal: a field is missing or unknown, or its type or content is wrong.
    """
    names = ("start", "cards", "trump_orders") if parameters.recycled_trumps else ("start", "cards")
    deal = Deal(**read_fields(raw, {name: _FIELDS[name] for name in names}))
    check_seat("start", deal.start, parameters.seats)
    _check_cards(deal.cards)
    if deal.trump_orders is not None:
        _check_trump_orders(deal.trump_orders)
    return deal


def _check_cards(cards: tuple[str, ...]) -> None:
    check_count("cards", cards, len(CARDS), "cards")
    seen = set()
    for place, card in enumerate(cards):
        if card not in INDEX:
            raise InvalidDeal("cards", f"{card!r} at place {place} is not a card")
        if card in seen:
            raise InvalidDeal("cards", f"{card!r} at place {place} is a duplicate")
        seen.add(card)


def _check_trump_orders(orders: tuple[tuple[int, ...], ...]) -> None:
    check_count("trump_orders", orders, PILE_USES, "permutations")
    for order in orders:
        if sorted(order) != list(range(PILE_SIZE)):
            raise InvalidDeal(
                "trump_orders", f"expected permutations of 0..{PILE_SIZE - 1}, got {list(order)}"
            )
