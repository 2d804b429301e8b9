"""Build and parse the action strings of Bribery [9]."""
# compiled: see setup.py

from collections.abc import Iterable
from typing import Final

from engine.bribery.cards import BIT, BRIBES, COUNTRY, HEARTS, OFFICIALS, OTHERS, SEATS, SUIT

NO_ABILITY: Final = "no-ability"
ALLOW: Final = "allow"

BRIBE: Final = tuple([tuple([f"bribe {card} {place}" for place in OFFICIALS]) for card in BRIBES])
OFFICIAL: Final = tuple([f"official {card}" for card in OFFICIALS])
DISCARD: Final = tuple([f"discard {card}" for card in BRIBES])
PROTECT: Final = tuple([f"protect {card}" for card in BRIBES])
SWINDLE: Final = tuple(
    [tuple([f"swindle {card} {place}" for place in OFFICIALS]) for card in BRIBES]
)

# -- from sets of numbers to strings --------------------------------------------------------------

# The actions for a set of officials are looked up in three parts, each a table of all subsets of
# 7 officials. This is several times faster than testing bit by bit. One table of all 2 ** 20 sets
# would be too large.
PART: Final = 7
PART_BITS: Final = (1 << PART) - 1
TWO_PARTS: Final = 2 * PART

Texts = tuple[str, ...]


def _list_subsets(row: Iterable[str]) -> list[Texts]:
    subsets: list[Texts] = [()]
    for text in row:
        subsets += [(*without, text) for without in subsets]
    return subsets


HALF: Final = len(OFFICIALS) // 2
HALF_BITS: Final = (1 << HALF) - 1
# MEMBERS[mask]: the indices of the bits set in a 10-bit mask.
MEMBERS: Final = [
    [official for official in range(HALF) if officials >> official & 1]
    for officials in range(1 << HALF)
]
SIZE: Final = [len(members) for members in MEMBERS]

# For each bribe: its suit, and the `bribe` actions for every set of officials in each part.
PICK_BRIBE: Final = tuple(
    [
        (
            suit,
            _list_subsets(row[:PART]),
            _list_subsets(row[PART:TWO_PARTS]),
            _list_subsets(row[TWO_PARTS:]),
        )
        for suit, row in zip(SUIT, BRIBE, strict=True)
    ]
)


def _list_abilities(source: int, card: str) -> dict[int, Texts]:
    subsets: dict[int, Texts] = {0: ()}
    for target in OTHERS[source]:
        text = f"ability {OFFICIALS[source]} {card} {OFFICIALS[target]}"
        subsets |= {targets | BIT[target]: (*texts, text) for targets, texts in subsets.items()}
    return subsets


# `ABILITY[source][bribe][targets]` lists the `ability` actions for a set of targets [8.2].
ABILITY: Final = tuple(
    [
        tuple([_list_abilities(source, card) for card in BRIBES]) if suit != HEARTS else ()
        for source, suit in enumerate(COUNTRY)
    ]
)

# -- from strings to numbers ----------------------------------------------------------------------

BRIBE_OF: Final = {
    text: (card, card * SEATS, official, SUIT[card], BIT[official])
    for card, row in enumerate(BRIBE)
    for official, text in enumerate(row)
}
OFFICIAL_OF: Final = {text: official for official, text in enumerate(OFFICIAL)}
DISCARD_OF: Final = {text: card for card, text in enumerate(DISCARD)}
PROTECT_OF: Final = {text: card for card, text in enumerate(PROTECT)}
SWINDLE_OF: Final = {
    text: (card, o) for card, row in enumerate(SWINDLE) for o, text in enumerate(row)
}
ABILITY_OF: Final = {
    f"ability {OFFICIALS[source]} {name} {OFFICIALS[target]}": (source, card, target)
    for source, rows in enumerate(ABILITY)
    for card, name in enumerate(BRIBES[: len(rows)])
    for target in OTHERS[source]
}
