"""What cards and tiles do: each has a line that fits a terminal, with nothing left to fill in."""

import random

import pytest

from arena.narration.cards import about, about_action, cards_of
from engine import variants
from engine.brides_and_bribes import tiles

GAMES = sorted({variant.game for variant in variants().values()})


@pytest.mark.parametrize("game", GAMES)
def test_each_card_has_a_line(game: str) -> None:
    assert cards_of(game)
    for card in cards_of(game):
        line = about(game, card)
        assert 10 < len(line) <= 110, (card, line)
        assert line.isprintable()
        assert "{" not in line


def test_lines_have_the_printed_values() -> None:
    assert about("pot-de-vin", "aldo-6").startswith("traders: ")
    assert about("bribery", "kh").startswith("4 votes in hearts")
    assert about("bribery", "10c") == "bribe of 10: not on clubs, nor where a bribe of clubs lies"
    assert about("brides-and-bribes", "luciano").startswith("prestige 3, charm 5; after taking")
    assert about("brides-and-bribes", "chiara").endswith("worth 3 influence; dowry: 1 coin")
    assert about("brides-and-bribes", "wine").startswith("after any action: ")


def test_what_is_no_card_has_no_line() -> None:
    for game in (*GAMES, "hush-money"):
        assert about(game, "nonsense") == ""
    assert cards_of("hush-money") == ()


def test_each_workshop_says_what_its_object_does() -> None:
    for shop in tiles.SHOPS:
        assert about_action("brides-and-bribes", f"build {shop}").startswith("a workshop: ")


@pytest.mark.parametrize("variant", ["bribery/3-advanced", "pot-de-vin/6-teams"])
def test_actions_with_a_card_have_a_line(variant: str) -> None:
    one, rng = variants()[variant], random.Random(5)
    state = one.start(one.deal(rng))
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        for action in legal:
            assert about_action(one.game, action) or " " not in action
        state.apply(rng.choice(legal))


def test_abilities_are_told_by_the_suit_of_the_official_that_acts() -> None:
    assert about_action("bribery", "ability kc 9s ks").startswith("assassinate: ")
    assert about_action("bribery", "protect 4d").startswith("protect: ")
    assert about_action("bribery", "no-ability") == ""
