"""Deals: how they are dealt, drawn, read and refused (section 3), and what a variant has (2)."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import InvalidDeal, variants
from engine.game import GameVariant
from tests.engine.bribery.play import (
    BRIBES,
    BY_ID,
    SUITED,
    VARIANTS,
    basic_id,
    pattern,
)
from tests.engine.games import SEEDS, Json, as_json, raw_deal

TABLE = {
    "bribery/2": (2, None, 2, 6, [24, 24], 8, 48),
    "bribery/3": (3, None, 3, 8, [16, 16, 15], 6, 47),
    "bribery/4": (4, None, 4, 10, [12, 12, 11, 11], 4, 46),
    "bribery/4-teams": (4, ((0, 2), (1, 3)), 2, 10, [11, 11, 11, 11], 4, 44),
}
"""Seats, teams, jokers, board, deck sizes from the start on, rounds, card plays [2]."""


def test_there_are_eight_variants() -> None:
    found = [name for name, variant in variants().items() if variant.game == "bribery"]
    assert found == [*TABLE, *[f"{name}-advanced" for name in TABLE]]


def test_variants_match_the_table() -> None:
    for variant in VARIANTS:
        seats, teams, jokers, board, sizes, rounds, plays = TABLE[basic_id(variant)]
        assert (variant.seats, variant.teams) == (seats, teams)
        parameters = variant.parameters
        assert (parameters.jokers, parameters.board_size) == (jokers, board)
        assert (parameters.rounds, parameters.plays) == (rounds, plays)
        assert [len(pattern(variant, seat, 0)) for seat in range(seats)] == sizes
        for start, seat in product(range(seats), range(seats)):
            assert parameters.pattern(seat, start) == pattern(variant, seat, start)


@settings(max_examples=60)
@given(variant=st.sampled_from(VARIANTS), seed=SEEDS)
def test_drawn_deal_is_valid(variant: GameVariant, seed: int) -> None:
    raw = raw_deal(variant, seed)
    assert list(raw) == ["jokers", "board", "decks", "start"]
    assert raw["jokers"] == sorted(raw["jokers"])
    cards = raw["board"] + [card for deck in raw["decks"] for card in deck]
    assert sorted(cards) == sorted(BRIBES + SUITED + raw["jokers"])
    for seat, deck in enumerate(raw["decks"]):
        types = "".join("B" if card in BRIBES else "O" for card in deck)
        assert types == pattern(variant, seat, raw["start"])
    assert as_json(variant.read_deal(raw)) == raw
    assert as_json(BY_ID[basic_id(variant)].read_deal(raw)) == raw


@pytest.mark.parametrize("name", list(TABLE))
def test_deals_are_fair(name: str) -> None:
    variant, rng, count = BY_ID[name], random.Random(3), 2000
    raws = [as_json(variant.deal(rng)) for _ in range(count)]

    def check(found: Counter[Any], kinds: int, share: float = 1.0) -> None:
        expected = count * share / kinds
        assert len(found) == kinds
        assert all(abs(times - expected) < 5 * expected**0.5 for times in found.values())

    check(Counter(raw["start"] for raw in raws), variant.seats)
    if variant.parameters.jokers < 4:
        check(
            Counter(joker for raw in raws for joker in raw["jokers"]), 4, variant.parameters.jokers
        )
    check(
        Counter(raw["board"][0] for raw in raws if raw["board"][0] in SUITED),
        16,
        16 / (16 + variant.parameters.jokers),
    )
    for place in (1, 2, -1):  # where all decks have bribes
        cards = Counter(raw["decks"][raw["start"]][place] for raw in raws)
        check(Counter({card: n for card, n in cards.items() if card in BRIBES}), 36)


# -- refusals -----------------------------------------------------------------------------------


def having(field: str, change: Callable[[Any], Any]) -> Callable[[Json], Json]:
    return lambda raw: raw | {field: change(raw[field])}


def first_two_swapped(decks: Any) -> Any:
    (one, other, *rest), *others = decks
    return [[other, one, *rest], *others]


def first_card(card: str) -> Callable[[Json], Json]:
    return having("decks", lambda decks: [[card, *decks[0][1:]], *decks[1:]])


WRONG = [
    # 1: jokers and start
    ("too few jokers", "jokers", "expected 2, got 1", having("jokers", lambda j: j[:1])),
    ("a joker twice", "jokers", "duplicate", having("jokers", lambda j: [j[0], j[0]])),
    ("jokers descending", "jokers", "ascending", having("jokers", lambda j: j[::-1])),
    ("no such joker", "jokers", "'joker-5'", having("jokers", lambda j: [j[0], "joker-5"])),
    ("start no seat", "start", "0..1, got 2", having("start", lambda s: 2)),
    # 2: the board
    ("a small board", "board", "expected 6, got 5", having("board", lambda b: b[1:])),
    ("a bribe on it", "board", "'2s'", having("board", lambda b: ["2s", *b[1:]])),
    # 3: each card once
    ("a card twice", "decks", "duplicate", lambda raw: raw | {"decks": [raw["decks"][0]] * 2}),
    ("an unknown card", "decks", "'11s'", first_card("11s")),
    ("a joker out of the game", "decks", "'joker-4'", first_card("joker-4")),
    ("a deck missing", "decks", "expected 2, got 1", having("decks", lambda d: d[:1])),
    # 4: the pattern
    ("official too deep", "decks", "as OBBBOBBB.*, got BOBB", having("decks", first_two_swapped)),
    ("decks uneven", "decks", "seat 0", having("decks", lambda d: [[*d[0], d[1][-1]], d[1][:-1]])),
    # not even of the form
]  # fmt: skip


def test_rejects_invalid_deal() -> None:
    variant = BY_ID["bribery/2"]
    raw = next(
        raw
        for raw in (raw_deal(variant, seed) for seed in range(100))
        if raw["start"] == 0 and raw["jokers"] == ["joker-1", "joker-2"]
    )
    for _, field, text, spoil in WRONG:
        with pytest.raises(InvalidDeal, match=rf"^invalid deal: {field}: .*{text}") as caught:
            variant.read_deal(spoil(raw))
        assert caught.value.field == field


def test_rejects_deal_of_another_variant() -> None:
    for variant, other in product(VARIANTS, VARIANTS):
        if basic_id(other) != basic_id(variant):
            with pytest.raises(InvalidDeal):
                variant.read_deal(raw_deal(other))
