"""Hush Money. Until you change its rules, it is a game of sealed bribes for five officials."""

from engine import Variant, hookimpl
from hush_money.cards import NOTES
from hush_money.variant import HushMoneyVariant


@hookimpl
def register_variants() -> list[Variant]:
    """Return the variants of this package, one for each number of seats."""
    return [HushMoneyVariant(seats) for seats in NOTES]
