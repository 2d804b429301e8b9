"""The invariants of section 13 of the rules page, under their numbers."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from engine import State, Variant
from engine.brides_and_bribes.tiles import TILES
from tests.engine.brides_and_bribes.play import each_variant, public, random_game, random_games
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
from tests.engine.games import SEEDS, Game, Json, as_json

some = settings(max_examples=12)


# -- I1 ------------------------------------------------------------------------------------------


def tiles_of(state: State, seat: int) -> list[str]:
    """Return all tiles of a seat, from where they lie, as the seat itself sees it."""
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


@some
@given(game=random_games())
def test_i1_every_tile_is_in_one_place(game: Game) -> None:
    deal = as_json(game.deal)
    characters = [loyal for family in deal["families"] for loyal in LOYALS[family]]
    characters += [common for name in deal["boroughs"] for common in COMMONS[name]]
    for state in game.moments(every=7):
        view = public(state)
        tiles = [tile for seat in range(game.variant.seats) for tile in tiles_of(state, seat)]
        lying = [each["common"] for each in view["boroughs"] if each["common"]]
        lying += [TILES[tile] for deck in state.decks for tile in deck]
        lying += [TILES[tile] for tile in state.out]
        found = Counter([*tiles, *lying])
        assert sorted(tile for tile in found if is_character(tile)) == sorted(characters)
        assert set(found.values()) == {1}
        check_objects(view)


def check_objects(view: Json) -> None:
    """A workshop object is with the owner of its card, and lies under it before."""
    for player in view["players"]:
        objects = [tile for tile in player["tiles"] if tile in OBJECTS]
        from_shops = [tile for tile in objects if int(tile[-1]) <= 4] + player["used_objects"]
        cards = [card.partition("-") for card in player["workshops"]]
        assert sorted(from_shops) == sorted(f"{WORKSHOPS[s][0]}-{k}" for s, _, k in cards)


@some
@given(game=random_games())
def test_i1_tiles_are_owned_as_all_are_told(game: Game) -> None:
    for state in game.moments(every=7):
        for player in public(state)["players"]:
            seat = player["seat"]
            mine = set(tiles_of(state, seat)) - set(player["used_objects"])
            mine -= {marriage["tile"] for marriage in player["marriages"]}
            married = guide_on_a_bride(state, seat)
            assert set(player["tiles"]) == mine - married


def guide_on_a_bride(state: State, seat: int) -> set[str]:
    rows = (public(state)["resolution"] or {"delegations": []})["delegations"]
    return {row["guide"] for row in rows if row["seat"] == seat and row["guide_married"]}


@some
@given(game=random_games())
def test_i1_every_bride_is_in_one_place(game: Game) -> None:
    for state in game.moments(every=2):
        view = public(state)
        there = [each["brides"][place] for each in view["boroughs"] for place in PLACES]
        brides = [bride["tile"] for bride in there if bride]
        assert sorted(brides + view["bride_box"]["first"] + view["bride_box"]["second"]) == sorted(
            BRIDES
        )
        assert set(view["bride_box"]["first"]) <= set(FIRST_BRIDES)
        assert set(view["bride_box"]["second"]) <= set(SECOND_BRIDES)


# -- I2, I3, I4 ----------------------------------------------------------------------------------


@some
@given(game=random_games())
def test_i2_nothing_is_made_or_lost(game: Game) -> None:
    for state in game.moments():
        view = public(state)
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


@some
@given(game=random_games())
def test_i3_delegations(game: Game) -> None:
    for state, action in zip(game.moments(), [*game.actions, None], strict=True):
        view = public(state)
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
        if action and action.split(" ")[0] in ("play", "counter"):
            rows = {row["seat"]: row for row in active["delegations"]}
            assert rows[state.seat_to_act]["guide"] is not None


@some
@given(game=random_games())
def test_i4_marriages(game: Game) -> None:
    for state in game.moments():
        view = public(state)
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
"""By window; `place` has n + 6, `activate` n [5]."""

ALWAYS = {
    "place": "pass",
    "declare": "ducato",
    **dict.fromkeys(
        ("ship", "order", "react", "before", "wedding", "after", "counter", "save", "buy-back"),
        "decline",
    ),
    "build": "decline",
}
"""By window: an action that is always legal."""

MOST_DECISIONS = {3: 3501, 4: 5452, 5: 7871}


@settings(max_examples=20)
@given(game=random_games())
def test_i5_legal_lists(game: Game) -> None:
    n = game.variant.seats
    assert len(game.actions) <= MOST_DECISIONS[n]
    assert MOST_DECISIONS[n] == 6 * (39 * n * n + 52 * n + 76) + n
    for state in game.moments():
        legal, seat = state.legal_actions(), state.seat_to_act
        if seat is None:
            assert legal == []
            return
        name = as_json(state.view(seat))["window"]
        bound = {**LONGEST, "place": n + 6, "activate": n}[name]
        assert 2 <= len(legal) <= bound
        assert legal == sorted(set(legal), key=lambda action: action.encode("ascii"))
        assert name not in ALWAYS or ALWAYS[name] in legal


@some
@given(game=random_games())
def test_at_most_three_tiles_of_a_delegation_are_usable(game: Game) -> None:
    for state in game.moments():
        legal = state.legal_actions()
        assert len({action.split(" ")[1] for action in legal if action.startswith("play ")}) <= 3


# -- I6 ------------------------------------------------------------------------------------------


@some
@given(game=random_games())
def test_i6_declarations(game: Game) -> None:
    """In one resolution a seat declares an action once at most, and completes one at most."""
    declared: Counter[tuple[int, str]] = Counter()
    done: Counter[int] = Counter()
    for event in as_json(game.end().events(None)):
        if event["event"] == "activated":
            declared, done = Counter(), Counter()
        elif event["event"] == "declared":
            declared[event["seat"], event["action"]] += 1
            assert declared[event["seat"], event["action"]] == 1
            assert done[event["seat"]] == 0
        elif event["event"] == "done":
            assert declared[event["seat"], event["action"]] == 1
            done[event["seat"]] += 1
            assert done[event["seat"]] == 1


# -- I8 ------------------------------------------------------------------------------------------


def rotate(deal: Json, r: int) -> Json:
    """Return the same deal with every seat renamed by +r (section 3)."""
    n = len(deal["families"])
    return deal | {
        "families": [deal["families"][(seat - r) % n] for seat in range(n)],
        "favor": [(seat + r) % n for seat in deal["favor"]],
    }


def rename(action: str, r: int, n: int) -> str:
    head, mark, seat = action.partition("seat-")
    return f"{head}{mark}{(int(seat) + r) % n}" if mark else action


@some
@given(game=random_games(), seed=SEEDS)
def test_i8_rotating_the_deal_renames_the_seats(game: Game, seed: int) -> None:
    n = game.variant.seats
    r = 1 + seed % (n - 1)
    state = game.variant.start(game.variant.read_deal(rotate(as_json(game.deal), r)))
    for original, action in zip(game.moments(), [*game.actions, ""], strict=True):
        legal = sorted(rename(each, r, n) for each in original.legal_actions())
        assert state.legal_actions() == legal
        if original.seat_to_act is None:
            break
        assert state.seat_to_act == (original.seat_to_act + r) % n
        state.apply(rename(action, r, n))
    assert state.seat_to_act is None
    points, ranks = original.outcome().points, original.outcome().ranks
    assert state.outcome().points == tuple(points[(seat - r) % n] for seat in range(n))
    assert state.outcome().ranks == tuple(ranks[(seat - r) % n] for seat in range(n))


@some
@given(game=random_games())
def test_i8_a_replay_is_the_same_game(game: Game) -> None:
    replay = game.variant.start(game.variant.read_deal(as_json(game.deal)))
    for seat, action in zip(game.seats, game.actions, strict=True):
        assert replay.seat_to_act == seat
        replay.apply(action)
    end = game.end()
    for viewer in (*range(game.variant.seats), None):
        assert replay.view(viewer) == end.view(viewer)
        assert replay.events(viewer) == end.events(viewer)


# -- the end of a round --------------------------------------------------------------------------


@settings(max_examples=20)
@given(game=random_games())
def test_at_the_end_of_a_round_all_is_gathered(game: Game) -> None:
    for state in game.moments():
        view = public(state)
        if view["phase"] not in ("end", "over"):
            continue
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


@settings(max_examples=20)
@given(game=random_games())
def test_a_seat_builds_once_a_round_at_most(game: Game) -> None:
    built: Counter[int] = Counter()
    for event in as_json(game.end().events(None)):
        if event["event"] == "round":
            built = Counter()
        elif event["event"] == "built":
            built[event["seat"]] += 1
            assert built[event["seat"]] == 1


@settings(max_examples=20)
@given(game=random_games())
def test_the_ranks_are_those_of_the_keys(game: Game) -> None:
    """[9]: married seats first, then influence, first brides, second brides, workshops."""
    state = game.end()
    view = public(state)
    keys = []
    for player in view["players"]:
        places = [marriage["place"] for marriage in player["marriages"]]
        keys.append(
            [
                int(bool(places)),
                player["influence"],
                places.count("first"),
                places.count("second"),
                len(player["workshops"]),
            ]
        )
    assert view["result"]["keys"] == keys
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    assert view["result"]["ranks"] == ranks
    (over,) = [event for event in as_json(state.events(None)) if event["event"] == "over"]
    for seat, player in enumerate(view["players"]):
        assert player["influence"] == over["influence_before"][seat] + player["coins"] // 5


# -- the figures of section 14 -------------------------------------------------------------------

RANDOM_PLAY = {
    3: {"decisions": 174, "most": 255, "influence": 10.2, "sd": 4.6, "greatest": 14.5},
    4: {"decisions": 246, "most": 332, "influence": 10.0, "sd": 4.7, "greatest": 15.3},
    5: {"decisions": 320, "most": 417, "influence": 9.9, "sd": 4.6, "greatest": 15.7},
}
"""`greatest` is what the page calls the winner's mean: the greatest influence of a game."""
WINS_AFTER_FIRST = {3: (32, 33, 35), 4: (25, 24, 26, 26), 5: (19, 20, 20, 21, 20)}
ROUNDS_BELOW_6 = {3: 0, 4: 1, 5: 1}
"""Per cent."""


@pytest.mark.slow
@each_variant
def test_random_play_is_as_measured(variant: Variant) -> None:
    """2000 games among uniform players give the means of the page, within noise."""
    n, count = variant.seats, 2000
    rows: list[dict[str, Any]] = []
    wins: Counter[int] = Counter()
    lengths: list[int] = []
    for seed in range(count):
        game = random_game(variant, seed, lively_share=0)
        end = game.end()
        points, ranks = end.outcome().points, end.outcome().ranks
        first = as_json(game.deal)["favor"][-1]
        winners = [seat for seat in range(n) if ranks[seat] == 1]
        for seat in winners:
            wins[(seat - first) % n] += 1
        lengths.append(len(game.actions))
        rows.append({"points": points, "greatest": max(points), "round": public(end)["round"]})
    influence = [point for row in rows for point in row["points"]]
    mean = sum(influence) / len(influence)
    found = {
        "decisions": sum(lengths) / count,
        "most": max(lengths),
        "influence": mean,
        "sd": (sum((point - mean) ** 2 for point in influence) / len(influence)) ** 0.5,
        "greatest": sum(row["greatest"] for row in rows) / count,
    }
    short = 100 * sum(row["round"] < 6 for row in rows) / count
    shares = [100 * wins[k] / sum(wins.values()) for k in range(n)]
    print(variant.id, found, f"rounds below 6: {short} %", "wins by seat:", shares)
    expected = RANDOM_PLAY[n]
    assert found["decisions"] == pytest.approx(expected["decisions"], abs=3)
    assert found["most"] == pytest.approx(expected["most"], rel=0.1)
    assert found["influence"] == pytest.approx(expected["influence"], abs=0.4)
    assert found["sd"] == pytest.approx(expected["sd"], abs=0.4)
    assert found["greatest"] == pytest.approx(expected["greatest"], abs=0.4)
    assert short == pytest.approx(ROUNDS_BELOW_6[n], abs=1.5)
    for share, wanted in zip(shares, WINS_AFTER_FIRST[n], strict=True):
        assert share == pytest.approx(wanted, abs=5)
