"""A round: the trick, which card is the strongest in it, and what is kept of it [5]."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GEM, INDEX, KIND, VALUES

PLAY: Final = {card: f"play {card}" for card in CARDS}
DISCARD: Final = {play: f"discard {card}" for card, play in PLAY.items()}
CARD: Final = {play: card for card, play in PLAY.items()}
"""The card that an action plays; a pass is not there."""
PASS: Final = "pass"
KIND_TAKEN: Final = {PASS: GEM} | {play: KIND[card] for play, card in CARD.items()}
"""The kind of what an action leaves for the winner: a card or a gem."""

PastRound = tuple[tuple[int, ...], list[str], int]
"""A finished round: the seats that acted, what each did, the winner."""


def _rank_actions(trump: int, led: int) -> dict[str, int]:
    """Return how strong each action is when these characters are trump and led [5.3]."""
    strength = {PASS: -1}
    for action, card in CARD.items():
        value, character = INDEX[card] % len(VALUES) + 1, CHARACTER[card]
        strength[action] = 13 + value if character == trump else value if character == led else 0
    return strength


_ANY = range(len(CHARACTERS))
_STRENGTH = tuple([tuple([_rank_actions(trump, led) for led in _ANY]) for trump in _ANY])
STRENGTH: Final = {card: _STRENGTH[CHARACTER[card]] for card in CARDS}
"""By trump card and led character: how strong each action is; the strongest wins [5.3]."""


def turn_trumps(pile: Sequence[str], orders: Iterable[Sequence[int]]) -> tuple[str, ...]:
    """Return the trump card of each round from a pile that is used in these orders [R18]."""
    return tuple([pile[place] for order in orders for place in order])
