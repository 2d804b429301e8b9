"""The 36 bribes and 20 officials, by number, and what each is worth [1, 6].

Inside the engine everything is a number, in the order of the names by ASCII code: so whatever is
listed by number is listed as the rules page wants legal lists to be [9].

- An *official* is a number 0..19. Sets of officials are ints with a bit for each.
- A *card* is a number 0..55: first the bribes, then the officials, whose own number is
  `FIRST_OFFICIAL` less.
- A *bribe* that was played is a number 0..143 that tells its card and the seat that it belongs
  to: `bribe // SEATS` and `bribe % SEATS`.
"""

import tomllib
from importlib import resources
from typing import Final

import msgspec

from engine.bribery.tables import CardTable

_TABLE = msgspec.convert(
    tomllib.loads(resources.files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")),
    CardTable,
)

SUITS: Final = tuple(sorted(_TABLE.points))
"""`c d h s`; inside the engine a suit is its number here."""
CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3
NO_SUIT: Final = -1
"""The suit of a joker."""

JOKERS: Final = tuple(_TABLE.jokers)
SLOT_ORDER: Final = (*[rank + suit for suit in _TABLE.points for rank in _TABLE.votes], *JOKERS)
"""The names of all officials in the order in which the board is shown [1]."""
BRIBES: Final = tuple(sorted([f"{value}{suit}" for value in _TABLE.bribes for suit in SUITS]))
OFFICIALS: Final = tuple(sorted(SLOT_ORDER))
CARDS: Final = BRIBES + OFFICIALS
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
"""The number 0..55 of each card."""
FIRST_OFFICIAL: Final = len(BRIBES)
SLOTS: Final = tuple([OFFICIALS.index(card) for card in SLOT_ORDER])

SEATS: Final = 4
"""The most seats of a variant."""
SUIT: Final = tuple([SUITS.index(card[-1]) for card in BRIBES])
"""By bribe card."""
SUIT_OF: Final = tuple([suit for suit in SUIT for _ in range(SEATS)])
"""By bribe."""
VALUE_OF: Final = tuple([int(card[:-1]) for card in BRIBES for _ in range(SEATS)])
"""By bribe: its printed value."""

BIT: Final = tuple([1 << official for official in range(len(OFFICIALS))])
"""By official."""
COUNTRY: Final = tuple([NO_SUIT if card in JOKERS else SUITS.index(card[1]) for card in OFFICIALS])
"""By official: its suit."""
VOTES: Final = tuple([0 if card in JOKERS else _TABLE.votes[card[0]] for card in OFFICIALS])
"""By official."""
OPENS_TO: Final = tuple([tuple([suit for suit in range(4) if suit != own]) for own in COUNTRY])
"""By official: the suits of bribes that fit it while it has none [5.2]."""
FITTING: Final = tuple(
    [sum([BIT[o] for o, own in enumerate(COUNTRY) if own != suit]) for suit in range(4)]
)
"""By suit: the officials that its bribes fit while they have none."""
OTHERS: Final = tuple(
    [
        tuple([o for o, votes in enumerate(VOTES) if votes and votes == VOTES[own] and o != own])
        for own in range(len(OFFICIALS))
    ]
)
"""By official: the others of its rank; a joker has no rank [8.2]."""
HEART: Final = tuple(
    [next((o for o in (own, *OTHERS[own]) if COUNTRY[o] == HEARTS), own) for own in range(20)]
)
"""By suited official: the heart of its rank [8.3]."""

JOKER_1: Final = OFFICIALS.index(JOKERS[0])
JOKER_2: Final = OFFICIALS.index(JOKERS[1])
JOKER_4: Final = OFFICIALS.index(JOKERS[3])
COUNTRIES: Final = tuple([SUITS.index(suit) for suit in _TABLE.points])
"""The suits in the order in which countries are listed."""
POINTS: Final = tuple([_TABLE.points[suit] for suit in SUITS])
"""By suit: what its country is worth."""
JOKER_POINTS: Final = {OFFICIALS.index(card): points for card, points in _TABLE.jokers.items()}
"""By joker: what its control is worth, as a country of its own [R20]."""
