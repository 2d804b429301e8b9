"""Define the cards of Pot de Vin: their names, kinds and guilds [0, 1]."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.fields import read_table

CHARACTERS: Final = ("aldo", "pietra", "enzo", "ugo")
GUILDS: Final = ("nobles", "artists", "traders", "workmen", "knights", "assassins")
VALUES: Final = range(1, 14)
GUILD_VALUES: Final = range(4, 13)
MAX_GUILD_CARDS: Final = 7

CARDS: Final = tuple([f"{character}-{value}" for character in CHARACTERS for value in VALUES])
INDEX: Final = {card: index for index, card in enumerate(CARDS)}
CHARACTER: Final = {card: index // len(VALUES) for card, index in INDEX.items()}

# Kinds 0 to 5 are the guilds. The neutral kinds and gems follow.
JOKER: Final = 6
BONUS: Final = 7
PENALTY: Final = 8
POT_DE_VIN: Final = 9
GEM: Final = 10
KIND_BITS: Final = 3  # bits in a tally for each kind of card, enough for 7 cards
_NEUTRAL_KINDS: Final = {1: JOKER, 2: BONUS, 3: PENALTY, 13: POT_DE_VIN}

GUILD_OF: Final[dict[str, str]] = {
    f"{character}-{value}": guild
    for character, guilds in read_table(__package__, "cards.toml")["guilds"].items()
    for value, guild in zip(GUILD_VALUES, guilds, strict=True)
}
assert max(Counter(GUILD_OF.values()).values()) <= MAX_GUILD_CARDS, "a guild has too many cards"
KIND: Final = {
    card: GUILDS.index(GUILD_OF[card]) if card in GUILD_OF else _NEUTRAL_KINDS[index % 13 + 1]
    for card, index in INDEX.items()
}

# A tally is an integer that counts the cards and gems that a seat has won. The lowest `KIND_BITS`
# bits count cards of kind 0, the next bits cards of kind 1, and so on. The highest bits count gems.
TALLY: Final = {card: 1 << kind * KIND_BITS for card, kind in KIND.items()}
GEM_TALLY: Final = 1 << GEM * KIND_BITS
TALLY_OF_ROUND: Final = (1 << (GEM + 1) * KIND_BITS) - 1  # a mask; a round has at most 7 gems


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=INDEX.__getitem__)
