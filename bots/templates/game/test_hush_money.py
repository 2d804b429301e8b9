"""Test Hush Money with the engine's checks."""

import pytest

from engine.conformance import check_variant
from hush_money import HUSH_MONEY


@pytest.mark.parametrize("variant", HUSH_MONEY.variants, ids=lambda variant: variant.id)
def test_conformance(variant):
    check_variant(variant, seed=1)
