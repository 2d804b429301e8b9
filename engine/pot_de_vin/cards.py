"""Cards of Pot de Vin: their names, kinds and guilds, by number [0, 1]."""

import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import Final

import msgspec

from engine.errors import InvalidTable

CHARACTERS: Final = ("aldo", "pietra", "enzo", "ugo")
GUILDS: Final = ("nobles", "artists", "traders", "workmen", "knights", "assassins")
VALUES: Final = range(1, 14)
GUILD_VALUES: Final = range(4, 13)
MAX_GUILD_CARDS: Final = 7
"""Cards of a guild; a column of 7 and a joker is the last one in the scoring table [7.1]."""

CARDS: Final = tuple([f"{character}-{value}" for character in CHARACTERS for value in VALUES])
"""All cards in canonical order."""
INDEX: Final = {card: index for index, card in enumerate(CARDS)}
CHARACTER: Final = {card: index // len(VALUES) for card, index in INDEX.items()}
"""The number of each card's character, 0..3."""

# Kinds: 0..5 are the guilds by number, then come the neutral kinds, then gems.
JOKER: Final = 6
BONUS: Final = 7
PENALTY: Final = 8
POT_DE_VIN: Final = 9
GEM: Final = 10
KIND_BITS: Final = 3
"""Bits of each kind in a tally; no kind of card has more than 7 cards."""
_NEUTRAL_KINDS: Final = {1: JOKER, 2: BONUS, 3: PENALTY, 13: POT_DE_VIN}


class DeckTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `cards.toml`: its origin, and the guilds by character."""

    origin: str
    guilds: dict[str, tuple[str, ...]]


def read_deck(text: str) -> dict[str, str]:
    """Return the guild of each guild card, in canonical order, from a table in TOML [1.1].

    Raises:
        InvalidTable: a guild card does not have exactly one guild, or a guild has more than
            `MAX_GUILD_CARDS` cards.
    """
    try:
        table = msgspec.convert(tomllib.loads(text), DeckTable).guilds
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidTable(f"deck table: {error}") from None
    if set(table) != set(CHARACTERS):
        raise InvalidTable(
            f"deck table: got guilds of {', '.join(table)}; expected {', '.join(CHARACTERS)}"
        )
    guild_of: dict[str, str] = {}
    for character in CHARACTERS:
        guilds = table[character]
        if len(guilds) != len(GUILD_VALUES) or not set(guilds) <= set(GUILDS):
            raise InvalidTable(
                f"deck table: got {', '.join(guilds)} for {character}; expected a guild for each "
                f"of the values 4 to 12, from {', '.join(GUILDS)}"
            )
        for value, guild in zip(GUILD_VALUES, guilds, strict=True):
            guild_of[f"{character}-{value}"] = guild
    for guild in GUILDS:
        size = list(guild_of.values()).count(guild)
        if size > MAX_GUILD_CARDS:
            raise InvalidTable(
                f"deck table: {guild} has {size} cards; expected at most {MAX_GUILD_CARDS}"
            )
    return guild_of


GUILD_OF: Final = read_deck(
    resources.files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")
)
"""The guild of each guild card."""
KIND: Final = {
    card: GUILDS.index(GUILD_OF[card]) if card in GUILD_OF else _NEUTRAL_KINDS[index % 13 + 1]
    for card, index in INDEX.items()
}
"""The kind of each card: the number of its guild, or a neutral kind."""

TALLY: Final = {card: 1 << kind * KIND_BITS for card, kind in KIND.items()}
"""The tally of each card: what a seat has won, packed into one number.

A tally has `KIND_BITS` bits for each kind of card, then the number of gems. So tallies are added
as numbers.
"""
GEM_TALLY: Final = 1 << GEM * KIND_BITS
TALLY_OF_ROUND: Final = (1 << (GEM + 1) * KIND_BITS) - 1
"""The bits of the tally of a round, in which fewer than 8 gems can be won."""


def in_order(cards: Iterable[str]) -> list[str]:
    """Return `cards` in canonical order."""
    return sorted(cards, key=INDEX.__getitem__)
