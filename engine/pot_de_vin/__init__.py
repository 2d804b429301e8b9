"""Pot de Vin: trick-taking for guild cards, where a gem buys you out of a trick."""

from collections.abc import Iterable

from engine.contract import Variant
from engine.plugins import hookimpl
from engine.pot_de_vin.variant import VARIANTS


@hookimpl
def register_variants() -> Iterable[Variant]:
    """Return the five variants."""
    return VARIANTS
