"""Every decision as a string, and what each string says [9].

The strings are made once, here, so that to list what is legal is to pick from these tables. By
number they are in the order of ASCII codes, as `cards` explains.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.bribery.cards import BIT, BRIBES, COUNTRY, HEARTS, OFFICIALS, OTHERS, SUIT

NO_ABILITY: Final = "no-ability"
ALLOW: Final = "allow"

BRIBE: Final = tuple([tuple([f"bribe {card} {place}" for place in OFFICIALS]) for card in BRIBES])
"""By bribe card and official."""
OFFICIAL: Final = tuple([f"official {card}" for card in OFFICIALS])
DISCARD: Final = tuple([f"discard {card}" for card in BRIBES])
PROTECT: Final = tuple([f"protect {card}" for card in BRIBES])
SWINDLE: Final = tuple(
    [tuple([f"swindle {card} {place}" for place in OFFICIALS]) for card in BRIBES]
)
"""By bribe card and official."""

# -- picking ------------------------------------------------------------------------------------

# Where a bribe may be put is looked up in four parts, each a table by the subsets of some
# officials: that is several times faster than testing bit by bit, and one table of all
# sets would be too long.
PART: Final = 5
"""The officials of a part."""
PART_BITS: Final = (1 << PART) - 1

Texts = tuple[str, ...]


def _subsets(row: Iterable[str]) -> list[Texts]:
    """Return all subsets of a row, those with the last text after those without it."""
    subsets: list[Texts] = [()]
    for text in row:
        subsets += [(*without, text) for without in subsets]
    return subsets


def _picks(row: Sequence[str]) -> list[list[Texts]]:
    return [_subsets(row[first : first + PART]) for first in range(0, len(row), PART)]


PICK_BRIBE: Final = [_picks(row) for row in BRIBE]
"""By bribe card, part and subset of that part: the actions."""


def _abilities(source: int, card: str) -> dict[int, tuple[str, ...]]:
    subsets: dict[int, tuple[str, ...]] = {0: ()}
    for target in OTHERS[source]:
        text = f"ability {OFFICIALS[source]} {card} {OFFICIALS[target]}"
        subsets |= {targets | BIT[target]: (*texts, text) for targets, texts in subsets.items()}
    return subsets


ABILITY: Final = tuple(
    [
        tuple([_abilities(source, card) for card in BRIBES]) if suit != HEARTS else ()
        for source, suit in enumerate(COUNTRY)
    ]
)
"""By source, spent bribe card and set of targets: the actions [8.2]."""

# -- understanding ------------------------------------------------------------------------------

BRIBE_OF: Final = {
    text: (card, official, SUIT[card], BIT[official])
    for card, row in enumerate(BRIBE)
    for official, text in enumerate(row)
}
"""The card and its suit, the official and its bit, of each `bribe`."""
OFFICIAL_OF: Final = {text: official for official, text in enumerate(OFFICIAL)}
DISCARD_OF: Final = {text: card for card, text in enumerate(DISCARD)}
PROTECT_OF: Final = {text: card for card, text in enumerate(PROTECT)}
SWINDLE_OF: Final = {
    text: (card, o) for card, row in enumerate(SWINDLE) for o, text in enumerate(row)
}
"""The bribe card and the destination of each `swindle`."""
ABILITY_OF: Final = {
    f"ability {OFFICIALS[source]} {name} {OFFICIALS[target]}": (source, card, target)
    for source, rows in enumerate(ABILITY)
    for card, name in enumerate(BRIBES[: len(rows)])
    for target in OTHERS[source]
}
"""The source, the spent bribe card and the target of each `ability`."""
