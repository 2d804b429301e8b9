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
# By action: what the winner of the trick gains from it, as a tally.
TALLY_WON: Final = {PASS: GEM_TALLY} | {play: TALLY[card] for play, card in CARD.items()}

BIT: Final = {card: 1 << index for card, index in INDEX.items()}
# By action: the character of its card, and the card's bit in a suit (0 for a pass).
SUIT_BIT: Final = {PASS: (0, 0)} | {
    play: (CHARACTER[card], 1 << INDEX[card] % len(VALUES)) for play, card in CARD.items()
}


def _list_plays(character: int) -> list[list[str]]:
    plays: list[list[str]] = [[]]
    for action, card in CARD.items():
        if CHARACTER[card] == character:  # the suits with this card come after those without
            plays += [[*without, action] for without in plays]
    return plays


# `PLAYS[character][suit]` lists the actions that play one of these cards. Do not modify the lists.
PLAYS: Final = tuple(map(_list_plays, range(len(CHARACTERS))))
SIZE: Final = bytes([suit.bit_count() for suit in range(1 << len(VALUES))])
