"""The guild of each guild card: the house deck."""

import random

from engine import get_variant
from tests.engine.pot_de_vin.play import CARDS, value

HOUSE_DECK = {
    "aldo": "nobles knights traders workmen artists nobles traders assassins artists",
    "pietra": "traders artists assassins nobles knights workmen assassins artists traders",
    "enzo": "workmen nobles knights artists assassins traders knights nobles workmen",
    "ugo": "artists assassins workmen traders nobles artists workmen knights nobles",
}


def house_deck() -> dict[str, str]:
    """Return the guild of each guild card, as every seat is told it when a game starts."""
    variant = get_variant("pot-de-vin/4")
    state = variant.start(variant.deal(random.Random(0)))
    deck: dict[str, str] = state.events(None)[0].deck
    return deck


def test_the_house_deck_is_that_of_the_rules() -> None:
    expected = {
        f"{name}-{number}": guild
        for name, row in HOUSE_DECK.items()
        for number, guild in enumerate(row.split(), 4)
    }
    assert house_deck() == expected
    assert list(house_deck()) == [card for card in CARDS if 4 <= value(card) <= 12]
