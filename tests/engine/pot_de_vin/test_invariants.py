"""Invariants 1 and 2 of section 13 of the rules page, through games played at random."""

from collections.abc import Sequence
from typing import Any

from engine import State
from tests.engine.games import Game, as_json
from tests.engine.pot_de_vin.play import (
    CARDS,
    area_of,
    every_game,
    table_of,
)


def hands_of(state: State) -> list[tuple[str, ...]]:
    return [state.view(seat).hand for seat in range(state.variant.seats)]


def cards_in(trick: Sequence[Any]) -> list[str]:
    return [turn.action.removeprefix("play ") for turn in trick if turn.action != "pass"]


def trump_pile(game: Game, state: State) -> list[str]:
    """Return the cards of a recycled pile, the left-over card first, or else those face down."""
    view, cards = state.view(None), as_json(game.deal)["cards"]
    table = table_of(game)
    if not table.recycled:
        return list(cards[view.round : table.rounds])
    order = [(view.start + offset) % view.n for offset in (3, 4, 5)]
    discards = [state.view(seat).discarded for seat in order]
    return [cards[0], *(card for card in discards if card is not None)]


# -- at every moment ----------------------------------------------------------------------------


def i01_every_card_is_in_one_place(game: Game, number: int, state: State, view: Any) -> None:
    cards = [card for hand in hands_of(state) for card in hand]
    cards += cards_in(view.trick)
    cards += [card for seat in range(view.n) for card in area_of(view, seat)]
    pile = trump_pile(game, state)
    if table_of(game).recycled:  # the face-up card is one of the pile
        assert len(pile) == min(4, 1 + number)
        assert view.trump is None or view.trump in pile
        assert view.trump_pile == len(pile) - (view.round > 0) * (1 + (view.round - 1) % 4)
    else:
        cards += [] if view.trump is None else [view.trump]
        assert view.trump_pile == len(pile)
    assert sorted([*cards, *pile]) == sorted(CARDS)


def i02_every_gem_is_in_one_place(game: Game, number: int, state: State, view: Any) -> None:
    passed = sum(turn.action == "pass" for turn in view.trick)
    gems = sum(view.gems) + passed + sum(view.treasure) + sum(view.gems_removed)
    assert gems == game.variant.seats * table_of(game).gems


@every_game
def test_i01_and_i02_hold_at_every_moment(game: Game) -> None:
    for number, state in enumerate(game.moments()):
        for check in (i01_every_card_is_in_one_place, i02_every_gem_is_in_one_place):
            check(game, number, state, state.view(None))
