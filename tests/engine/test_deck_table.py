"""The table that gives each guild card its guild: the house deck, and what a table must be."""

import random

import pytest

from engine import InvalidTable, get_variant
from engine.pot_de_vin.cards import read_deck
from tests.engine.pot_de_vin.play import CARDS, character, value

HOUSE_DECK = {
    "aldo": "nobles knights traders workmen artists nobles traders assassins artists",
    "pietra": "traders artists assassins nobles knights workmen assassins artists traders",
    "enzo": "workmen nobles knights artists assassins traders knights nobles workmen",
    "ugo": "artists assassins workmen traders nobles artists workmen knights nobles",
}
"""The guilds of the values 4 to 12 [1.1]."""


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


# -- other tables -------------------------------------------------------------------------------


def text_of(table: dict[str, list[str]], head: str = 'origin = "test"') -> str:
    rows = [f"{name} = [{', '.join(map(repr, guilds))}]" for name, guilds in table.items()]
    return "\n".join([head, "[guilds]", *rows])


def house_table() -> dict[str, list[str]]:
    return {name: row.split() for name, row in HOUSE_DECK.items()}


def test_another_table_can_replace_the_house_deck() -> None:
    """Rows may stand in any order; the cards come in canonical order all the same."""
    table = dict(reversed(house_table().items()))
    table["aldo"].reverse()
    deck = read_deck(text_of(table))
    assert list(deck) == list(house_deck())
    assert deck["aldo-4"] == "artists"
    assert {card: deck[card] for card in deck if character(card) != "aldo"} == {
        card: guild for card, guild in house_deck().items() if character(card) != "aldo"
    }


def spoiled(name: str, *guilds: str) -> str:
    """Return the house table with another row."""
    return text_of(house_table() | {name: list(guilds)})


ROW = HOUSE_DECK["aldo"].split()
WRONG = {
    "no origin": text_of(house_table(), head=""),
    "unknown field": text_of(house_table(), head='origin = "test"\nseed = 3'),
    "a character missing": text_of({n: row for n, row in house_table().items() if n != "ugo"}),
    "a character too many": spoiled("otto", *ROW),
    "a card without a guild": spoiled("aldo", *ROW[1:]),
    "an unknown guild": spoiled("aldo", "bakers", *ROW[1:]),
    "a guild of eight": spoiled("aldo", *ROW[:1], "nobles", *ROW[2:]),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=list(WRONG))
def test_a_wrong_table_is_refused(text: str) -> None:
    with pytest.raises(InvalidTable, match=r"^deck table: "):
        read_deck(text)


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        ("a character missing", "of aldo, pietra, enzo; expected aldo, pietra, enzo, ugo"),
        ("an unknown guild", "got bakers, knights"),
        ("a guild of eight", "nobles has 8 cards; expected at most 7"),
    ],
)
def test_the_refusal_says_what_is_wrong(wrong: str, shown: str) -> None:
    with pytest.raises(InvalidTable, match=shown):
        read_deck(WRONG[wrong])
