"""The 52 cards and what each is worth taking for [0, 1]."""

import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import Final

import msgspec

from engine.errors import InvalidTable
from engine.pot_de_vin.tables import DeckTable

CHARACTERS: Final = ("aldo", "pietra", "enzo", "ugo")
GUILDS: Final = ("nobles", "artists", "traders", "workmen", "knights", "assassins")
VALUES = range(1, 14)
GUILD_VALUES = range(4, 13)
MOST_CARDS_OF_A_GUILD = 7
"""With a joker on top that is a column of 8, the last row of the scoring table [7.1]."""

CARDS: Final = tuple([f"{character}-{value}" for character in CHARACTERS for value in VALUES])
"""All cards in canonical order."""
INDEX: Final = {card: index for index, card in enumerate(CARDS)}
CHARACTER: Final = {card: index // len(VALUES) for card, index in INDEX.items()}
"""The number of each card's character, 0..3."""

# The kinds of cards: 0..5 are the guilds, by their number; then come the neutral kinds, and gems.
JOKER: Final = 6
BONUS: Final = 7
PENALTY: Final = 8
POT_DE_VIN: Final = 9
GEM: Final = 10
KINDS: Final = 11
_NEUTRAL_KINDS = {1: JOKER, 2: BONUS, 3: PENALTY, 13: POT_DE_VIN}


def read_deck(text: str) -> dict[str, str]:
    """Return the guild of each guild card, in canonical order, from the text of a table [1.1].

    Raises:
        InvalidTable: a guild card has not exactly one guild, or a guild more than 7 cards.
    """
    try:
        table = msgspec.convert(tomllib.loads(text), DeckTable).guilds
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidTable(f"deck table: {error}") from None
    if set(table) != set(CHARACTERS):
        raise InvalidTable(
            f"deck table: guilds of {', '.join(table)}; expected of {', '.join(CHARACTERS)}"
        )
    guild_of: dict[str, str] = {}
    for character in CHARACTERS:
        guilds = table[character]
        if len(guilds) != len(GUILD_VALUES) or not set(guilds) <= set(GUILDS):
            raise InvalidTable(
                f"deck table: {character} has {', '.join(guilds)}; expected a guild for each of "
                f"the values 4 to 12, out of {', '.join(GUILDS)}"
            )
        for value, guild in zip(GUILD_VALUES, guilds, strict=True):
            guild_of[f"{character}-{value}"] = guild
    for guild in GUILDS:
        size = list(guild_of.values()).count(guild)
        if size > MOST_CARDS_OF_A_GUILD:
            raise InvalidTable(
                f"deck table: {guild} has {size} cards; at most {MOST_CARDS_OF_A_GUILD} can be "
                "scored"
            )
    return guild_of


GUILD_OF = read_deck(
    resources.files(__package__).joinpath("house_deck.toml").read_text(encoding="utf-8")
)
"""The guild of each guild card."""
KIND: Final = {
    card: GUILDS.index(GUILD_OF[card]) if card in GUILD_OF else _NEUTRAL_KINDS[index % 13 + 1]
    for card, index in INDEX.items()
}
"""The kind of each card: the number of its guild, or one of the neutral kinds."""


def in_order(cards: Iterable[str]) -> list[str]:
    """Return the cards in canonical order."""
    return sorted(cards, key=INDEX.__getitem__)
