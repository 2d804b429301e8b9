"""Brides & Bribes: families of Genoa marry, bribe and murder their way to the Doge's seat."""

from collections.abc import Iterable

from engine.brides_and_bribes.variant import VARIANTS
from engine.contract import Variant
from engine.plugins import hookimpl


@hookimpl
def register_variants() -> Iterable[Variant]:
    """Return the three variants."""
    return VARIANTS
