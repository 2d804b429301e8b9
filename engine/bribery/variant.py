"""The eight variants of Bribery [2]."""

import random
import tomllib
from importlib import resources
from typing import ClassVar

import msgspec

from engine.bribery.deal import Deal, draw_deal, read_deal
from engine.bribery.hidden import imagine
from engine.bribery.parameters import GAME, Parameters, VariantRow
from engine.bribery.position import empty_position
from engine.bribery.rules import start
from engine.bribery.state import BriberyState, build_state
from engine.bribery.view import View
from engine.contract import RawJson, Variant


class Bribery(Variant):
    """One variant of the game."""

    game = GAME
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, parameters: Parameters) -> None:
        self.id = parameters.id
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
        position = empty_position(self.parameters)
        start(position, deal)
        return build_state(self, position)

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> BriberyState:
        """Return a state in which the seat of `view` has that view."""
        assert isinstance(view, View), f"expected a view of {self.id}, got {type(view).__name__}"
        return build_state(self, imagine(self.parameters, view, rng))


def read_variants(text: str) -> list[Bribery]:
    """Return the variants of a TOML table: first the basic ones, then their advanced twins."""
    rows = msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
    return [
        Bribery(Parameters(name, row, advanced=advanced))
        for advanced in (False, True)
        for name, row in rows.items()
    ]


VARIANTS = read_variants(
    resources.files(__package__).joinpath("variants.toml").read_text(encoding="utf-8")
)
