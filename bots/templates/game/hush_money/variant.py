"""Variants of Hush Money: two or three seats."""

import random

from msgspec import Struct

from engine import Variant
from hush_money import hidden, rules
from hush_money.deal import Deal, draw_deal, read_deal
from hush_money.state import HushMoneyState
from hush_money.view import View


class HushMoneyVariant(Variant):
    """One variant of the game."""

    game = "hush-money"
    teams = None
    rules_version = 1
    view_type = View

    def __init__(self, seats: int) -> None:
        self.id, self.seats = f"hush-money/{seats}", seats

    def deal(self, rng: random.Random) -> Deal:
        return draw_deal(self.seats, rng)

    def read_deal(self, raw: object) -> Deal:
        return read_deal(self.seats, raw)

    def start(self, deal: Struct) -> HushMoneyState:
        assert isinstance(deal, Deal), f"expected a deal of {self.id}"
        return HushMoneyState(self, rules.start(self.seats, deal))

    def imagine(self, view: Struct, rng: random.Random) -> HushMoneyState:
        assert isinstance(view, View), f"expected a view of {self.id}"
        return HushMoneyState(self, hidden.imagine(self.seats, view, rng))
