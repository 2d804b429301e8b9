"""Hush Money keeps the contract of the engine, and its rules."""

import pytest

from engine import Variant, get_variant
from engine.conformance import check_variant
from hush_money import register_variants


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("variant", register_variants(), ids=lambda variant: variant.id)
def test_the_game_keeps_the_contract(variant: Variant, seed: int) -> None:
    check_variant(variant, seed)


def test_only_the_highest_note_is_paid() -> None:
    variant = get_variant("hush-money/2")
    state = variant.start(variant.read_deal({"notes": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}))
    state.apply("bribe 1")
    state.apply("bribe 2")
    assert state.view(0).hand == (1, 3, 5, 7, 9)
    assert state.view(1).hand == (4, 6, 8, 10)
