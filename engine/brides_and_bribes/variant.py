"""The variants of Brides & Bribes: three, four and five seats."""

import random
import tomllib
from importlib import resources
from typing import ClassVar

import msgspec

from engine.brides_and_bribes import rules
from engine.brides_and_bribes.deal import Deal, draw_deal, read_deal
from engine.brides_and_bribes.hidden import imagine
from engine.brides_and_bribes.parameters import GAME, Parameters, VariantRow
from engine.brides_and_bribes.state import BridesAndBribesState, state_of
from engine.brides_and_bribes.view import View
from engine.contract import RawJson, Variant


class BridesAndBribes(Variant):
    """One variant: the rules with a number of seats."""

    game = GAME
    teams = None
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, parameters: Parameters) -> None:
        self.id = parameters.variant_id
        self.seats = parameters.seats
        self.parameters = parameters

    def deal(self, rng: random.Random) -> Deal:
        """Draw a fair deal [3]."""
        return draw_deal(self.seats, rng)

    def read_deal(self, raw: RawJson) -> Deal:
        """Return the deal that a JSON object describes [3]; raises `InvalidDeal`."""
        return read_deal(self.seats, raw)

    def start(self, deal: msgspec.Struct) -> BridesAndBribesState:
        """Return the state before the first decision."""
        assert isinstance(deal, Deal), "a deal of another game"
        return state_of(self, rules.start(self.parameters, deal))

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> BridesAndBribesState:
        """Return a state whose view for the viewer is `view`; what that hides is drawn."""
        assert isinstance(view, View), "a view of another game"
        return state_of(self, imagine(self.parameters, view, rng))


def _read_variants() -> list[BridesAndBribes]:
    """Return the variants of `variants.toml`, in its order."""
    text = resources.files(__package__).joinpath("variants.toml").read_text(encoding="utf-8")
    rows = msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
    return [BridesAndBribes(Parameters(name, row)) for name, row in rows.items()]


VARIANTS = _read_variants()
