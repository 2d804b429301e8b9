"""Every decision as a string, and what each string says [9].

The strings are made once, here, so that to list what is legal is to pick from these tables. By
number they are in the order of ASCII codes, as `cards` explains.
"""

from collections.abc import Callable, Sequence
from operator import itemgetter

from engine.bribery.cards import BIT, BRIBES, COUNTRY, HEARTS, OFFICIALS, OTHERS, SUIT

NO_ABILITY = "no-ability"
ALLOW = "allow"

BRIBE = tuple([tuple([f"bribe {card} {place}" for place in OFFICIALS]) for card in BRIBES])
"""By bribe card and official."""
OFFICIAL = tuple([f"official {card}" for card in OFFICIALS])
DISCARD = tuple([f"discard {card}" for card in BRIBES])
PROTECT = tuple([f"protect {card}" for card in BRIBES])
SWINDLE = tuple([tuple([f"swindle {card} {place}" for place in OFFICIALS]) for card in BRIBES])
"""By bribe card and official."""

# -- picking ------------------------------------------------------------------------------------

Row = Sequence[str]
HALF = len(OFFICIALS) // 2
LOW_BITS = (1 << HALF) - 1


def _picker(places: Sequence[int]) -> Callable[[Row], Row]:
    if len(places) < 2:  # then itemgetter does not return a tuple
        return lambda row: [row[place] for place in places]
    return itemgetter(*places)


def _pickers(first: int) -> list[Callable[[Row], Row]]:
    return [
        _picker([first + place for place in range(HALF) if half >> place & 1])
        for half in range(1 << HALF)
    ]


PICK_LOW, PICK_HIGH = _pickers(0), _pickers(HALF)
"""By half of a set of officials: what picks from a row those whose bit is set.

To list them in two halves takes half the time of testing bit by bit.
"""


def pick(row: Row, officials: int) -> list[str]:
    """Return what stands in a row for each of these officials."""
    return [*PICK_LOW[officials & LOW_BITS](row), *PICK_HIGH[officials >> HALF](row)]


def _abilities(source: int, card: str) -> dict[int, tuple[str, ...]]:
    subsets: dict[int, tuple[str, ...]] = {0: ()}
    for target in OTHERS[source]:
        text = f"ability {OFFICIALS[source]} {card} {OFFICIALS[target]}"
        subsets |= {targets | BIT[target]: (*texts, text) for targets, texts in subsets.items()}
    return subsets


ABILITY = tuple(
    [
        tuple([_abilities(source, card) for card in BRIBES]) if suit != HEARTS else ()
        for source, suit in enumerate(COUNTRY)
    ]
)
"""By source, spent bribe card and set of targets: the actions [8.2]."""

# -- understanding ------------------------------------------------------------------------------

BRIBE_OF = {
    text: (card, official, SUIT[card], BIT[official])
    for card, row in enumerate(BRIBE)
    for official, text in enumerate(row)
}
"""The card and its suit, the official and its bit, of each `bribe`."""
OFFICIAL_OF = {text: official for official, text in enumerate(OFFICIAL)}
DISCARD_OF = {text: card for card, text in enumerate(DISCARD)}
PROTECT_OF = {text: card for card, text in enumerate(PROTECT)}
SWINDLE_OF = {text: (card, o) for card, row in enumerate(SWINDLE) for o, text in enumerate(row)}
"""The bribe card and the destination of each `swindle`."""
ABILITY_OF = {
    f"ability {OFFICIALS[source]} {name} {OFFICIALS[target]}": (source, card, target)
    for source, rows in enumerate(ABILITY)
    for card, name in enumerate(BRIBES[: len(rows)])
    for target in OTHERS[source]
}
"""The source, the spent bribe card and the target of each `ability`."""
