"""Bribery: bribes buy officials, officials carry countries, and ties go to nobody."""

from collections.abc import Iterable

from engine.bribery.variant import VARIANTS
from engine.contract import Variant
from engine.plugins import hookimpl


@hookimpl
def register_variants() -> Iterable[Variant]:
    """Return the eight variants."""
    return VARIANTS
