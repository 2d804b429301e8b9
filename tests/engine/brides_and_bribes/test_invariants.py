"""The invariants I1 and I2 of section 13 of the rules page, which hold at every moment."""

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


# -- I2 ------------------------------------------------------------------------------------------


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


CHECKS_OF_TILES = [
    i1_every_tile_is_in_one_place,
    i1_tiles_are_owned_as_all_are_told,
    i1_every_bride_is_in_one_place,
]


@settings(max_examples=8)
@given(game=random_games())
def test_i1_and_i2_hold_at_every_moment(game: Game) -> None:
    for number, state in enumerate(game.moments()):
        view = public(state)
        for check in [
            i2_nothing_is_made_or_lost,
            *(CHECKS_OF_TILES if number % 7 == 0 else []),
        ]:
            check(game, state, view)
