"""Printed values of cards and tiles, for the drawings in replays."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from arena.narration.cards import about, cards_of
from engine.bribery.cards import JOKER_POINTS, OFFICIALS, POINTS, SUITS, VOTES
from engine.brides_and_bribes import tiles
from engine.pot_de_vin.cards import GUILD_OF, GUILDS


class PotDeVinCardData(msgspec.Struct, frozen=True):
    """The guilds in their order, and the guild of each guild card."""

    tips: Mapping[str, str]
    """By card, what it does in one line."""

    guilds: tuple[str, ...]
    guild: Mapping[str, str]


class BriberyCardData(msgspec.Struct, frozen=True):
    """The votes of each official with a suit, and the points of each suit and joker."""

    tips: Mapping[str, str]

    votes: Mapping[str, int]
    points: Mapping[str, int]


class BridesAndBribesCardData(msgspec.Struct, frozen=True):
    """The kind of each tile, the prestige of each character, the charm of each loyal."""

    tips: Mapping[str, str]

    kind: Mapping[str, str]
    prestige: Mapping[str, int]
    charm: Mapping[str, int]


def _pot_de_vin() -> PotDeVinCardData:
    return PotDeVinCardData(_tips("pot-de-vin"), GUILDS, GUILD_OF)


def _bribery() -> BriberyCardData:
    votes = {card: number for card, number in zip(OFFICIALS, VOTES, strict=True) if number}
    of_suits = dict(zip(SUITS, POINTS, strict=True))
    of_jokers = {OFFICIALS[joker]: points for joker, points in JOKER_POINTS.items()}
    return BriberyCardData(_tips("bribery"), votes, of_suits | of_jokers)


def _brides_and_bribes() -> BridesAndBribesCardData:
    names = tiles.TILES
    return BridesAndBribesCardData(
        tips=_tips("brides-and-bribes"),
        kind=dict(zip(names, tiles.KIND, strict=True)),
        prestige=dict(zip(names, tiles.PRESTIGE, strict=False)),
        charm=dict(zip(names, tiles.CHARM, strict=False)),
    )


def _tips(game: str) -> Mapping[str, str]:
    return {slug: about(game, slug) for slug in cards_of(game)}


CARD_DATA: Final[Mapping[str, Callable[[], msgspec.Struct]]] = {
    "bribery": _bribery,
    "brides-and-bribes": _brides_and_bribes,
    "pot-de-vin": _pot_de_vin,
}
"""By game."""


def card_data_of(game: str) -> msgspec.Struct | None:
    """Return the card data of a built-in game, or None for other games."""
    make = CARD_DATA.get(game)
    return make and make()
