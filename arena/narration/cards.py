"""Effects of the cards and tiles of the built-in games, in one line each, from `cards.toml`."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import msgspec

from arena.narration.words import counted, read_table
from engine.bribery.cards import BRIBES, OFFICIALS, VOTES
from engine.brides_and_bribes import tiles
from engine.pot_de_vin.cards import CARDS, GUILD_OF

POT_DE_VIN_KINDS: Final = {"1": "joker", "2": "bonus", "3": "penalty", "13": "pot-de-vin"}
"""By value of a card; the others belong to a guild."""


class CardLines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lines of the three games, by kind of card or tile."""

    pot_de_vin: Mapping[str, str] = msgspec.field(name="pot-de-vin")
    bribery: Mapping[str, str | Mapping[str, str]]
    brides_and_bribes: Mapping[str, str] = msgspec.field(name="brides-and-bribes")


@cache
def lines() -> CardLines:
    """Return the table of `cards.toml`."""
    return read_table("cards", CardLines)


def about(game: str, slug: str) -> str:
    """Return what a card or tile does, in one line; empty for a game without such lines."""
    describe = DESCRIBE.get(game)
    return describe(slug) if describe else ""


def cards_of(game: str) -> tuple[str, ...]:
    """Return the cards or tiles of a built-in game that have a line; none for other games."""
    return CARDS_OF.get(game, ())


def about_action(game: str, action: str) -> str:
    """Return what the cards or tiles of an action do, in one line; empty if it has none."""
    verb, _, rest = action.partition(" ")
    if (game, verb) == ("pot-de-vin", "pass"):
        return lines().pot_de_vin["gem"]
    if (game, verb) == ("bribery", "ability"):
        return _bribery_line(f"ability-{rest.split()[0][-1]}")
    if (game, verb) == ("bribery", "protect"):
        return _bribery_line("ability-h")
    if (game, verb) == ("brides-and-bribes", "build"):
        return _workshop(rest)
    return next(filter(None, [about(game, word) for word in rest.split()]), "")


def _pot_de_vin(slug: str) -> str:
    if slug not in CARDS:
        return ""
    kind = POT_DE_VIN_KINDS.get(slug.rpartition("-")[2], "guild")
    return lines().pot_de_vin[kind].format(guild=GUILD_OF.get(slug))


def _bribery(slug: str) -> str:
    if slug.startswith("joker-") and slug in OFFICIALS:
        return _bribery_line(slug)
    suits = lines().bribery["suits"]
    assert not isinstance(suits, str)
    if slug in OFFICIALS:
        votes = VOTES[OFFICIALS.index(slug)]
        return _bribery_line("official").format(votes=votes, suit=suits[slug[-1]])
    if slug in BRIBES:
        return _bribery_line("bribe").format(value=slug[:-1], suit=suits[slug[-1]])
    return ""


def _bribery_line(kind: str) -> str:
    line = lines().bribery[kind]
    assert isinstance(line, str)
    return line


def _brides_and_bribes(slug: str) -> str:
    table = lines().brides_and_bribes
    if slug in tiles.BRIDES:
        return _bride(tiles.BRIDES.index(slug))
    if (number := tiles.NUMBER.get(slug)) is None:
        return table[slug] if slug in tiles.KIND else ""
    line = _line_of_kind(tiles.KIND[number])
    if number >= tiles.FIRST_OBJECT:
        return table["object"].format(line=line)
    prestige = tiles.PRESTIGE[number]
    if number >= tiles.FIRST_COMMON:
        return table["common"].format(prestige=prestige, line=line)
    return table["loyal"].format(prestige=prestige, charm=tiles.CHARM[number], line=line)


def _line_of_kind(kind: str) -> str:
    return lines().brides_and_bribes[kind]


def _bride(bride: int) -> str:
    item = tiles.DOWRY_OBJECT[bride]
    coins = tiles.DOWRY_COINS[bride]
    dowry = [counted(coins, "coin")] if coins else []
    dowry += [tiles.TILES[item].replace("-", " ")] if item != tiles.NONE else []
    place = tiles.BRIDE_TYPE[bride]
    return (
        lines()
        .brides_and_bribes["bride"]
        .format(
            place=tiles.PLACES[place],
            charm=tiles.BRIDE_CHARM[bride],
            influence=tiles.BRIDE_INFLUENCE[bride] + tiles.ADDITIONAL[place],
            dowry=" and ".join(dowry) or "none",
        )
    )


def _workshop(shop: str) -> str:
    if shop not in tiles.SHOPS:
        return ""
    card = tiles.STACKS[tiles.SHOPS.index(shop)][0]
    kind = tiles.KIND[tiles.CARD_OBJECT[card]]
    line = lines().brides_and_bribes["workshop"]
    return line.format(object=kind.capitalize(), line=_line_of_kind(kind))


DESCRIBE: Final[Mapping[str, Callable[[str], str]]] = {
    "bribery": _bribery,
    "brides-and-bribes": _brides_and_bribes,
    "pot-de-vin": _pot_de_vin,
}
"""By game."""
CARDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "bribery": (*BRIBES, *OFFICIALS),
    "brides-and-bribes": (*tiles.TILES, *tiles.BRIDES),
    "pot-de-vin": CARDS,
}
"""By game."""
