"""The invariants I1 to I6 of section 13 of the rules page, which hold at every moment."""

from collections import Counter

from hypothesis import given, settings

from engine import State
from engine.brides_and_bribes.tiles import TILES
from tests.engine.brides_and_bribes.play import public, random_games
from tests.engine.brides_and_bribes.positions import position_of
from tests.engine.brides_and_bribes.table import (
    BRIDES,
    COLOURS,
    COMMONS,
    FIRST_BRIDES,
    LOYALS,
    OBJECTS,
    PLACES,
    SECOND_BRIDES,
    WORKSHOPS,
    is_character,
)
from tests.engine.games import Game, Json, as_json

some = settings(max_examples=12)


# -- I1 ------------------------------------------------------------------------------------------


def tiles_of(state: State, seat: int) -> list[str]:
    view = as_json(state.view(seat))
    own, player = view["own"], view["players"][seat]
    tiles = [*own["hand"], *own["alley"]]
    tiles += [tile for row in own["delegations"].values() for tile in row]
    tiles += [marriage["tile"] for marriage in player["marriages"]]
    tiles += player["used_objects"]
    for row in (view["resolution"] or {"delegations": []})["delegations"]:
        if row["seat"] == seat:
            tiles += row["known"]
            if row["guide"] and not row["guide_married"] and row["guide"] not in row["known"]:
                tiles.append(row["guide"])
    return tiles


def i1_every_tile_is_in_one_place(game: Game, state: State, view: Json) -> None:
    deal = as_json(game.deal)
    characters = [loyal for family in deal["families"] for loyal in LOYALS[family]]
    characters += [common for name in deal["boroughs"] for common in COMMONS[name]]
    position = position_of(state)
    tiles = [tile for seat in range(game.variant.seats) for tile in tiles_of(state, seat)]
    lying = [each["common"] for each in view["boroughs"] if each["common"]]
    lying += [TILES[tile] for deck in position.decks for tile in deck]
    lying += [TILES[tile] for tile in position.out]
    found = Counter([*tiles, *lying])
    assert sorted(tile for tile in found if is_character(tile)) == sorted(characters)
    assert set(found.values()) == {1}
    check_objects(view)


def check_objects(view: Json) -> None:
    """A workshop object belongs to the owner of its card, once the card is built."""
    for player in view["players"]:
        objects = [tile for tile in player["tiles"] if tile in OBJECTS]
        from_shops = [tile for tile in objects if int(tile[-1]) <= 4] + player["used_objects"]
        cards = [card.partition("-") for card in player["workshops"]]
        assert sorted(from_shops) == sorted(f"{WORKSHOPS[s][0]}-{k}" for s, _, k in cards)


def i1_tiles_are_owned_as_all_are_told(game: Game, state: State, view: Json) -> None:
    for player in view["players"]:
        seat = player["seat"]
        mine = set(tiles_of(state, seat)) - set(player["used_objects"])
        mine -= {marriage["tile"] for marriage in player["marriages"]}
        rows = (view["resolution"] or {"delegations": []})["delegations"]
        married = {row["guide"] for row in rows if row["seat"] == seat and row["guide_married"]}
        assert set(player["tiles"]) == mine - married


def i1_every_bride_is_in_one_place(game: Game, state: State, view: Json) -> None:
    there = [each["brides"][place] for each in view["boroughs"] for place in PLACES]
    brides = [bride["tile"] for bride in there if bride]
    assert sorted(brides + view["bride_box"]["first"] + view["bride_box"]["second"]) == sorted(
        BRIDES
    )
    assert set(view["bride_box"]["first"]) <= set(FIRST_BRIDES)
    assert set(view["bride_box"]["second"]) <= set(SECOND_BRIDES)


# -- I2, I3, I4 ----------------------------------------------------------------------------------


def i2_nothing_is_made_or_lost(game: Game, state: State, view: Json) -> None:
    players, boroughs, supply = view["players"], view["boroughs"], view["supply"]
    assert supply["coins"] + sum(player["coins"] for player in players) == 42
    tokens = sum(each["influence_tokens"] for each in boroughs)
    assert supply["influence_tokens"] + tokens == 15
    for colour in COLOURS:
        holders = [supply, *players, *boroughs]
        assert sum(each["workers"][colour] for each in holders) == 11
    amounts = [supply["coins"], supply["influence_tokens"], *supply["workers"].values()]
    for each in players:
        amounts += [each["coins"], each["influence"], *each["workers"].values()]
    for each in boroughs:
        amounts += [each["influence_tokens"], *each["workers"].values()]
    assert min(amounts) >= 0


def i3_delegations(game: Game, state: State, view: Json) -> None:
    placing = view["phase"] == "placement"
    active = view["resolution"] or {"borough": None, "delegations": []}
    count: Counter[int] = Counter()
    for each in view["boroughs"]:
        seats = [row["seat"] for row in each["delegations"]]
        assert len(seats) == len(set(seats))
        assert all(1 <= row["tiles"] <= 3 for row in each["delegations"])
        assert not (seats and each["borough"] == active["borough"])
        count.update(seats)
    ships = [ship for ship in view["ships"] if ship["seat"] is not None]
    assert len({ship["seat"] for ship in ships}) == len(ships)
    assert all(1 <= ship["tiles"] <= 3 for ship in ships)
    assert not any(ship["tiles"] for ship in view["ships"] if ship["seat"] is None)
    count.update(ship["seat"] for ship in ships)
    count.update(row["seat"] for row in active["delegations"])
    for player in view["players"]:
        assert count[player["seat"]] + player["coaches_left"] == 3
        assert not (placing and player["coaches_left"] < 0)
    if {"play", "counter"} & {action.split(" ")[0] for action in state.legal_actions()}:
        rows = {row["seat"]: row for row in active["delegations"]}
        assert rows[state.seat_to_act]["guide"] is not None


def i4_marriages(game: Game, state: State, view: Json) -> None:
    wed: list[tuple[str, int]] = []
    for each in view["boroughs"]:
        first, second = each["brides"]["first"], each["brides"]["second"]
        assert first is not None
        assert second is not None or not view["bride_box"]["second"]
        for bride in (first, second):
            if bride:
                assert (bride["married_seat"] is None) == (bride["married_tile"] is None)
            if bride and bride["married_tile"]:
                wed.append((bride["married_tile"], bride["married_seat"]))
    assert len({loyal for loyal, _ in wed}) == len(wed)
    for loyal, seat in wed:
        assert loyal in LOYALS[view["players"][seat]["family"]]
    listed = [
        (marriage["tile"], player["seat"])
        for player in view["players"]
        for marriage in player["marriages"]
    ]
    assert sorted(listed) == sorted(wed)


# -- I5 and the bounds ---------------------------------------------------------------------------

LONGEST = {
    "opening": 5,
    "tile": 32,
    "ship": 21,
    "guide": 3,
    "replace": 2,
    **dict.fromkeys(("order", "react", "before", "wedding", "after"), 21),
    "declare": 6,
    "counter": 4,
    "save": 3,
    "peek": 2,
    "upkeep": 19,
    "buy-back": 7,
    "build": 7,
}

ALWAYS = {
    "place": "pass",
    "declare": "ducato",
    **dict.fromkeys(
        ("ship", "order", "react", "before", "wedding", "after", "counter", "save", "buy-back"),
        "decline",
    ),
    "build": "decline",
}

MAX_DECISIONS = {3: 4689, 4: 8368, 5: 13631}


def i5_legal_lists(game: Game, state: State, view: Json) -> None:
    n = game.variant.seats
    assert len(game.actions) <= MAX_DECISIONS[n]
    assert game.variant.max_decisions == MAX_DECISIONS[n]
    legal, seat = state.legal_actions(), state.seat_to_act
    if seat is None:
        assert legal == []
        return
    name = as_json(state.view(seat))["window"]
    bound = {**LONGEST, "place": n + 6, "activate": n}[name]
    assert 2 <= len(legal) <= bound
    assert legal == sorted(set(legal), key=lambda action: action.encode("ascii"))
    assert name not in ALWAYS or ALWAYS[name] in legal


def at_most_three_tiles_of_a_delegation_are_usable(game: Game, state: State, view: Json) -> None:
    legal = state.legal_actions()
    assert len({action.split(" ")[1] for action in legal if action.startswith("play ")}) <= 3


def at_the_end_of_a_round_all_is_gathered(game: Game, state: State, view: Json) -> None:
    if view["phase"] not in ("end", "over"):
        return
    assert all(not each["delegations"] for each in view["boroughs"])
    assert all(ship["seat"] is None for ship in view["ships"])
    for player in view["players"]:
        own = as_json(state.view(player["seat"]))["own"]
        assert (own["hand"], own["delegations"], player["hand"]) == ([], {}, 0)
        assert player["coaches_left"] == 3
        assert sorted(own["alley"]) == sorted(player["tiles"])
        assert len(own["alley"]) == len(player["alley_shown"]) + player["alley_hidden"]
        shops = [card.rpartition("-")[0] for card in player["workshops"]]
        assert len(shops) == len(set(shops))


CHECKS = [
    i2_nothing_is_made_or_lost,
    i3_delegations,
    i4_marriages,
    i5_legal_lists,
    at_most_three_tiles_of_a_delegation_are_usable,
    at_the_end_of_a_round_all_is_gathered,
]
CHECKS_OF_TILES = [
    i1_every_tile_is_in_one_place,
    i1_tiles_are_owned_as_all_are_told,
    i1_every_bride_is_in_one_place,
]


@settings(max_examples=8)
@given(game=random_games())
def test_i1_to_i5_hold_at_every_moment(game: Game) -> None:
    for number, state in enumerate(game.moments()):
        view = public(state)
        for check in [*CHECKS, *(CHECKS_OF_TILES if number % 7 == 0 else [])]:
            check(game, state, view)


# -- I6 ------------------------------------------------------------------------------------------


@some
@given(game=random_games())
def test_i6_declarations(game: Game) -> None:
    """A seat completes one action in a resolution, and declares each once in a turn.

    It fails in an action at most once between two that other seats complete.
    """
    turn: list[tuple[int, str]] = []
    failed: set[tuple[int, str]] = set()
    done: list[int] = []
    for event in as_json(game.end().events(None)):
        kind, action = event["event"], (event.get("seat"), event.get("action"))
        if kind == "activated":
            turn, failed, done = [], set(), []
        elif kind == "declared":
            assert action not in turn
            assert action not in failed
            assert event["seat"] not in done
            turn.append(action)
        elif kind == "done":
            assert action == turn[-1]
            done.append(event["seat"])
            failed = {each for each in failed if each[0] == event["seat"]}
        elif kind == "failed":
            assert action == turn[-1]
            failed.add(action)
        if kind in ("done", "failed", "lost_action"):
            turn = []
