"""Invariant 1 of section 13, and what the rules keep up to date, in the course of every game."""

from hypothesis import given, settings

from engine.bribery.rules.board import refresh
from tests.engine.bribery.play import BRIBES, SLOT_ORDER, any_game, views
from tests.engine.games import Game, as_json


def invariant_1_conservation(game: Game) -> None:
    deal = as_json(game.deal)
    cards = {card for deck in deal["decks"] for card in deck} | set(deal["board"])
    for _, public, seats in views(game):
        seen = [card for view in seats for card in view["hand"]]
        seen += [official["card"] for official in public["board"]]
        bribes = [bribe["card"] for each in public["board"] for bribe in each["bribes"]]
        bribes += [discard["card"] for discard in public["discards"]]
        assert set(bribes) <= set(BRIBES)
        seen += bribes
        for deck, size in zip(deal["decks"], public["deck_sizes"], strict=True):
            seen += deck[len(deck) - size :]
        assert len(seen) == len(set(seen))
        assert set(seen) == cards


def the_control_that_the_rules_use_is_that_of_the_view(game: Game) -> None:
    """What is kept up to date from play to play agrees with the board evaluated as a whole."""
    for state in game.moments():
        rows = {row.card: row.controller for row in state.view(None).control.officials}
        again = state.position.copy()
        refresh(again)
        assert again.control == state.position.control
        for card, side in rows.items():
            official = sorted(SLOT_ORDER).index(card)
            assert state.position.control[official][0] == (-1 if side is None else side)


@settings(max_examples=12)
@given(game=any_game)
def test_random_games_keep_all_invariants(game: Game) -> None:
    invariant_1_conservation(game)
    the_control_that_the_rules_use_is_that_of_the_view(game)
