"""Bribery: a majority game of officials, who bring votes, and of bribes, which control them."""

from collections.abc import Iterable

from engine.bribery.variant import VARIANTS
from engine.contract import Variant
from engine.plugins import hookimpl


@hookimpl
def register_variants() -> Iterable[Variant]:
    """Return the eight variants."""
    return VARIANTS
