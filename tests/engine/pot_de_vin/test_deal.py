"""Deals: how they are drawn, read and refused, and how they lie on the table (section 3)."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engine import InvalidDeal, Variant, get_variant
from tests.engine.games import Json, as_json, raw_deal
from tests.engine.pot_de_vin.play import CARDS, VARIANTS, each_variant

SIX = get_variant("pot-de-vin/6-teams")


@each_variant
def test_a_deal_is_fair(variant: Variant) -> None:
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


def without(field: str) -> Callable[[Json], Json]:
    return lambda raw: {key: raw[key] for key in raw if key != field}


def having(field: str, change: Callable[[Any], Any]) -> Callable[[Json], Json]:
    return lambda raw: raw | {field: change(raw.get(field))}


def constant(thing: object) -> Callable[[Any], Any]:
    return lambda _: thing


WRONG_ANYWHERE = [
    ("start no seat", "start", having("start", constant(6))),
    ("51 cards", "cards", having("cards", lambda cards: cards[1:])),
    ("53 cards", "cards", having("cards", lambda cards: [*cards, cards[0]])),
    ("a card twice", "cards", having("cards", lambda cards: [cards[1], *cards[1:]])),
    ("no such value", "cards", having("cards", lambda cards: ["aldo-14", *cards[1:]])),
    ("a leading zero", "cards", having("cards", lambda cards: ["aldo-01", *cards[1:]])),
    ("a space", "cards", having("cards", lambda cards: [f"{cards[0]} ", *cards[1:]])),
]
WRONG_IN_SIX = [
    ("two orders", having("trump_orders", lambda orders: orders[:2])),
    ("a short order", having("trump_orders", lambda orders: [[0, 1, 2], *orders[1:]])),
    ("a place twice", having("trump_orders", lambda orders: [*orders[:2], [0, 1, 2, 2]])),
    ("no such place", having("trump_orders", lambda orders: [*orders[:2], [1, 2, 3, 4]])),
]


@each_variant
@pytest.mark.parametrize(
    ("field", "spoil"), [row[1:] for row in WRONG_ANYWHERE], ids=[row[0] for row in WRONG_ANYWHERE]
)
def test_a_wrong_deal_is_refused(
    variant: Variant, field: str, spoil: Callable[[Json], Json]
) -> None:
    """The error names the field that is wrong."""
    with pytest.raises(InvalidDeal, match=field) as caught:
        variant.read_deal(spoil(raw_deal(variant)))
    assert caught.value.field == field


@pytest.mark.parametrize(
    "spoil", [row[1] for row in WRONG_IN_SIX], ids=[row[0] for row in WRONG_IN_SIX]
)
def test_wrong_trump_orders_are_refused(spoil: Callable[[Json], Json]) -> None:
    with pytest.raises(InvalidDeal, match="trump_orders") as caught:
        SIX.read_deal(spoil(raw_deal(SIX)))
    assert caught.value.field == "trump_orders"


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v is not SIX], ids=lambda v: v.id)
@pytest.mark.parametrize("orders", [None, [], [[0, 1, 2, 3]] * 3])
def test_only_six_seats_have_trump_orders(variant: Variant, orders: object) -> None:
    with pytest.raises(InvalidDeal) as caught:
        variant.read_deal(raw_deal(variant) | {"trump_orders": orders})
    assert caught.value.field == "trump_orders"
