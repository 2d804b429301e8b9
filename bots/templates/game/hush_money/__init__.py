"""Hush Money. Until you change its rules, it is a game of sealed bribes for five officials."""

from arena.plugins import PiecePlace, Presentation, draw_by_places
from engine import Variant, hookimpl
from hush_money.cards import NOTES
from hush_money.variant import HushMoneyVariant


@hookimpl
def register_variants() -> list[Variant]:
    """Return the variants of this package, one for each number of seats."""
    return [HushMoneyVariant(seats) for seats in NOTES]


TABLE = [
    PiecePlace("influence", at=(20, 20), seats="listed", seat_step=(0, 130), face="plate"),
    PiecePlace("opened.-1", at=(560, 80), piece="note", seats="listed", seat_step=(0, 130)),
    PiecePlace("hand", at=(60, 80), piece="note", seats="own", seat_step=(0, 130), label="holds"),
    PiecePlace("sealed", at=(480, 80), piece="note", seats="own", seat_step=(0, 130)),
]


@hookimpl
def register_presentations() -> list[Presentation]:
    """Return how the game is shown: by the places of its notes."""
    return [Presentation("hush-money", replay=draw_by_places("hush-money", (640, 400), TABLE))]
