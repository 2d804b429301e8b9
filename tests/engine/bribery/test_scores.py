"""Invariant 7 of section 13: what can be scored, and games that reach the bounds."""

import random

import pytest
from hypothesis import given, settings

from engine.game import GameVariant
from tests.engine.bribery.play import (
    BASIC,
    BRIBES,
    SUITED,
    any_game,
    check_as_basic_in_advanced,
    pattern,
    views,
)
from tests.engine.games import Game, as_json


@settings(max_examples=15)
@given(game=any_game)
def test_invariant_7_scores(game: Game) -> None:
    deal = as_json(game.deal)
    most = 28 + 2 * len(deal["jokers"]) + 2 * ("joker-3" in deal["jokers"])
    for _, view, _ in views(game):
        points = view["control"]["points"]
        assert min(points) >= 0
        assert sum(points) <= most
    result = as_json(game.end().outcome().detail)
    assert result["points"] == points


Plan = dict[str, list[tuple[str, int]]]
"""By official: the bribes that end there, with their sides."""


def plan_nothing(count: int, jokers: list[str], rng: random.Random) -> Plan:
    """Plan a game in which no side gets a point: 18 officials with two equal bribes each."""
    pairs = [
        pair for i, first in enumerate(range(count)) for pair in [(first, two) for two in range(i)]
    ]
    pairs = [pairs[number % len(pairs)] for number in range(18)]
    plan: Plan = {official: [] for official in SUITED + jokers}
    for value in range(2, 11):
        suits = rng.sample("shdc", 4)
        for two in (suits[:2], suits[2:]):
            free = [o for o in plan if not plan[o] and (o in jokers or o[-1] not in two)]
            cards = [f"{value}{suit}" for suit in two]
            plan[rng.choice(free)] = list(zip(cards, pairs.pop(), strict=True))
    return plan


def plan_everything(count: int, jokers: list[str], rng: random.Random) -> Plan:
    """Plan a game in which side 0 dominates all countries, and so has all points.

    The bribes of the others lie under greater ones or tie one another.
    """
    plan: Plan = {official: [] for official in SUITED + jokers}
    if count == 2:
        cover_all(plan, rng)
        return plan
    mine = tie_two(plan) if count == 3 else tie_three(plan)
    for joker in jokers:
        plan[joker].append((mine.pop(), 0))
    for card in mine:  # in every country
        room = [official for official in SUITED if is_free(plan, official, card)]
        empty = [official for official in room if not has_mine(plan, official[1])]
        plan[rng.choice(empty or room)].append((card, 0))
    return plan


def cover_all(plan: Plan, rng: random.Random) -> None:
    """Put the highest bribes, which are mine, on every official, and those of side 1 under them."""
    mine = sorted(BRIBES, key=lambda card: -worth(card))[:18]
    theirs = [card for card in BRIBES if card not in mine]
    rng.shuffle(mine)
    for bribes, card in zip(plan.values(), mine, strict=True):
        bribes.append((card, 0))
    rng.shuffle(theirs)
    for card in theirs:
        room = []
        for official in SUITED:
            (top, _), *under = plan[official]
            below = worth(top) > worth(card) + sum(worth(other) for other, _ in under)
            if below and may_lie(card, official, plan):
                room.append(official)
        plan[rng.choice(room)].append((card, 1))


def tie_two(plan: Plan) -> list[str]:
    """Let sides 1 and 2 tie on officials; all bribes of three values are mine, which it returns."""
    ties = [official for official in SUITED if official[0] != "a"]
    for value in range(5, 11):
        for two in ("sh", "dc"):
            official = next(each for each in ties if each[1] not in two)
            ties.remove(official)
            plan[official] = [(f"{value}{suit}", 1 + i) for i, suit in enumerate(two)]
    return [f"{value}{suit}" for value in (2, 3, 4) for suit in "shdc"]


def tie_three(plan: Plan) -> list[str]:
    """Let sides 1 to 3 tie on officials; one bribe of each value is mine, which it returns."""
    mine = []
    for value in range(2, 11):
        suit = "shdc"[value % 4]
        mine.append(f"{value}{suit}")
        official = ("j" if value < 6 else "q" if value < 10 else "k") + suit
        others = [each for each in "shdc" if each != suit]
        plan[official] = [(f"{value}{other}", 1 + i) for i, other in enumerate(others)]
    return mine


def worth(card: str) -> int:
    return int(card[:-1])


def is_free(plan: Plan, official: str, card: str) -> bool:
    """Whether no other side has bribed an official, and my bribe may lie there."""
    return all(side == 0 for _, side in plan[official]) and may_lie(card, official, plan)


def has_mine(plan: Plan, suit: str) -> bool:
    """Whether a bribe of mine lies in a country."""
    return any(side == 0 for each in SUITED if each[1] == suit for _, side in plan[each])


def may_lie(card: str, official: str, plan: Plan) -> bool:
    """Whether the suit rule of section 5.2 lets a bribe lie on an official."""
    suits = [other[-1] for other, _ in plan[official]]
    return card[-1] not in suits and (official not in SUITED or official[-1] != card[-1])


def carry_out(variant: GameVariant, jokers: list[str], plan: Plan, rng: random.Random) -> Game:
    """Return a game that ends as planned: its decks are dealt as the cards are played."""
    n, count = variant.seats, len(variant.sides)
    plans: list[list[tuple[str, str]]] = [[] for _ in range(n)]  # by seat: bribe and official
    need = [pattern(variant, seat, 0).count("B") for seat in range(n)]
    for official, bribes in plan.items():
        for card, side in bribes:
            seats = [seat for seat in range(side, n, count) if len(plans[seat]) < need[seat]]
            plans[rng.choice(seats)].append((card, official))
    officials = sorted(plan, key=lambda official: (-len(plan[official]), rng.random()))
    board, coming = (
        officials[: variant.parameters.board_size],
        officials[variant.parameters.board_size :],
    )
    shown, played, actions = set(board), [list[str]() for _ in range(n)], []
    for turn, seat in enumerate(variant.parameters.orders[0][:-1]):
        assert seat is not None
        first = (variant.parameters.round_of[turn] - 1) * 3
        kinds = pattern(variant, seat, 0)[first : first + 3]
        if "O" in kinds and len(played[seat]) == first:  # the official first
            card = coming.pop(0)
            shown.add(card)
            actions.append(f"official {card}")
        else:
            ready = [each for each in plans[seat] if each[1] in shown]
            card, official = rng.choice(ready)
            plans[seat].remove((card, official))
            actions.append(f"bribe {card} {official}")
        played[seat].append(card)
    decks = []
    for seat in range(n):
        kinds = pattern(variant, seat, 0)
        cards = {"B": [c for c in played[seat] if c in BRIBES]}
        cards["O"] = [c for c in played[seat] if c not in BRIBES]
        decks.append([cards[kind].pop(0) for kind in kinds])
    deal = variant.read_deal({"jokers": jokers, "board": board, "decks": decks, "start": 0})
    state, seats = variant.start(deal), []
    for action in actions:
        assert action in state.legal_actions(), action
        seats.append(state.seat_to_act or 0)
        state.apply(action)
    return Game(variant, deal, tuple(actions), tuple(seats))


@pytest.mark.parametrize(
    ("variant", "with_joker_3"),
    [
        (variant, yes)
        for variant in BASIC
        for yes in (True, False)
        if yes or variant.parameters.jokers < 4
    ],
    ids=lambda value: value.id if isinstance(value, GameVariant) else ("without", "with")[value],
)
@pytest.mark.parametrize("everything", [True, False], ids=["everything", "nothing"])
def test_invariant_7_the_bounds_are_reached(
    variant: GameVariant, with_joker_3: bool, everything: bool
) -> None:
    numbers = ("3124" if with_joker_3 else "124")[: variant.parameters.jokers]
    jokers = sorted(f"joker-{number}" for number in numbers)
    count, plan = len(variant.sides), plan_everything if everything else plan_nothing
    most = 28 + 2 * len(jokers) + 2 * with_joker_3
    for seed in range(500):
        rng = random.Random(seed)
        try:
            game = carry_out(variant, jokers, plan(count, jokers, rng), rng)
        except (IndexError, AssertionError):  # a plan that cannot be carried out in this order
            continue
        break
    result = as_json(game.end().outcome().detail)
    assert result["points"] == [most * everything] + [0] * (count - 1)
    assert result["win_weight"] == (2 if everything else 1)
    check_as_basic_in_advanced(game)
