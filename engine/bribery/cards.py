"""Define the cards of Bribery: their names, values, votes and points [1, 6].

Officials are numbered from 0 to 19. A set of officials is stored as an int, with one bit for
each official.

Cards are numbered from 0 to 55, with bribes first. The card of official 0 is `FIRST_OFFICIAL`.
Bribes and officials are each sorted by name.

A bribe that a seat has played on the board is stored as the number `card * SEATS + seat`.
"""
# compiled: see setup.py

import tomllib
from importlib import resources
from typing import Final, TypedDict

import msgspec


class CardTable(TypedDict):
    bribes: list[int]
    jokers: dict[str, int]
    votes: dict[str, int]
    points: dict[str, int]


_TABLE: Final = msgspec.convert(
    tomllib.loads(resources.files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")),
    CardTable,
)

SUITS: Final = tuple(sorted(_TABLE["points"]))
CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3
NO_SUIT: Final = -1
"""The suit of a joker."""

JOKERS: Final = tuple(_TABLE["jokers"])
SLOT_ORDER: Final = (
    *[rank + suit for suit in _TABLE["points"] for rank in _TABLE["votes"]],
    *JOKERS,
)
BRIBES: Final = tuple(sorted([f"{value}{suit}" for value in _TABLE["bribes"] for suit in SUITS]))
OFFICIALS: Final = tuple(sorted(SLOT_ORDER))
CARDS: Final = BRIBES + OFFICIALS
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
FIRST_OFFICIAL: Final = len(BRIBES)
SLOTS: Final = tuple([OFFICIALS.index(card) for card in SLOT_ORDER])

SEATS: Final = 4
"""Maximum number of seats."""
SUIT: Final = tuple([SUITS.index(card[-1]) for card in BRIBES])
SUIT_OF: Final = tuple([suit for suit in SUIT for _ in range(SEATS)])
VALUE_OF: Final = tuple([int(card[:-1]) for card in BRIBES for _ in range(SEATS)])
ONE_BRIBE: Final = tuple([(bribe,) for bribe in range(len(BRIBES) * SEATS)])

BIT: Final = tuple([1 << official for official in range(len(OFFICIALS))])
ALL_OFFICIALS: Final = sum(BIT)
COUNTRY: Final = tuple([NO_SUIT if card in JOKERS else SUITS.index(card[1]) for card in OFFICIALS])
OFFICIALS_OF: Final = tuple([tuple([o for o in SLOTS if COUNTRY[o] == suit]) for suit in range(4)])
VOTES: Final = tuple([0 if card in JOKERS else _TABLE["votes"][card[0]] for card in OFFICIALS])
# By official: the suits that its first bribe may have [5.2].
OPENS_TO: Final = tuple([tuple([suit for suit in range(4) if suit != own]) for own in COUNTRY])
# By suit: the officials whose first bribe may have this suit [5.2].
OPEN_OFFICIALS: Final = tuple(
    [sum([BIT[o] for o, own in enumerate(COUNTRY) if own != suit]) for suit in range(4)]
)
OTHERS: Final = tuple(
    [
        tuple([o for o, votes in enumerate(VOTES) if votes and votes == VOTES[own] and o != own])
        for own in range(len(OFFICIALS))
    ]
)
# By official: the other officials that its ability can target [R28].
OTHERS_SET: Final = tuple([sum([BIT[other] for other in others]) for others in OTHERS])
# By official: the heart of the same rank [8.3].
HEART: Final = tuple(
    [next((o for o in (own, *OTHERS[own]) if COUNTRY[o] == HEARTS), own) for own in range(20)]
)

JOKER_1: Final = OFFICIALS.index(JOKERS[0])
JOKER_2: Final = OFFICIALS.index(JOKERS[1])
JOKER_4: Final = OFFICIALS.index(JOKERS[3])
COUNTRIES: Final = tuple([SUITS.index(suit) for suit in _TABLE["points"]])
POINTS: Final = tuple([_TABLE["points"][suit] for suit in SUITS])
JOKER_POINTS: Final = {OFFICIALS.index(card): points for card, points in _TABLE["jokers"].items()}
"""Points for controlling each joker [R20]."""

ABILITY_OF_SUIT: Final = {CLUBS: "assassinate", DIAMONDS: "swindle", SPADES: "bless"}
SOURCES: Final = sum([BIT[o] for o, suit in enumerate(COUNTRY) if suit in ABILITY_OF_SUIT])
