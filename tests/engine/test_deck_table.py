"""The table that gives each guild card its guild: the house deck, and what a table must be."""

import random
import statistics
from collections import Counter
from importlib import resources

import pytest

from engine import InvalidTable, get_variant
from engine.pot_de_vin.cards import read_deck
from tests.engine.pot_de_vin.play import CARDS, CHARACTERS, GUILDS, character, value

HOUSE_DECK = {
    "aldo": "nobles knights traders workmen artists nobles traders assassins artists",
    "pietra": "traders artists assassins nobles knights workmen assassins artists traders",
    "enzo": "workmen nobles knights artists assassins traders knights nobles workmen",
    "ugo": "artists assassins workmen traders nobles artists workmen knights nobles",
}
"""The guilds of the values 4 to 12 [1.1]."""

MEASURED = {
    "nobles": ([4, 5, 7, 8, 9, 11, 12], 2.73, [2, 1, 2, 2]),
    "artists": ([4, 5, 7, 8, 9, 11, 12], 2.73, [2, 2, 1, 2]),
    "traders": ([4, 6, 7, 9, 10, 12], 2.65, [2, 2, 1, 1]),
    "workmen": ([4, 6, 7, 9, 10, 12], 2.65, [1, 1, 2, 2]),
    "knights": ([5, 6, 8, 10, 11], 2.28, [1, 1, 2, 1]),
    "assassins": ([5, 6, 8, 10, 11], 2.28, [1, 2, 1, 1]),
}
"""Values, their standard deviation, and cards of each character [1.1]."""


def house_deck() -> dict[str, str]:
    """Return the guild of each guild card, as every seat is told it when a game starts."""
    variant = get_variant("pot-de-vin/4")
    state = variant.start(variant.deal(random.Random(0)))
    deck: dict[str, str] = state.events(None)[0].deck
    return deck


def of(guild: str) -> list[str]:
    return [card for card, its in house_deck().items() if its == guild]


def test_the_house_deck_is_that_of_the_rules() -> None:
    expected = {
        f"{name}-{number}": guild
        for name, row in HOUSE_DECK.items()
        for number, guild in enumerate(row.split(), 4)
    }
    assert house_deck() == expected
    assert list(house_deck()) == [card for card in CARDS if 4 <= value(card) <= 12]


@pytest.mark.parametrize("guild", GUILDS)
def test_measures_of_a_guild(guild: str) -> None:
    values, deviation, by_character = MEASURED[guild]
    cards = of(guild)
    assert sorted(map(value, cards)) == values
    assert statistics.mean(values) == 8
    assert round(statistics.pstdev(values), 2) == deviation
    counts = Counter(map(character, cards))
    assert [counts[name] for name in CHARACTERS] == by_character


def test_sizes_fit_the_scoring_table() -> None:
    """The largest column is 7 cards and a joker; 36 cards in all."""
    assert [len(of(guild)) for guild in GUILDS] == [7, 7, 6, 6, 5, 5]


@pytest.mark.parametrize("guild", GUILDS)
def test_values_of_a_guild_are_distinct_and_symmetric(guild: str) -> None:
    values = [value(card) for card in of(guild)]
    assert len(set(values)) == len(values)
    assert {16 - number for number in values} == set(values)


@pytest.mark.parametrize("number", range(4, 13))
def test_cards_of_one_value_are_of_different_guilds(number: int) -> None:
    guilds = {house_deck()[f"{name}-{number}"] for name in CHARACTERS}
    assert len(guilds) == 4


@pytest.mark.parametrize("name", CHARACTERS)
def test_every_character_holds_every_guild(name: str) -> None:
    """Once or twice, and then at least 4 values apart; and no character is privileged."""
    by_size: dict[int, list[int]] = {7: [], 6: [], 5: []}
    for guild in GUILDS:
        values = sorted(value(card) for card in of(guild) if character(card) == name)
        assert len(values) in (1, 2)
        assert values[-1] - values[0] >= 4 * (len(values) - 1)
        by_size[len(of(guild))] += values
    sizes = [len(values) for values in by_size.values()]
    assert sizes == ([4, 3, 2] if name in ("aldo", "ugo") else [3, 3, 3])
    for values in by_size.values():
        assert 7.66 < statistics.mean(values) < 8.34


# -- other tables -------------------------------------------------------------------------------


def text_of(table: dict[str, list[str]], head: str = 'origin = "test"') -> str:
    rows = [f"{name} = [{', '.join(map(repr, guilds))}]" for name, guilds in table.items()]
    return "\n".join([head, "[guilds]", *rows])


def house_table() -> dict[str, list[str]]:
    return {name: row.split() for name, row in HOUSE_DECK.items()}


def test_the_file_beside_the_code_is_the_house_deck() -> None:
    path = resources.files("engine.pot_de_vin").joinpath("cards.toml")
    assert read_deck(path.read_text(encoding="utf-8")) == house_deck()


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
    "no TOML": "guilds: nobles",
    "empty": "",
    "no origin": text_of(house_table(), head=""),
    "unknown field": text_of(house_table(), head='origin = "test"\nseed = 3'),
    "no rows": text_of({}),
    "a character missing": text_of({n: row for n, row in house_table().items() if n != "ugo"}),
    "a character too many": spoiled("otto", *ROW),
    "a card without a guild": spoiled("aldo", *ROW[1:]),
    "a guild too many": spoiled("aldo", *ROW, "traders"),
    "an unknown guild": spoiled("aldo", "bakers", *ROW[1:]),
    "upper case": spoiled("aldo", "Nobles", *ROW[1:]),
    "a guild of eight": spoiled("aldo", *ROW[:1], "nobles", *ROW[2:]),
    "a row that is no list": 'origin = "test"\n[guilds]\naldo = "nobles"',
    "a guild that is no text": text_of(house_table()).replace("'knights'", "3"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=list(WRONG))
def test_a_wrong_table_is_refused(text: str) -> None:
    with pytest.raises(InvalidTable, match=r"^deck table: "):
        read_deck(text)


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        (
            "a character missing",
            "of aldo, pietra, enzo; expected aldo, pietra, enzo, ugo",
        ),
        ("an unknown guild", "got bakers, knights"),
        ("a guild of eight", "nobles has 8 cards; expected at most 7"),
    ],
)
def test_the_refusal_says_what_is_wrong(wrong: str, shown: str) -> None:
    with pytest.raises(InvalidTable, match=shown):
        read_deck(WRONG[wrong])
