"""Deals of Hush Money: all the chance of a game, drawn or read from JSON."""

import random

import msgspec

from engine import InvalidDeal
from engine.fields import read_fields, types_of
from hush_money.cards import HAND_SIZE, NOTES


class Deal(msgspec.Struct, frozen=True):
    """The notes in the order in which they are dealt, one to each seat in turn."""

    notes: tuple[int, ...]


def draw_deal(seats: int, rng: random.Random) -> Deal:
    """Draw a fair deal; one note in six stays out of the game."""
    return Deal(tuple(rng.sample(NOTES[seats], seats * HAND_SIZE)))


def read_deal(seats: int, raw: object) -> Deal:
    """Return the deal that a JSON object describes; raises `InvalidDeal`."""
    deal, size = Deal(**read_fields(raw, types_of(Deal))), seats * HAND_SIZE
    if not len(deal.notes) == len({*deal.notes} & {*NOTES[seats]}) == size:
        raise InvalidDeal("notes", f"expected {size} different notes, got {deal.notes}")
    return deal
