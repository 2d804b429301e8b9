"""Actions of Pot de Vin, with tables of the cards and suits they play.

A hand consists of four suits. A suit is a set of cards of one character, stored as an int: bit
`i` stands for the value `i + 1`.
"""
# compiled: see setup.py

from typing import Final

from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GEM_TALLY, INDEX, TALLY, VALUES

PASS: Final = "pass"
PLAY: Final = {card: f"play {card}" for card in CARDS}
CARD: Final = {play: card for card, play in PLAY.items()}
"""The card each action plays. Passing is not included."""
DISCARD: Final = {play: f"discard {card}" for play, card in CARD.items()}
"""For each `play` action, the action that discards the same card."""
TALLY_WON: Final = {PASS: GEM_TALLY} | {play: TALLY[card] for play, card in CARD.items()}
"""What each action adds to the trick, a card or a gem, as a tally."""

BIT: Final = {card: 1 << index for card, index in INDEX.items()}
"""The bit of each card in a set of cards."""
SUIT_BIT: Final = {PASS: (0, 0)} | {
    play: (CHARACTER[card], 1 << INDEX[card] % len(VALUES)) for play, card in CARD.items()
}
"""The character of the card that an action plays, and the card's bit in its suit; 0 for a pass."""


def _list_plays(character: int) -> list[list[str]]:
    plays: list[list[str]] = [[]]
    for action, card in CARD.items():
        if CHARACTER[card] == character:  # the suits with this card come after those without
            plays += [[*without, action] for without in plays]
    return plays


PLAYS: Final = tuple(map(_list_plays, range(len(CHARACTERS))))
"""The actions that play the cards of a suit, in canonical order, by character and suit.

They are lists because lists are copied faster than tuples are turned into lists. Never modify
them."""
SIZE: Final = bytes([suit.bit_count() for suit in range(1 << len(VALUES))])
"""The number of cards in each suit."""
