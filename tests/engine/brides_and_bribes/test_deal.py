"""Deals and set-up: how a deal is drawn, read and refused (section 3), and what it sets up (4)."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import InvalidDeal, Variant, variants
from tests.engine.brides_and_bribes.play import EXAMPLE_DEAL, VARIANTS, each_variant
from tests.engine.brides_and_bribes.table import (
    BOROUGHS,
    COMMONS,
    FAMILIES,
    FIRST_BRIDES,
    LORDS,
    SECOND_BRIDES,
    kind_of,
)
from tests.engine.games import SEEDS, as_json, raw_deal

FIELDS = ["boroughs", "families", "favor", "lords", "first_brides", "second_brides", "decks"]

# -- the table [2] -------------------------------------------------------------------------------


def test_variants_are_registered_in_order() -> None:
    ours = [variant.id for variant in variants().values() if variant.game == "brides-and-bribes"]
    assert ours == [f"brides-and-bribes/{n}" for n in (3, 4, 5)]
    assert [variant.seats for variant in VARIANTS] == [3, 4, 5]
    assert {variant.teams for variant in VARIANTS} == {None}


# -- drawing and reading [3] ---------------------------------------------------------------------


def test_reads_example_of_the_rules() -> None:
    assert as_json(VARIANTS[0].read_deal(EXAMPLE_DEAL)) == EXAMPLE_DEAL


@settings(max_examples=60)
@given(variant=st.sampled_from(VARIANTS), seed=SEEDS)
def test_drawn_deal_is_valid(variant: Variant, seed: int) -> None:
    raw, n = raw_deal(variant, seed), variant.seats
    assert list(raw) == FIELDS
    assert raw["boroughs"] == [name for name in BOROUGHS if name in raw["boroughs"]]
    assert len(raw["boroughs"]) == n
    assert raw["boroughs"][-1] == "port"
    assert len(set(raw["families"])) == len(raw["families"]) == n
    assert set(raw["families"]) <= set(FAMILIES)
    assert sorted(raw["favor"]) == list(range(n))
    assert len(set(raw["lords"])) == len(raw["lords"]) == n
    assert {"adorno"} <= set(raw["lords"]) <= set(LORDS)
    assert sorted(raw["first_brides"]) == FIRST_BRIDES
    assert sorted(raw["second_brides"]) == SECOND_BRIDES
    assert list(raw["decks"]) == raw["boroughs"]
    for name, deck in raw["decks"].items():
        assert sorted(deck) == sorted(COMMONS[name])
    assert kind_of(raw["decks"]["port"][0]) == "assassin"
    assert as_json(variant.read_deal(raw)) == raw


@each_variant
def test_deals_are_fair(variant: Variant) -> None:
    """What the last column of the table in section 3 draws is drawn equally often."""
    rng, count, n = random.Random(3), 2000, variant.seats
    raws = [as_json(variant.deal(rng)) for _ in range(count)]

    def check(found: Counter[Any], kinds: int, share: float = 1.0) -> None:
        expected = count * share / kinds
        assert len(found) == kinds
        assert all(abs(times - expected) < 5 * expected**0.5 for times in found.values())

    check(Counter(name for raw in raws for name in raw["boroughs"][:-1]), 4, n - 1)
    check(Counter(raw["families"][0] for raw in raws), 5)
    check(Counter(raw["families"][-1] for raw in raws), 5)
    check(Counter(raw["favor"][0] for raw in raws), n)
    check(Counter(raw["lords"].index("adorno") for raw in raws), n)
    others = [lord for raw in raws for lord in raw["lords"] if lord != "adorno"]
    check(Counter(others), 4, n - 1)
    for field in ("first_brides", "second_brides"):
        check(Counter(raw[field][0] for raw in raws), 7)
        check(Counter(raw[field][-1] for raw in raws), 7)
    check(Counter(raw["decks"]["port"][0] for raw in raws), 2)
    in_port = Counter(raw["decks"]["port"][1] for raw in raws)
    assassins = in_port.pop("assassin-1") + in_port.pop("assassin-2")
    check(in_port | Counter({"assassin": assassins}), 5)
    village = [raw["decks"]["village"] for raw in raws if "village" in raw["boroughs"]]
    check(Counter(deck[0] for deck in village), 6, len(village) / count)


# -- refusals ------------------------------------------------------------------------------------

Spoil = Callable[[Any], Any]


def begins(name: str) -> Spoil:
    return lambda row: [name, *row[1:]]


def deck_of(name: str, change: Spoil) -> Spoil:
    return lambda decks: decks | {name: change(decks[name])}


WRONG: list[tuple[str, str, Spoil]] = [
    ("too few boroughs", "boroughs", lambda row: row[1:]),
    ("not in canonical order", "boroughs", lambda row: [row[1], row[0], row[2]]),
    ("the port is missing", "boroughs", lambda row: ["village", "citadel", "market"]),
    ("a borough twice", "boroughs", lambda row: ["market", "market", "port"]),
    ("too few families", "families", lambda row: row[1:]),
    ("a family twice", "families", lambda row: [row[0], row[0], row[2]]),
    ("too few seats", "favor", lambda row: [1, 0]),
    ("a seat twice", "favor", lambda row: [2, 2, 0]),
    ("a negative seat", "favor", lambda row: [-1, 1, 0]),
    ("without adorno", "lords", lambda row: ["fieschi", "doria", "spinola"]),
    ("a lord twice", "lords", lambda row: ["adorno", "adorno", "spinola"]),
    ("too few first brides", "first_brides", lambda row: row[:6]),
    ("a first bride twice", "first_brides", lambda row: [*row[:6], row[0]]),
    ("a second one among the first", "first_brides", lambda row: [*row[:6], "agnese"]),
    ("a first one among the second", "second_brides", begins("bianca")),
    ("a deck is missing", "decks", lambda decks: {k: decks[k] for k in ("village", "port")}),
    ("a deck of five", "decks", deck_of("market", lambda deck: deck[1:])),
    ("a card twice", "decks", deck_of("market", lambda deck: [deck[1], *deck[1:]])),
    ("a card of another borough", "decks", deck_of("market", lambda deck: ["hag", *deck[1:]])),
    ("no assassin on top", "decks", deck_of("port", lambda deck: [deck[1], deck[0], *deck[2:]])),
]  # fmt: skip


def test_rejects_invalid_deal() -> None:
    for _, field, spoil in WRONG:
        raw = EXAMPLE_DEAL | {field: spoil(EXAMPLE_DEAL[field])}
        with pytest.raises(InvalidDeal, match=rf"^invalid deal: {field}: ") as caught:
            VARIANTS[0].read_deal(raw)
        assert caught.value.field == field


def test_rejects_deal_of_another_variant() -> None:
    for variant, other in permutations(VARIANTS, 2):
        with pytest.raises(InvalidDeal):
            variant.read_deal(raw_deal(other))
