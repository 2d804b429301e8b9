"""The three variants of Brides & Bribes: three, four and five seats."""

import random
from typing import ClassVar

import msgspec

from engine.brides_and_bribes.deal import Deal, draw_deal, read_deal
from engine.brides_and_bribes.imagine import imagine
from engine.brides_and_bribes.set_up import lay_table
from engine.brides_and_bribes.state import BridesAndBribesState
from engine.brides_and_bribes.tiles import VARIANT_ROWS, VariantRow
from engine.brides_and_bribes.view import View
from engine.contract import RawJson, Variant

GAME = "brides-and-bribes"


class BridesAndBribes(Variant):
    """One variant: the rules with a number of seats."""

    game = GAME
    teams = None
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, row: VariantRow) -> None:
        n = row.seats
        self.id = row.slug
        self.seats = n
        self.rounds = row.rounds
        """The most rounds of a game."""
        self.end_influence = row.end_influence
        """With so much influence of any seat the game ends earlier [8.5]."""
        self.bonus_coin_places = row.bonus_coin_places
        """The places of the favor order, from 0, that begin with a coin more [4]."""
        self.clockwise = tuple([tuple([(s + i) % n for i in range(n)]) for s in range(n)])
        """By seat: all seats clockwise from it."""
        self.after = tuple([seats[1:] for seats in self.clockwise])
        """By seat: the others, clockwise from it."""

    def deal(self, rng: random.Random) -> Deal:
        """Draw a fair deal [3]."""
        return draw_deal(self, rng)

    def read_deal(self, raw: RawJson) -> Deal:
        """Return the deal that a JSON object describes [3]; raises `InvalidDeal`."""
        return read_deal(self, raw)

    def start(self, deal: msgspec.Struct) -> BridesAndBribesState:
        """Return the state before the first decision."""
        assert isinstance(deal, Deal), "a deal of another game"
        state = BridesAndBribesState(self)
        lay_table(state, deal)
        state.advance()
        return state

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> BridesAndBribesState:
        """Return a state that the viewer cannot tell from the real one by its view."""
        assert isinstance(view, View), "a view of another game"
        return imagine(self, view, rng)


VARIANTS = [BridesAndBribes(row) for row in VARIANT_ROWS]
