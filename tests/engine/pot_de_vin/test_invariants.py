"""The invariants of section 13 of the rules page, through games played at random."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import IllegalAction, State, Variant
from engine.pot_de_vin.scoring import describe, standing
from tests.engine.games import SEEDS, Game, as_json
from tests.engine.pot_de_vin.play import (
    CARDS,
    GUILDS,
    VARIANTS,
    area_of,
    character,
    in_order,
    passes_of,
    random_game,
    random_games,
    table_of,
    value,
)


def every_game(test: Callable[[Game], None]) -> Callable[[], None]:
    """Run a test on games of all variants among seats of all tempers."""
    return settings(max_examples=60)(given(game=random_games())(test))


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


@every_game
def test_i01_every_card_is_in_one_place(game: Game) -> None:
    for number, state in enumerate(game.moments()):
        view = state.view(None)
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


@every_game
def test_i02_every_gem_is_in_one_place(game: Game) -> None:
    for state in game.moments():
        view = state.view(None)
        passed = sum(turn.action == "pass" for turn in view.trick)
        gems = sum(view.gems) + passed + sum(view.treasure) + sum(view.gems_removed)
        assert gems == game.variant.seats * table_of(game).gems


@every_game
def test_i03_cards_and_gems_last_for_the_rest_of_the_rounds(game: Game) -> None:
    for state in game.moments():
        view = state.view(None)
        if view.phase != "play":
            continue
        for seat in range(view.n):
            if seat in view.active[len(view.trick) :]:
                left = view.rounds - view.round + 1
                assert view.hand_sizes[seat] + view.gems[seat] == left
            elif seat not in view.active:
                assert view.hand_sizes[seat] == view.gems[seat] == 0


@every_game
def test_i04_the_legal_list_is_complete_and_in_order(game: Game) -> None:
    for state in game.moments():
        legal, seat = state.legal_actions(), state.seat_to_act
        if seat is None:
            assert legal == []
            continue
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
def test_i05_a_round_has_one_turn_of_each_active_seat(game: Game) -> None:
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


@every_game
def test_i06_a_follower_plays_the_led_character_or_holds_none(game: Game) -> None:
    for action, state in zip(game.actions, game.moments(), strict=False):
        view = state.view(state.seat_to_act)
        if view.trick and action != "pass" and character(action[5:]) != view.led:
            assert view.led not in map(character, view.hand)


@settings(max_examples=40)
@given(game=random_games(), seed=SEEDS)
def test_i07_a_view_does_not_depend_on_what_it_hides(game: Game, seed: int) -> None:
    """Hidden cards change places in the deal, and hidden trumps their order: nobody can tell."""
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


@every_game
def test_i08_nothing_is_held_at_the_end(game: Game) -> None:
    end = game.end().view(None)
    assert end.hand_sizes == end.gems == (0,) * end.n
    assert sum(end.treasure) == game.actions.count("pass")


@every_game
def test_i09_passes_decide_how_many_rounds_are_played(game: Game) -> None:
    end, table = game.end().view(None), table_of(game)
    assert end.round == len(end.history) == table.hand + max(passes_of(game))
    for passes, removed in zip(passes_of(game), end.gems_removed, strict=True):
        assert passes + removed == table.gems


@every_game
def test_i10_cards_taken_and_left(game: Game) -> None:
    end, table = game.end().view(None), table_of(game)
    taken = sum(len(area_of(end, seat)) for seat in range(end.n))
    if table.recycled:
        assert taken == 48
        assert len(trump_pile(game, game.end())) == 4
    else:
        assert taken == end.n * table.hand + end.round
        assert end.trump_pile == table.rounds - end.round


@every_game
def test_i11_decisions(game: Game) -> None:
    table = table_of(game)
    expected = game.variant.seats * table.hand + game.actions.count("pass")
    assert len(game.actions) == expected + 3 * table.recycled


@every_game
def test_i12_bounds_of_treasures(game: Game) -> None:
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


@every_game
def test_i13_bounds(game: Game) -> None:
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


@every_game
def test_i14_moving_the_start_renames_the_seats(game: Game) -> None:
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
    """Return all that a seat got out of a game."""
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


# -- scoring ------------------------------------------------------------------------------------

COLUMN_POINTS = [0, 1, 3, 6, -1, -3, -6, 10, 15]
POT_DE_VIN_POINTS = [0, -1, -3, -6, 10]


def best_points(areas: Sequence[Sequence[str]], gems: int, guild_of: Mapping[str, str]) -> int:
    """Return the most points of a side, by trying every choice and every place of the jokers."""
    columns = [
        {guild: size for guild in GUILDS if (size := [guild_of.get(c) for c in area].count(guild))}
        for area in areas
    ]
    scorers = {}  # by guild: the seats whose column may be the one that is scored
    for guild in GUILDS:
        sizes = {seat: own[guild] for seat, own in enumerate(columns) if guild in own}
        if sizes:
            scorers[guild] = [seat for seat in sizes if sizes[seat] == min(sizes.values())]
    values = [[value(card) for card in area] for area in areas]
    neutral = sum(
        2 * own.count(2) - 2 * own.count(3) + POT_DE_VIN_POINTS[own.count(13)] for own in values
    )
    best = None
    for choice in product(*scorers.values()):
        total = neutral + gems
        for seat, own in enumerate(columns):
            live = [guild for guild, owner in zip(scorers, choice, strict=True) if owner == seat]
            placed = min(values[seat].count(1), len(own))
            total += max(
                sum(COLUMN_POINTS[own[guild] + (guild in joined)] for guild in live)
                for joined in combinations(own, placed)
            )
        best = total if best is None else max(best, total)
    assert best is not None
    return best


def check_side(side: Any, areas: Sequence[Sequence[str]], guild_of: Mapping[str, str]) -> None:
    """Check that a described side is legal, adds up, and is the best there is."""
    assert side.points == best_points(areas, side.gems, guild_of)
    columns = sum(column.points for column in side.guilds.values())
    assert side.points == columns + side.bonus + side.penalty + side.pot_de_vin + side.gems
    placed = [(joker.seat, joker.guild) for joker in side.jokers if joker.guild is not None]
    assert len(set(placed)) == len(placed)
    natural = {
        (seat, guild): [guild_of.get(card) for card in area].count(guild)
        for seat, area in zip(side.seats, areas, strict=True)
        for guild in GUILDS
    }
    assert all(natural[place] for place in placed)
    for seat, area in zip(side.seats, areas, strict=True):
        owned = [joker.card for joker in side.jokers if joker.seat == seat]
        assert owned == in_order([card for card in area if value(card) == 1])
        own_columns = sum(natural[seat, guild] > 0 for guild in GUILDS)
        assert [owner for owner, _ in placed].count(seat) == min(len(owned), own_columns)
    for guild in GUILDS:
        sizes = [natural[seat, guild] for seat in side.seats if natural[seat, guild]]
        assert (guild in side.guilds) == bool(sizes)
        if sizes:
            column = side.guilds[guild]
            joined = (column.seat, guild) in placed
            assert column.joker == joined
            assert column.symbols == min(sizes) + joined
            assert natural[column.seat, guild] == min(sizes)
            assert column.points == COLUMN_POINTS[column.symbols]
    discarded = len(side.jokers) - len(placed)
    assert side.cards == sum(map(len, areas)) - discarded


@every_game
def test_i15_points_are_the_best_by_brute_force(game: Game) -> None:
    end = game.end()
    view, guild_of = end.view(None), end.events(None)[0].deck
    for side, seats in zip(view.result.teams, game.variant.sides, strict=True):
        assert side.seats == seats
        assert side.gems == sum(view.treasure[seat] for seat in seats)
        check_side(side, [area_of(view, seat) for seat in seats], guild_of)
        assert {end.outcome().points[seat] for seat in seats} == {side.points}


@pytest.mark.parametrize("seats", [1, 2], ids=["alone", "in a team"])
@settings(max_examples=200)
@given(seed=SEEDS, jokers=st.integers(0, 4), share=st.sampled_from([0.2, 0.5, 1.0]))
def test_i15_also_for_areas_that_are_rarely_taken(
    seats: int, seed: int, jokers: int, share: float
) -> None:
    """Areas with many jokers and equal columns, dealt at random rather than won."""
    rng = random.Random(seed)
    variant = VARIANTS[0]
    guild_of = variant.start(variant.deal(rng)).events(None)[0].deck
    dealt = [card for card in CARDS if value(card) != 1 and rng.random() < share]
    dealt += [f"{name}-1" for name in ("aldo", "pietra", "enzo", "ugo")[:jokers]]
    areas: list[list[str]] = [[] for _ in range(seats)]
    for card in dealt:
        rng.choice(areas).append(card)
    treasure = [rng.randrange(5) for _ in areas]
    (side,) = describe((tuple(range(seats)),), areas, treasure).teams
    check_side(side, areas, guild_of)
    key = standing(range(seats), areas, treasure)
    assert (key.points, key.cards, key.gems) == (side.points, side.cards, side.gems)


@every_game
def test_i15_the_standing_of_an_unfinished_game(game: Game) -> None:
    """`score_now` is the standing if the game ended now (10.1)."""
    for state in game.moments():
        view = state.view(None)
        if view.trick:
            continue
        areas = [area_of(view, seat) for seat in range(view.n)]
        sides = describe(game.variant.sides, areas, view.treasure).teams
        assert [(now.points, now.cards, now.gems) for now in view.score_now] == [
            (side.points, side.cards, side.gems) for side in sides
        ]


@every_game
def test_i16_ranks(game: Game) -> None:
    end = game.end()
    outcome, result = end.outcome(), end.outcome().detail
    keys = [(side.points, side.cards, side.gems) for side in result.teams]
    for side, key in zip(result.teams, keys, strict=True):
        assert side.rank == 1 + sum(other > key for other in keys)
        for seat in side.seats:
            assert outcome.ranks[seat] == result.ranks[seat] == side.rank
            assert outcome.points[seat] == side.points
    assert result.winners
    assert list(result.winners) == [s for s, rank in enumerate(outcome.ranks) if rank == 1]


# -- the games that all this is tested with -----------------------------------------------------


def corners(game: Game) -> set[str]:
    """Return which rare things happen in a game."""
    end = game.end().view(None)
    happened = set()
    for past in end.history:
        turns = {turn.seat: turn.action for turn in past.trick}
        led = character(turns[past.leader][5:])
        if all(turn.action == "pass" for turn in past.trick[1:]) and len(turns) > 1:
            happened.add("all followers pass")
        if len(turns) == 1:
            happened.add("a seat plays alone")
        if character(turns[past.winner][5:]) != led:
            happened.add("a trump wins")
        if character(past.trump) == led:
            happened.add("trump is led")
    for past, after in zip(end.history, end.history[1:], strict=False):
        if after.leader != past.winner:
            happened.add("the winner has no card to lead")
    if end.round < end.rounds:
        happened.add("early end")
    if any(end.gems_removed):
        happened.add("gems are removed")
    for side in end.result.teams:
        for joker in side.jokers:
            if joker.guild is None:
                happened.add("a joker is discarded")
            elif joker.scored:
                happened.add("a joker is scored")
                if side.guilds[joker.guild].symbols in (4, 5, 6):
                    happened.add("a joker costs points")
            else:
                happened.add("a joker is on an unscored column")
        if len(side.seats) == 2:
            low, high = (end.columns[seat] for seat in side.seats)
            if any(low[guild] and len(low[guild]) == len(high[guild]) for guild in GUILDS):
                happened.add("equal columns of team mates")
            if any(column.seat == side.seats[1] for column in side.guilds.values()):
                happened.add("the higher seat's column is scored")
        if side.pot_de_vin == 10:
            happened.add("all Pot de Vin")
        if not side.cards:
            happened.add("a side without cards")
    points = [side.points for side in end.result.teams]
    if len(set(points)) < len(points):
        happened.add("a tie on points")
    if len({side.rank for side in end.result.teams}) < len(points):
        happened.add("a shared rank")
    return happened


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_the_games_reach_the_corners_of_the_rules(variant: Variant) -> None:
    reached = set().union(*(corners(random_game(variant, seed)) for seed in range(150)))
    expected = {
        *("all followers pass", "a trump wins", "trump is led", "early end", "gems are removed"),
        *("a seat plays alone", "the winner has no card to lead"),
        *("a joker is discarded", "a joker is scored", "a joker costs points"),
        *("all Pot de Vin", "a tie on points"),
    }
    if variant.teams:
        expected |= {
            "a joker is on an unscored column",
            "equal columns of team mates",
            "the higher seat's column is scored",
        }
    else:
        expected |= {"a side without cards"}
    assert expected <= reached
