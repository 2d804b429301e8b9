"""Invariants 1 to 14 of section 13 of the rules page, through games played at random."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings

from engine import IllegalAction, State
from tests.engine.games import SEEDS, Game, as_json
from tests.engine.pot_de_vin.play import (
    CARDS,
    area_of,
    character,
    every_game,
    in_order,
    passes_of,
    random_games,
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


def i03_cards_and_gems_last_for_the_rest_of_the_rounds(
    game: Game, number: int, state: State, view: Any
) -> None:
    if view.phase != "play":
        return
    for seat in range(view.n):
        if seat in view.active[len(view.trick) :]:
            left = view.rounds - view.round + 1
            assert view.hand_sizes[seat] + view.gems[seat] == left
        elif seat not in view.active:
            assert view.hand_sizes[seat] == view.gems[seat] == 0


def i04_the_legal_list_is_complete_and_in_order(
    game: Game, number: int, state: State, view: Any
) -> None:
    legal, seat = state.legal_actions(), state.seat_to_act
    if seat is None:
        assert legal == []
        return
    view = state.view(seat)
    verb = "discard" if view.phase == "discard" else "play"
    led = [card for card in view.hand if character(card) == view.led]
    expected = [f"{verb} {card}" for card in in_order(led or view.hand)]
    if view.phase == "play" and seat != view.leader and view.gems[seat]:
        expected.append("pass")
    assert legal == expected
    assert list(view.legal) == expected
    assert not any(state.view(other).legal for other in range(view.n) if other != seat)


@every_game
def test_i01_to_i04_hold_at_every_moment(game: Game) -> None:
    for number, state in enumerate(game.moments()):
        for check in (
            i01_every_card_is_in_one_place,
            i02_every_gem_is_in_one_place,
            i03_cards_and_gems_last_for_the_rest_of_the_rounds,
            i04_the_legal_list_is_complete_and_in_order,
        ):
            check(game, number, state, state.view(None))


def i05_a_round_has_one_turn_of_each_active_seat(game: Game) -> None:
    for state in game.moments():
        view = state.view(None)
        if view.phase == "play":
            assert view.leader == view.active[0]
            assert [turn.seat for turn in view.trick] == list(view.active[: len(view.trick)])
            holding = {seat for seat in range(view.n) if view.hand_sizes[seat]}
            if not view.trick:
                clockwise = [(view.leader + step) % view.n for step in range(view.n)]
                assert list(view.active) == [seat for seat in clockwise if seat in holding]
    for past in game.end().view(None).history:
        assert past.trick[0].seat == past.leader
        assert past.trick[0].action != "pass"
        assert len({turn.seat for turn in past.trick}) == len(past.trick)
        (won,) = [turn.action for turn in past.trick if turn.seat == past.winner]
        assert won != "pass"


def i06_a_follower_plays_the_led_character_or_holds_none(game: Game) -> None:
    for action, state in zip(game.actions, game.moments(), strict=False):
        view = state.view(state.seat_to_act)
        if view.trick and action != "pass" and character(action[5:]) != view.led:
            assert view.led not in map(character, view.hand)


@settings(max_examples=40)
@given(game=random_games(), seed=SEEDS)
def test_i07_a_view_does_not_depend_on_what_it_hides(game: Game, seed: int) -> None:
    """Hidden cards change places in the deal, and hidden trumps their order: no view changes."""
    rng, unnoticed = random.Random(seed), 0
    for done, state in enumerate(game.moments()):
        if done % 4 == seed % 4:
            for seat in range(game.variant.seats):
                other = exchanged(game, done, state, seat, rng)
                if other is not None:
                    assert other.view(seat) == state.view(seat)
                    assert other.events(seat) == state.events(seat)
                    unnoticed += hands_of(other) != hands_of(state)
    assert unnoticed > 5


def exchanged(game: Game, done: int, state: State, seat: int, rng: random.Random) -> State | None:
    """Return another state after the same visible past, or None if there would be another past."""
    deal, view = as_json(game.deal), state.view(seat)
    cards, actions = deal["cards"], list(game.actions[:done])
    shown = [past.trump for past in view.history] + ([view.trump] if view.trump else [])
    played = [card for past in view.history for card in cards_in(past.trick)]
    seen = {*shown, *played, *cards_in(view.trick), *view.hand, view.discarded}
    pile = trump_pile(game, state) if table_of(game).recycled and view.round else []
    hidden = [card for card in cards if card not in seen]
    for within_pile in (False, False, True):
        choice = [card for card in pile if card != view.discarded] if within_pile else hidden
        if len(choice) < 2:
            continue
        one, two = rng.sample(choice, 2)
        swap = {one: two, two: one}
        cards = [swap.get(card, card) for card in cards]
        for number in range(min(done, 3 * table_of(game).recycled)):
            card = actions[number].removeprefix("discard ")
            actions[number] = f"discard {swap.get(card, card)}"
        if one in pile and two in pile:  # whose discards they were, not when they are turned
            places = {pile.index(one): pile.index(two), pile.index(two): pile.index(one)}
            orders = deal["trump_orders"]
            deal["trump_orders"] = [[places.get(p, p) for p in order] for order in orders]
        pile = [swap.get(card, card) for card in pile]
    for first, order in zip((0, 4, 8), deal.get("trump_orders", ()), strict=False):
        turned = max(0, len(shown) - first)
        order[turned:] = rng.sample(order[turned:], len(order[turned:]))
    other = game.variant.start(game.variant.read_deal(deal | {"cards": cards}))
    try:
        for action in actions:
            other.apply(action)
    except IllegalAction:  # a seat would have had to follow
        return None
    return other


# -- at the end ---------------------------------------------------------------------------------


def i08_nothing_is_held_at_the_end(game: Game) -> None:
    end = game.end().view(None)
    assert end.hand_sizes == end.gems == (0,) * end.n
    assert sum(end.treasure) == game.actions.count("pass")


def i09_passes_decide_how_many_rounds_are_played(game: Game) -> None:
    end, table = game.end().view(None), table_of(game)
    assert end.round == len(end.history) == table.hand + max(passes_of(game))
    for passes, removed in zip(passes_of(game), end.gems_removed, strict=True):
        assert passes + removed == table.gems


def i10_cards_taken_and_left(game: Game) -> None:
    end, table = game.end().view(None), table_of(game)
    taken = sum(len(area_of(end, seat)) for seat in range(end.n))
    if table.recycled:
        assert taken == 48
        assert len(trump_pile(game, game.end())) == 4
    else:
        assert taken == end.n * table.hand + end.round
        assert end.trump_pile == table.rounds - end.round


def i11_decisions(game: Game) -> None:
    table = table_of(game)
    expected = game.variant.seats * table.hand + game.actions.count("pass")
    assert len(game.actions) == expected + 3 * table.recycled


def i12_bounds_of_treasures(game: Game) -> None:
    n, gems = game.variant.seats, table_of(game).gems
    treasure = game.end().view(None).treasure
    for side in game.variant.sides:
        assert all(treasure[seat] <= (n - 1) * gems for seat in side)
        assert sum(treasure[seat] for seat in side) <= n * gems


BOUNDS = {
    # rounds, decisions, decisions of a seat, legal actions, points of a side
    "pot-de-vin/3": ((12, 16), (36, 48), (12, 16), (1, 13), (-44, 84)),
    "pot-de-vin/4": ((10, 12), (40, 48), (10, 12), (1, 11), (-44, 86)),
    "pot-de-vin/5": ((8, 12), (40, 60), (8, 12), (1, 9), (-44, 84)),
    "pot-de-vin/4-teams": ((10, 12), (40, 48), (10, 12), (1, 11), (-51, 86)),
    "pot-de-vin/6-teams": ((8, 12), (51, 75), (8, 12), (1, 9), (-51, 102)),
}


def i13_bounds(game: Game) -> None:
    rounds, decisions, of_a_seat, legal, points = BOUNDS[game.variant.id]
    end = game.end()
    within(rounds, end.view(None).round)
    within(decisions, len(game.actions))
    seats = game.seats[3 * table_of(game).recycled :]
    for seat in range(game.variant.seats):
        within(of_a_seat, seats.count(seat))
    for state in game.moments():
        if state.seat_to_act is not None:
            within(legal, len(state.legal_actions()))
    for each in end.outcome().points:
        within(points, each)


def within(bounds: tuple[int, int], number: int) -> None:
    assert bounds[0] <= number <= bounds[1]


def i14_moving_the_start_renames_the_seats(game: Game) -> None:
    n, deal = game.variant.seats, as_json(game.deal)
    for t in range(1, n):
        moved = deal | {"start": (deal["start"] + t) % n}
        other = game.variant.start(game.variant.read_deal(moved))
        for seat, action in zip(game.seats, game.actions, strict=True):
            assert other.seat_to_act == (seat + t) % n
            other.apply(action)
        for seat in range(n):
            assert fate(other, (seat + t) % n) == fate(game.end(), seat)


def fate(end: State, seat: int) -> tuple[object, ...]:
    view, outcome = end.view(None), end.outcome()
    (side,) = [side for side in view.result.teams if seat in side.seats]
    return (
        area_of(view, seat),
        view.treasure[seat],
        view.gems_removed[seat],
        outcome.points[seat],
        outcome.ranks[seat],
        (side.points, side.cards, side.gems, side.rank),
    )


@every_game
def test_i05_to_i14_hold_in_every_game(game: Game) -> None:
    for check in (
        i05_a_round_has_one_turn_of_each_active_seat,
        i06_a_follower_plays_the_led_character_or_holds_none,
        i08_nothing_is_held_at_the_end,
        i09_passes_decide_how_many_rounds_are_played,
        i10_cards_taken_and_left,
        i11_decisions,
        i12_bounds_of_treasures,
        i13_bounds,
        i14_moving_the_start_renames_the_seats,
    ):
        check(game)
