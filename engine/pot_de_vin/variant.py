"""The five variants of Pot de Vin [2]."""

import random
import tomllib
from importlib import resources
from typing import ClassVar

import msgspec

from engine.contract import RawJson, Variant
from engine.pot_de_vin.cards import CARDS
from engine.pot_de_vin.deal import PLACES, Deal, draw_deal, read_deal
from engine.pot_de_vin.imagine import imagine
from engine.pot_de_vin.state import PotDeVinState
from engine.pot_de_vin.tables import VariantRow
from engine.pot_de_vin.view import View

GAME = "pot-de-vin"


class PotDeVin(Variant):
    """One variant: the rules with a number of seats and teams."""

    game = GAME
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, name: str, row: VariantRow) -> None:
        n = row.seats
        self.id = f"{GAME}/{name}"
        self.seats = n
        self.teams = None
        if row.teams:
            self.teams = tuple([tuple(range(side, n, row.teams)) for side in range(row.teams)])
        self.hand = row.hand
        """Cards in a hand, after the set-up."""
        self.gems = row.gems
        """Gems of each seat at the beginning."""
        self.rounds = row.hand + row.gems
        self.recycled_trumps = row.recycled_trumps
        """Whether the trump pile is four cards, three of them discards, and is used three times."""
        self.first_hand = 1 if row.recycled_trumps else self.rounds
        """Where the first hand begins in the cards of a deal; before it lies the trump pile."""
        discarders = PLACES - 1 if row.recycled_trumps else 0
        self.hand_sizes = (row.hand,) * (n - discarders) + (row.hand + 1,) * discarders
        """Cards dealt to each seat, from the starting seat on."""
        ends = [self.first_hand + sum(self.hand_sizes[: i + 1]) for i in range(n)]
        self.dealt = tuple(map(slice, [self.first_hand, *ends], ends))
        """Where the hands lie in the cards of a deal, from the starting seat on."""
        self.clockwise = tuple([tuple([(s + i) % n for i in range(n)]) for s in range(n)])
        """By seat: all seats from this one on."""
        assert self.first_hand + sum(self.hand_sizes) == len(CARDS)

    def face_down_trumps(self, number: int) -> int:
        """Return how many trump cards lie face down in round `number`, from 1 [10.1]."""
        if self.recycled_trumps:
            return PLACES - 1 - (number - 1) % PLACES
        return self.rounds - number

    def deal(self, rng: random.Random) -> Deal:
        """Draw a fair deal [3]."""
        return draw_deal(self.seats, self.recycled_trumps, rng)

    def read_deal(self, raw: RawJson) -> Deal:
        """Return the deal that a JSON object describes [3]; raises `InvalidDeal`."""
        return read_deal(raw, self.seats, self.recycled_trumps)

    def start(self, deal: msgspec.Struct) -> PotDeVinState:
        """Return the state before the first decision."""
        assert isinstance(deal, Deal), "a deal of another game"
        state = PotDeVinState()
        state.deal(self, deal)
        return state

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> PotDeVinState:
        """Return a state that the viewer cannot tell from the real one."""
        assert isinstance(view, View), "a view of another game"
        return imagine(self, view, rng)


def read_variants(text: str) -> list[PotDeVin]:
    """Return the variants of a table file."""
    rows = msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
    return [PotDeVin(name, row) for name, row in rows.items()]


VARIANTS = read_variants(
    resources.files(__package__).joinpath("variants.toml").read_text(encoding="utf-8")
)
