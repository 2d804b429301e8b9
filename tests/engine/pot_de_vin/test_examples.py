"""The worked examples of the rules, by their numbers."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import State, get_variant
from engine.pot_de_vin.result import Result, describe
from engine.state import rank
from tests.engine.games import as_json
from tests.engine.pot_de_vin.play import (
    CARDS,
    GUILDS,
    TABLE,
    Wish,
    area_of,
    character,
    find,
    in_order,
    split,
)

EXAMPLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))


def examples(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("example", EXAMPLES[kind], ids=lambda example: example["id"])


# -- 11.1 tricks --------------------------------------------------------------------------------


@examples("tricks")
def test_trick_goes_to_the_right_seat(example: dict[str, Any]) -> None:
    """A trick in a real game: who wins it and what that seat takes.

    The tricks in which everybody acts are the first of a game. In the others some seats ran out
    of cards: they never passed, so that is in the first round that is longer than a hand.
    """
    variant = get_variant(example["variant"])
    turns = [turn.split(": ") for turn in split(example["turns"])]
    played = {int(seat): action.removeprefix("play ") for seat, action in turns}
    active = tuple(played)
    led = character(played[active[0]])
    everybody = len(active) == variant.seats
    number = 1 if everybody else TABLE[variant.id].hand + 1
    wish = Wish(
        variant,
        start=active[0] if everybody else None,
        trumps={number: example["trump"]},
        holds={seat: [card] for seat, card in played.items() if card != "pass"},
        lacks={seat: led for seat, card in played.items() if character(card) not in (led, "pass")},
        passes={} if everybody else dict.fromkeys(set(range(variant.seats)) - set(active), 0),
    )

    def reached(state: State) -> bool:
        public = state.view(None)
        if (public.round, public.active, public.trick) != (number, active, ()):
            return False
        return all(
            public.gems[seat] if card == "pass" else card in state.view(seat).hand
            for seat, card in played.items()
        )

    state = find(wish, reached)
    before = state.view(None)
    assert before.trump == example["trump"]
    for seat, action in turns:
        assert state.seat_to_act == int(seat)
        state.apply(action)

    after = state.view(None)
    past = after.history[-1]
    assert past.winner == example["winner"]
    assert list(past.cards) == example["cards"].split()
    assert past.gems == example["gems"]
    for seat in range(variant.seats):
        won = seat == example["winner"]
        assert after.treasure[seat] == before.treasure[seat] + won * example["gems"]
        taken = area_of(before, seat) + won * example["cards"].split()
        assert area_of(after, seat) == in_order(taken)


# -- 11.2 legal actions -------------------------------------------------------------------------


def position(example: dict[str, Any]) -> State:
    """Return a position in which seat 1 of `/3` is to act with this hand and these gems."""
    hand, gems = tuple(example["hand"].split()), example["gems"]
    variant = get_variant("pot-de-vin/3")
    wish = Wish(variant, holds={1: hand}, passes={1: TABLE[variant.id].gems - gems})

    def reached(state: State) -> bool:
        if state.seat_to_act != 1:
            return False
        view = state.view(1)
        return (view.hand, view.gems[1], view.led or "") == (hand, gems, example["led"])

    return find(wish, reached)


@examples("legal")
def test_legal_actions(example: dict[str, Any]) -> None:
    """The legal list depends on the role, the led character, the hand and the gems."""
    if example["role"] == "discard":
        hand = example["hand"].split()
        wish = Wish(get_variant("pot-de-vin/6-teams"), start=4, holds={1: hand})
        state = find(wish, lambda state: state.seat_to_act == 1)
        assert state.view(1).phase == "discard"
    else:
        state = position(example)
        assert (state.view(1).leader == 1) == (example["role"] == "leader")
    assert state.legal_actions() == split(example["legal"])
    assert list(state.view(1).legal) == split(example["legal"])
    assert state.view(1).gems[1] == example["gems"]


def test_seat_without_cards_loses_its_gems() -> None:
    state = position(next(each for each in EXAMPLES["legal"] if each["id"] == "L7"))
    number = state.view(None).round
    state.apply("play enzo-13")
    while state.seat_to_act is not None and state.view(None).round == number:
        assert (state.view(None).gems[1], state.view(None).gems_removed[1]) == (3, 0)
        state.apply(state.legal_actions()[0])
    assert (state.view(None).gems[1], state.view(None).gems_removed[1]) == (0, 3)


# -- 11.3 to 11.5 scoring -----------------------------------------------------------------------


def deck() -> dict[str, str]:
    variant = get_variant("pot-de-vin/3")
    guild_of: dict[str, str] = variant.start(variant.deal(random.Random(0))).events(None)[0].deck
    return guild_of


def lay_areas(*holdings: Mapping[str, Any]) -> list[list[str]]:
    guild_of = deck()
    box = {guild: [c for c in CARDS if guild_of.get(c) == guild] for guild in GUILDS}
    for kind, suffix in (("jokers", 1), ("bonus", 2), ("penalty", 3), ("pot_de_vin", 13)):
        box[kind] = [card for card in CARDS if card.endswith(f"-{suffix}")]
    areas = []
    for holding in holdings:
        counts = dict(zip(GUILDS, holding.get("symbols", ()), strict=False)) | holding
        area = [box[kind].pop() for kind in box for _ in range(counts.get(kind, 0))]
        areas.append(area)
    return areas


def score(*holdings: Mapping[str, Any]) -> Any:
    seats = tuple(range(len(holdings)))
    areas = lay_areas(*holdings)
    treasure = [holding.get("treasure", 0) for holding in holdings]
    result: Result = describe((seats,), areas, treasure)
    (side,) = result.teams
    return side


@pytest.mark.parametrize("symbols", range(9))
def test_scoring_table_of_columns(symbols: int) -> None:
    side = score({"symbols": [min(symbols, 7)], "jokers": int(symbols == 8)})
    assert side.points == EXAMPLES["tables"]["symbols"][symbols]
    assert [column.symbols for column in side.guilds.values()] == [symbols] * (symbols > 0)


@pytest.mark.parametrize("count", range(5))
def test_scoring_table_of_pot_de_vin(count: int) -> None:
    side = score({"pot_de_vin": count})
    assert side.points == side.pot_de_vin == EXAMPLES["tables"]["pot_de_vin"][count]


def placed_by(side: Any, seat: int) -> list[str]:
    """Return the guilds that the jokers of a seat joined, and check how they are reported."""
    jokers = [joker for joker in side.jokers if joker.seat == seat]
    assert [joker.card for joker in jokers] == in_order([joker.card for joker in jokers])
    guilds = [joker.guild for joker in jokers if joker.guild is not None]
    assert [joker.guild for joker in jokers[len(guilds) :]] == [None] * (len(jokers) - len(guilds))
    return guilds


@examples("jokers")
def test_jokers_go_where_they_score_most(example: dict[str, Any]) -> None:
    """The jokers of one seat go where they are worth most, whether they are worth it or not."""
    assert score({"symbols": example["symbols"]}).points == example["without_jokers"]
    side = score({"symbols": example["symbols"], "jokers": example["jokers"]})
    assert placed_by(side, 0) == example["placed"]
    assert [joker.guild for joker in side.jokers].count(None) == example["discarded"]
    assert side.points == example["total"]
    assert [guild for guild, column in side.guilds.items() if column.joker] == example["placed"]
    assert side.cards == sum(example["symbols"]) + len(example["placed"])


def test_scores_all_columns_of_a_seat() -> None:
    holding = {"symbols": [3, 0, 1, 0, 4, 0], "jokers": 1, "bonus": 2, "penalty": 1}
    side = score(holding | {"pot_de_vin": 3, "treasure": 2})
    assert placed_by(side, 0) == ["traders"]
    assert sum(column.points for column in side.guilds.values()) == 8
    assert (side.bonus, side.penalty, side.pot_de_vin, side.gems) == (4, -2, -6, 2)
    assert (side.points, side.cards) == (6, 15)


@examples("teams")
def test_scores_examples_of_teams(example: dict[str, Any]) -> None:
    side = score(example["lower"], example["higher"])
    names = ("lower", "higher")
    scored = [f"{guild} {names[column.seat]}" for guild, column in side.guilds.items()]
    assert scored == example["scored"]
    assert [placed_by(side, seat) for seat in (0, 1)] == example["placed"]
    assert [joker.guild for joker in side.jokers].count(None) == example["discarded"]
    assert side.points == example["points"]
    for joker in side.jokers:
        column = side.guilds.get(joker.guild)
        assert joker.scored == (column is not None and column.seat == joker.seat)


# -- 11.6 ranking -------------------------------------------------------------------------------


@examples("ranks")
def test_ranks_sides_as_in_the_rules(example: dict[str, Any]) -> None:
    variant = get_variant(example["variant"])
    by_side = rank([tuple(key) for key in example["keys"]])
    sides = range(len(variant.sides))
    ranks = [next(by_side[i] for i in sides if s in variant.sides[i]) for s in range(variant.seats)]
    assert ranks == example["ranks"]
    assert [seat for seat, rank in enumerate(ranks) if rank == 1] == example["winners"]


def test_discarded_joker_does_not_count_as_a_card() -> None:
    """K5 in detail: with equal points the seat that lost a joker has fewer cards."""
    areas = lay_areas(
        {"symbols": [1], "jokers": 2, "bonus": 1}, {"symbols": [0, 1, 1, 0, 1, 0], "bonus": 1}
    )
    first, second = describe(((0,), (1,)), areas, [0, 0]).teams
    assert (first.points, first.cards, first.gems, first.rank) == (5, 3, 0, 2)
    assert [joker.guild for joker in first.jokers] == ["nobles", None]
    assert (second.points, second.cards, second.gems, second.rank) == (5, 4, 0, 1)


# -- 11.7 running out of cards ------------------------------------------------------------------


@examples("run_outs")
def test_passes_decide_how_long_a_game_lasts(example: dict[str, Any]) -> None:
    """How long a game lasts and what is left over depends on who passes how often."""
    end = played_with(example["variant"], example["passes"], lambda state: True).view(None)
    assert end.round == len(end.history) == example["rounds"]
    discards = 3 if example["variant"] == "pot-de-vin/6-teams" else 0
    assert sum(len(past.trick) for past in end.history) + discards == example["decisions"]
    assert sum(len(area_of(end, seat)) for seat in range(end.n)) == example["cards"]
    assert 52 - example["cards"] == example.get("unturned", example.get("pile_keeps"))
    if "unturned" in example:
        assert end.trump_pile == example["unturned"]
    assert sum(end.gems_removed) == example["gems_removed"]
    assert sum(end.gems) == 0


def test_last_seat_with_cards_plays_alone() -> None:
    """O1 in detail: the winner of round 13 has no card left, so the next that has one leads."""
    end = played_with(
        "pot-de-vin/3", [1, 0, 4], lambda state: state.view(None).history[12].winner == 0
    )
    history = end.view(None).history
    assert [turn.seat for turn in history[11].trick if turn.seat == 1] == [1]
    assert {turn.seat for turn in history[12].trick} == {0, 2}
    for past in history[13:]:
        assert (past.leader, past.winner, len(past.trick), len(past.cards)) == (2, 2, 1, 2)
    events = [as_json(event) for event in end.events(None)]
    removed = [
        (events[i - 1]["round"], event["seat"], event["gems"])
        for i, event in enumerate(events)
        if event["event"] == "gems_removed"
    ]
    assert removed == [(12, 1, 4), (13, 0, 3)]


def played_with(variant_id: str, passes: Sequence[int], also: Any) -> State:
    """Return the end of a game in which the seats pass the given number of times."""

    def reached(state: State) -> bool:
        if state.seat_to_act is not None:
            return False
        turns = [turn for past in state.view(None).history for turn in past.trick]
        passed = [turn.seat for turn in turns if turn.action == "pass"]
        return [passed.count(seat) for seat in range(len(passes))] == passes and also(state)

    return find(Wish(get_variant(variant_id), passes=dict(enumerate(passes))), reached)


# -- 11.8 the layout of a deal ------------------------------------------------------------------


def shuffled() -> list[str]:
    return random.Random(11).sample(CARDS, len(CARDS))


def test_layout_of_a_deal_of_three() -> None:
    cards = shuffled()
    variant = get_variant("pot-de-vin/3")
    state = variant.start(variant.read_deal({"start": 2, "cards": cards}))
    assert state.seat_to_act == 2
    for seat, first in ((2, 16), (0, 28), (1, 40)):
        assert list(state.view(seat).hand) == in_order(cards[first : first + 12])
    for number in range(12):
        assert state.view(None).trump == cards[number]
        while state.seat_to_act is not None and len(state.view(None).history) == number:
            state.apply(state.legal_actions()[0])


def test_layout_of_a_deal_of_six() -> None:
    cards = shuffled()
    variant = get_variant("pot-de-vin/6-teams")
    orders = [[2, 0, 3, 1], [0, 1, 2, 3], [3, 2, 1, 0]]
    state = variant.start(variant.read_deal({"start": 4, "cards": cards, "trump_orders": orders}))
    places = {4: (1, 9), 5: (9, 17), 0: (17, 25), 1: (25, 34), 2: (34, 43), 3: (43, 52)}
    for seat, (first, end) in places.items():
        assert list(state.view(seat).hand) == in_order(cards[first:end])
    discards = {}
    for seat in (1, 2, 3):
        assert state.seat_to_act == seat
        discards[seat] = cards[places[seat][0] + 4]
        state.apply(f"discard {discards[seat]}")
        assert state.view(seat).discarded == discards[seat]
    assert state.seat_to_act == 4
    pile = [cards[0], discards[1], discards[2], discards[3]]
    trumps = []
    while state.seat_to_act is not None:
        if len(trumps) < state.view(None).round:
            trumps.append(state.view(None).trump)
        state.apply(state.legal_actions()[-1])
    assert trumps[:4] == [discards[2], cards[0], discards[3], discards[1]]
    assert trumps == [pile[place] for order in orders for place in order][: len(trumps)]
    assert len(trumps) >= 8
