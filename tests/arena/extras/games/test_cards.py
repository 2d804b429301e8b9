"""What cards and tiles do: each has a line that fits a terminal, with nothing left to fill in."""

import random

import pytest

from arena.narration.telling import telling_of
from engine import variants
from engine.brides_and_bribes import tiles

GAMES = sorted({variant.game for variant in variants().values()})


@pytest.mark.parametrize("game", GAMES)
def test_describes_each_card(game: str) -> None:
    assert telling_of(game).cards
    for card in telling_of(game).cards:
        line = telling_of(game).about(card)
        assert 10 < len(line) <= 110, (card, line)
        assert line.isprintable()
        assert "{" not in line


@pytest.mark.parametrize("variant", ["bribery/3-advanced", "pot-de-vin/6-teams"])
def test_describes_cards_of_actions(variant: str) -> None:
    one, rng = variants()[variant], random.Random(5)
    state = one.start(one.deal(rng))
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        for action in legal:
            assert telling_of(one.game).about_action(action) or " " not in action
        state.apply(rng.choice(legal))


def test_describes_abilities_and_workshops() -> None:
    assert telling_of("bribery").about_action("ability kc 9s ks").startswith("assassinate: ")
    assert telling_of("bribery").about_action("protect 4d").startswith("protect: ")
    assert telling_of("bribery").about_action("no-ability") == ""
    for shop in tiles.SHOPS:
        line = telling_of("brides-and-bribes").about_action(f"build {shop}")
        assert line.startswith("a workshop: ")
    for game in (*GAMES, "hush-money"):
        assert telling_of(game).about("nonsense") == ""
