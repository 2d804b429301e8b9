"""Redraws of what a seat cannot know: consistent with what it has seen, and random."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine import State, Variant, get_variant
from tests.engine.games import Game, finish, seat_moments, sent_world
from tests.engine.pot_de_vin.play import CARDS, VARIANTS, character, each_usual_variant, random_game

SIX = get_variant("pot-de-vin/6-teams")


def games(variant: Variant) -> Iterator[Game]:
    for seed in range(4):
        yield random_game(variant, seed)


def redraw(state: State, seat: int, rng: random.Random) -> State:
    if rng.random() < 0.5:
        return state.determinize(seat, rng)
    return sent_world(state, seat, rng)


def lacking(view: Any) -> list[set[str]]:
    """Return the characters that each seat has shown that it does not hold [5.2]."""
    shown: list[set[str]] = [set() for _ in range(view.n)]
    for trick in (*(past.trick for past in view.history), view.trick):
        plays = [(turn.seat, turn.action[5:]) for turn in trick if turn.action != "pass"]
        for seat, card in plays[1:]:
            if character(card) != character(plays[0][1]):
                shown[seat].add(character(plays[0][1]))
    return shown


# -- it agrees with what the seat has seen ------------------------------------------------------


@each_usual_variant
def test_worlds_respect_characters_not_followed(variant: Variant) -> None:
    rng, voids = random.Random(3), 0
    for _, state, seat in seat_moments(games(variant), every=2):
        drawn = redraw(state, seat, rng)
        for other, barred in enumerate(lacking(state.view(seat))):
            hand = drawn.view(other).hand
            voids += bool(barred and hand and other != seat)
            assert barred.isdisjoint(map(character, hand))
    assert voids > 100


def test_own_discards_stay_in_the_trump_pile() -> None:
    rng, found = random.Random(5), 0
    for _, state, seat in seat_moments(games(SIX), every=9):
        discarded = state.view(seat).discarded
        drawn = redraw(state, seat, rng)
        assert drawn.view(seat).discarded == discarded
        for other in range(6):
            mine, theirs = state.view(other).discarded, drawn.view(other).discarded
            assert (mine is None) == (theirs is None)
            assert other == seat or theirs is None or theirs != discarded
        if discarded is not None:
            first = [past.trump for past in finish(drawn, rng).view(None).history[:4]]
            assert first.count(discarded) == 1
            found += 1
    assert found > 30


def test_recycled_trumps_come_again() -> None:
    rng, recycled = random.Random(6), 0
    for _, state, seat in seat_moments(games(SIX), every=9):
        known = [past.trump for past in state.view(seat).history]
        drawn = redraw(state, seat, rng)
        discards = {drawn.view(other).discarded for other in range(6)} - {None}
        end = finish(drawn, rng).view(None)
        trumps = [past.trump for past in end.history]
        assert trumps[: len(known)] == known
        pile = set(trumps[:4])
        assert len(pile) == 4
        assert discards <= pile
        for first in range(4, len(trumps), 4):
            block = trumps[first : first + 4]
            assert len(set(block)) == len(block)
            assert set(block) <= pile
            recycled += len(known) in range(first + 1, first + 3)
    assert recycled > 30


# -- it really varies ---------------------------------------------------------------------------


@pytest.mark.parametrize(("now", "then", "possible"), [(4, 5, 4), (5, 6, 3), (5, 9, 4)])
def test_the_order_of_known_trumps_varies(now: int, then: int, possible: int) -> None:
    """In `/6-teams` the four cards are known after round 4, but not their next order."""
    rng, draws = random.Random(12), 400
    moments = random_game(SIX, 1).moments()
    state = next(state for state in moments if state.view(None).round == now)
    turned: Counter[str] = Counter()
    for _ in range(draws):
        turned[finish(redraw(state, 0, rng), rng).view(None).history[then - 1].trump] += 1
    assert len(turned) == possible
    assert all(abs(times - draws / possible) < 45 for times in turned.values())


@each_usual_variant
def test_unconstrained_cards_are_uniform(variant: Variant) -> None:
    rng, draws = random.Random(10), 1500
    state = next(random_game(variant, 5).moments())
    view = state.view(0)
    unseen = [card for card in CARDS if card not in {*view.hand, view.trump}]
    found = [Counter[str]() for _ in range(variant.seats)]
    for _ in range(draws):
        drawn = redraw(state, 0, rng)
        for other in range(1, variant.seats):
            found[other].update(drawn.view(other).hand)
    for other in range(1, variant.seats):
        share = view.hand_sizes[other] / len(unseen)
        deviation = (draws * share * (1 - share)) ** 0.5
        for card in unseen:
            assert abs(found[other][card] - draws * share) < 4.5 * deviation, (other, card)


def agreeing_deals(view: Any) -> list[tuple[tuple[str, ...], ...]]:
    """Return every way to deal what is hidden that agrees with a view: hands by seat, the pile."""
    seen = {view.trump, *view.hand, *(past.trump for past in view.history)}
    for trick in (*(past.trick for past in view.history), view.trick):
        seen |= {turn.action[5:] for turn in trick}
    unseen = [card for card in CARDS if card not in seen]
    room = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
    room.append(view.trump_pile)
    barred = [*lacking(view), set()]
    found = []

    def place(left: Sequence[str], dealt: list[list[str]]) -> None:
        if not left:
            found.append(tuple(map(tuple, dealt)))
            return
        for number, cards in enumerate(dealt):
            if len(cards) < room[number] and character(left[0]) not in barred[number]:
                cards.append(left[0])
                place(left[1:], dealt)
                cards.pop()

    place(unseen, [[] for _ in room])
    return found


def test_draws_every_consistent_deal() -> None:
    """Late in a game, when characters are barred from hands; and none is drawn much too often."""
    rng, draws, positions = random.Random(11), 40, 0
    for variant in VARIANTS[:3]:
        for _, state, seat in seat_moments(games(variant), every=5):
            view = state.view(seat)
            hidden = sum(view.hand_sizes) - len(view.hand) + view.trump_pile
            if hidden > 7 or not any(lacking(view)):
                continue
            deals = agreeing_deals(view)
            if not 3 <= len(deals) <= 15:
                continue
            positions += 1
            drawn: Counter[tuple[tuple[str, ...], ...]] = Counter()
            for _ in range(draws * len(deals)):
                one = redraw(state, seat, rng)
                hands = [one.view(other).hand for other in range(variant.seats)]
                drawn[(*hands[:seat], (), *hands[seat + 1 :])] += 1
            expected = Counter(deal[:-1] for deal in deals)  # the last is the trump pile
            assert set(drawn) == set(expected)
            for dealt, ways in expected.items():
                assert drawn[dealt] < 4 * draws * ways, (view, dealt)
    assert positions >= 10
