"""Build and parse the action strings of Pot de Vin.

A suit consists of all cards of one character. The cards of a suit in a hand are stored as an
int, in which bit `i` represents the card with value `i + 1`.
"""
# compiled: see setup.py

from typing import Final

from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GEM_TALLY, INDEX, TALLY, VALUES

PASS: Final = "pass"
PLAY: Final = {card: f"play {card}" for card in CARDS}
CARD: Final = {play: card for card, play in PLAY.items()}
DISCARD: Final = {play: f"discard {card}" for play, card in CARD.items()}
TALLY_WON: Final = {PASS: GEM_TALLY} | {play: TALLY[card] for play, card in CARD.items()}
"""The tally that the winner of the trick gains from each action."""

BIT: Final = {card: 1 << index for card, index in INDEX.items()}
SUIT_BIT: Final = {PASS: (0, 0)} | {
    play: (CHARACTER[card], 1 << INDEX[card] % len(VALUES)) for play, card in CARD.items()
}
"""The character of each action's card, and the bit for the card in its suit (0 for a pass)."""


def _list_plays(character: int) -> list[list[str]]:
    plays: list[list[str]] = [[]]
    for action, card in CARD.items():
        if CHARACTER[card] == character:  # the suits with this card come after those without
            plays += [[*without, action] for without in plays]
    return plays


PLAYS: Final = tuple(map(_list_plays, range(len(CHARACTERS))))
"""`PLAYS[character][suit]` lists the actions that play a suit. Do not modify the lists."""
SIZE: Final = bytes([suit.bit_count() for suit in range(1 << len(VALUES))])
