"""What a seat cannot know is drawn again, and agrees with all that the seat has seen."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

from engine import State
from engine.game import GameVariant
from tests.engine.bribery.play import (
    BRIBES,
    BY_ID,
    basic_id,
    each_usual_variant,
    forced_game,
    random_game,
)
from tests.engine.games import Game, as_json, seat_moments, sent_world


def games(variant: GameVariant) -> Iterator[Game]:
    yield random_game(variant, 0)
    yield forced_game(variant, 1)


# -- it agrees with what the seat has seen ------------------------------------------------------


@each_usual_variant
def test_redraws_events_of_other_seats(variant: GameVariant) -> None:
    rng = random.Random(1)
    for _, state, seat in seat_moments(games(variant), every=7):
        for other in range(variant.seats):
            state.events(other)
        drawn = state.determinize(seat, rng)
        for other in range(variant.seats):
            shown_cards = [
                card for event in as_json(drawn.events(other)) for card in event.get("cards", ())
            ]
            assert set(drawn.view(other).hand) <= set(shown_cards)


def types(cards: Any) -> str:
    return "".join("B" if card in BRIBES else "O" for card in cards)


def kept_after_forced(game: Game) -> Iterator[tuple[State, int, set[str]]]:
    """Yield the moments after a forced discard of a seat that still holds cards of that hand.

    With the suits that had a place when it discarded: the seat has shown that it has none.
    """
    shown: dict[int, set[str]] = {}
    number = 1
    before: Any = None
    for state, action in zip(game.moments(), ["", *game.actions], strict=True):
        view = state.view(None)
        if view.round != number:
            shown, number = {}, view.round
        elif action.startswith("discard"):
            suits = open_suits(before)
            shown[before.to_act] = shown.get(before.to_act, set()) | suits
        for seat, suits in shown.items():
            if view.hand_sizes[seat]:
                yield state, seat, suits
        before = view


def open_suits(view: Any) -> set[str]:
    found = set()
    for official in view.board:
        if not official.face_down:
            closed = {bribe.card[-1] for bribe in official.bribes}
            closed |= {official.card[-1]} & set("shdc")
            found |= set("shdc") - closed
    return found


@each_usual_variant
def test_forced_discard_restricts_the_hand(variant: GameVariant) -> None:
    """What the seat kept had no place then, so no card of an open suit is drawn for it."""
    rng, seen, limited = random.Random(4), 0, 0
    for seed in range(12):
        for state, discarder, suits in kept_after_forced(forced_game(variant, seed)):
            seen += 1
            assert suits.isdisjoint(card[-1] for card in state.view(discarder).hand)
            for seat in range(variant.seats):
                held = sent_world(state, seat, rng).view(discarder).hand
                assert suits.isdisjoint(card[-1] for card in held)
                drawn = state.determinize(seat, rng)
                held = drawn.view(discarder).hand
                assert suits.isdisjoint(card[-1] for card in held)
                assert drawn.determinize(seat, rng).view(seat) == state.view(seat)
                if seat == discarder:
                    assert held == state.view(discarder).hand
                limited += seat != discarder and bool(suits)
    assert seen >= limited / variant.seats
    if basic_id(variant) in ("bribery/2", "bribery/4"):
        assert limited > 10  # in the others most of the discards are the last cards of hands


# -- it really varies ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bribery/2", "bribery/4-teams-advanced"])
def test_unseen_cards_are_uniform(name: str) -> None:
    variant, rng, draws = BY_ID[name], random.Random(7), 1500
    state = next(random_game(variant, 5).moments())
    view = state.view(0)
    shown = {*view.hand, *(official.card for official in view.board)}
    found = [Counter[str]() for _ in range(variant.seats)]
    for number in range(draws):
        drawn = state.determinize(0, rng) if number % 2 else sent_world(state, 0, rng)
        for other in range(1, variant.seats):
            found[other].update(drawn.view(other).hand)
    unseen = [card for card in BRIBES if card not in shown]
    for other in range(1, variant.seats):
        share = types(state.view(other).hand).count("B") / len(unseen)
        deviation = (draws * share * (1 - share)) ** 0.5
        for card in unseen:
            assert abs(found[other][card] - draws * share) < 4.5 * deviation


def limited_hands(variant: GameVariant) -> Iterator[tuple[State, int, int, set[frozenset[str]]]]:
    """Yield states in which a seat knows much of a discarder's hand: with all that it can be."""
    for seed in range(40):
        for state, discarder, suits in kept_after_forced(forced_game(variant, seed)):
            seat = (discarder + 1) % variant.seats
            view = as_json(state.view(seat))
            seen = [bribe["card"] for each in view["board"] for bribe in each["bribes"]]
            seen += [each["card"] for each in view["discards"]] + view["hand"]
            unseen = [card for card in BRIBES if card[-1] not in suits and card not in seen]
            size = view["hand_sizes"][discarder]
            hands = {frozenset(hand) for hand in combinations(unseen, size)}
            if len(hands) > 1:
                yield state.clone(), seat, discarder, hands


@pytest.mark.parametrize("name", ["bribery/2", "bribery/4"])
def test_hands_after_forced_discard_are_uniform(name: str) -> None:
    rng, positions = random.Random(8), list(islice(limited_hands(BY_ID[name]), 4))
    assert len(positions) == 4
    for state, seat, discarder, hands in positions:
        drawn = Counter(
            frozenset(state.determinize(seat, rng).view(discarder).hand)
            for _ in range(60 * len(hands))
        )
        assert drawn.keys() == hands
        assert all(30 < times < 95 for times in drawn.values())
