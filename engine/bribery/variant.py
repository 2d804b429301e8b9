"""Variants of Bribery: two to four seats, basic and advanced [2]."""

import random
from typing import ClassVar

import msgspec

from engine.bribery import hidden, rules
from engine.bribery.deal import Deal, draw_deal, read_deal
from engine.bribery.parameters import GAME, Parameters
from engine.bribery.state import BriberyState, build_state
from engine.bribery.view import View
from engine.contract import RawJson, Variant
from engine.encoding import Encoding
from engine.fields import read_variants


class Bribery(Variant):
    """One variant of the game."""

    game = GAME
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, parameters: Parameters) -> None:
        self.id = parameters.variant_id
        self.seats = parameters.seats
        self.teams = parameters.teams
        self.parameters = parameters

    def deal(self, rng: random.Random) -> Deal:
        """Draw a fair deal [3.2]."""
        return draw_deal(self.parameters, rng)

    def read_deal(self, raw: RawJson) -> Deal:
        """Return the deal that a JSON object describes [3.1]; raises `InvalidDeal`."""
        return read_deal(self.parameters, raw)

    def start(self, deal: msgspec.Struct) -> BriberyState:
        """Return the state before the first decision."""
        assert isinstance(deal, Deal), f"expected a deal of {self.id}, got {type(deal).__name__}"
        return build_state(self, rules.start(self.parameters, deal))

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> BriberyState:
        """Return a state whose view for `view.seat` is `view`; what that hides is drawn."""
        assert isinstance(view, View), f"expected a view of {self.id}, got {type(view).__name__}"
        return build_state(self, hidden.imagine(self.parameters, view, rng))

    def encoding(self, history: int = 0) -> Encoding:
        """Return how actions and views are encoded for learning."""
        # Only learning needs it; bots and runs start without it.
        from engine.bribery.encoding import BriberyEncoding

        return BriberyEncoding(self.parameters, history)


VARIANTS = [
    Bribery(Parameters(name, row, advanced))
    for advanced in (False, True)
    for name, row in read_variants(__package__).items()
]
"""The basic variants, then their advanced twins."""
