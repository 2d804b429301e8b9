"""Deals: how they are drawn, read and refused, and how they lie on the table (section 3)."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from engine import InvalidDeal, Variant, get_variant
from tests.engine.games import as_json, raw_deal
from tests.engine.pot_de_vin.play import CARDS, VARIANTS, each_variant

SIX = get_variant("pot-de-vin/6-teams")


@each_variant
def test_deals_are_fair(variant: Variant) -> None:
    """Each seat starts equally often, and each card lies equally often in each place."""
    rng, count = random.Random(3), 2600
    raws = [as_json(variant.deal(rng)) for _ in range(count)]
    starts = Counter(raw["start"] for raw in raws)
    assert all(abs(starts[seat] - count / variant.seats) < 120 for seat in range(variant.seats))
    for place in range(52):
        cards = Counter(raw["cards"][place] for raw in raws)
        assert all(abs(cards[card] - count / 52) < 40 for card in CARDS)
    if variant is SIX:
        for number in range(3):
            orders = Counter(tuple(raw["trump_orders"][number]) for raw in raws)
            assert len(orders) == 24
            assert all(abs(times - count / 24) < 60 for times in orders.values())


# -- refusals -----------------------------------------------------------------------------------


WRONG: list[tuple[str, Callable[[Any], Any]]] = [
    ("start", lambda start: 6),
    ("cards", lambda cards: cards[1:]),
    ("cards", lambda cards: [*cards, cards[0]]),
    ("cards", lambda cards: [cards[1], *cards[1:]]),
    ("cards", lambda cards: ["aldo-14", *cards[1:]]),
    ("cards", lambda cards: ["aldo-01", *cards[1:]]),
    ("cards", lambda cards: [f"{cards[0]} ", *cards[1:]]),
    ("trump_orders", lambda orders: orders[:2]),
    ("trump_orders", lambda orders: [[0, 1, 2], *orders[1:]]),
    ("trump_orders", lambda orders: [*orders[:2], [0, 1, 2, 2]]),
    ("trump_orders", lambda orders: [*orders[:2], [1, 2, 3, 4]]),
]


def test_rejects_invalid_deal() -> None:
    for field, change in WRONG:
        right = raw_deal(SIX)
        with pytest.raises(InvalidDeal, match=field) as caught:
            SIX.read_deal(right | {field: change(right[field])})
        assert caught.value.field == field


def test_only_six_seats_have_trump_orders() -> None:
    for variant, orders in product(VARIANTS[:-1], [None, [], [[0, 1, 2, 3]] * 3]):
        with pytest.raises(InvalidDeal) as caught:
            variant.read_deal(raw_deal(variant) | {"trump_orders": orders})
        assert caught.value.field == "trump_orders"
