"""What the views hold (section 11), and that the events add up to it."""

from hypothesis import given, settings

from engine import State
from tests.engine.brides_and_bribes.play import public, random_games
from tests.engine.brides_and_bribes.table import (
    COLOUR_OF,
    COLOURS,
    COMMONS,
    LOYALS,
    OBJECTS,
    WORKSHOPS,
    charm_of,
    prestige_of,
)
from tests.engine.games import Game, Json, as_json

FIELDS = """
game variant seat round phase window actions_left legal first_seat favor_order favor_asked supply
boroughs ships bride_box workshops players own resolution result
""".split()

CANONICAL = [
    *[loyal for loyals in LOYALS.values() for loyal in loyals],
    *[common for commons in COMMONS.values() for common in commons],
    *OBJECTS,
]
"""All tiles in canonical order."""


@settings(max_examples=12)
@given(game=random_games())
def test_the_parts_of_a_view_agree(game: Game) -> None:
    raw, n = as_json(game.deal), game.variant.seats
    for number, state in enumerate(game.moments()):
        if number % 3:
            continue
        shown = public(state)
        assert list(shown) == FIELDS
        assert (shown["window"], shown["legal"], shown["seat"]) == (None, [], None)
        assert shown["own"] == {"hand": [], "alley": [], "delegations": {}}
        assert [each["borough"] for each in shown["boroughs"]] == raw["boroughs"]
        assert [each["colour"] for each in shown["boroughs"]] == [
            COLOUR_OF[name] for name in raw["boroughs"]
        ]
        assert [ship["ship"] for ship in shown["ships"]] == [1, 2, 3, 4]
        assert [shop["kind"] for shop in shown["workshops"]] == list(WORKSHOPS)
        for shop in shown["workshops"]:
            item, first, cost = WORKSHOPS[shop["kind"]]
            assert shop["object"] == item
            assert shop["influence"] == (first - 4 + shop["left"] if shop["left"] else None)
            assert shop["workers"] == {c: cost.split().count(c) for c in COLOURS if c in cost}
        for box in shown["bride_box"].values():
            assert box == sorted(box)
        for player in shown["players"]:
            for row in (player["tiles"], player["used_objects"], player["alley_shown"]):
                assert row == sorted(row, key=CANONICAL.index)
        assert (shown["result"] is None) == (shown["phase"] != "over")
        assert (shown["resolution"] is None) or shown["phase"] == "resolution"
        if shown["resolution"]:
            check_values(shown)
        for seat in range(n):
            check_own_view(state, seat, shown)


def check_own_view(state: State, seat: int, shown: Json) -> None:
    """The view of a seat is that of a spectator and what only it knows."""
    view = as_json(state.view(seat))
    assert list(view) == FIELDS
    is_asked = state.seat_to_act == seat
    assert view["legal"] == (state.legal_actions() if is_asked else [])
    assert (view["window"] is None) == (not is_asked)
    assert (view["actions_left"] is None) == (view["window"] != "place")
    own, player = view["own"], view["players"][seat]
    assert len(own["hand"]) == player["hand"]
    assert len(own["alley"]) == len(player["alley_shown"]) + player["alley_hidden"]
    places = {each["borough"]: each["delegations"] for each in view["boroughs"]}
    ships = {f"ship-{ship['ship']}": [ship] for ship in view["ships"]}
    counts = {
        where: row["tiles"]
        for where, rows in {**places, **ships}.items()
        for row in rows
        if row["seat"] == seat
    }
    assert {where: len(tiles) for where, tiles in own["delegations"].items()} == counts
    for row in (own["hand"], own["alley"]):  # delegations are in the order of placing
        assert row == sorted(row, key=CANONICAL.index)
    hidden = ("seat", "window", "legal", "actions_left", "own", "boroughs", "resolution")
    assert {**view, **dict.fromkeys(hidden)} == {**shown, **dict.fromkeys(hidden)}
    for there, others_see in zip(view["boroughs"], shown["boroughs"], strict=True):
        known = {there["known_below"], None}
        assert others_see["known_below"] in known
        assert {**there, "known_below": None} == {**others_see, "known_below": None}
    if view["resolution"]:
        for row in view["resolution"]["delegations"]:
            assert len(row["known"]) == (row["hand"] if row["seat"] == seat or row["open"] else 0)


def check_values(shown: Json) -> None:
    """Prestige and charm are the printed ones and the changes, not below 0 [7.1]."""
    local = shown["resolution"]
    for row in local["delegations"]:
        if row["guide"] is None:
            assert (row["prestige"], row["charm"]) in ((None, None), (0, None), (0, 0))
            continue
        assert row["prestige"] == max(0, prestige_of(row["guide"]) + row["prestige_change"])
        printed = charm_of(row["guide"])
        charm = None if printed is None else max(0, printed + row["charm_change"])
        assert row["charm"] == charm
    seats = {row["seat"] for row in local["delegations"]}
    assert set(local["queue"]) <= set(local["order"]) <= seats
    assert local["active_seat"] not in local["queue"]
    there = next(each for each in shown["boroughs"] if each["borough"] == local["borough"])
    assert there["delegations"] == []
    assert (local["lord_prestige"] - there["lord_prestige"]) % 3 == 0


# -- what events add up to [10] ------------------------------------------------------------------


SECRET = {"sent": "tile", "reinforced": "tile", "peeked": "tile"}
"""By kind of event: the field that is for the seat of the event only."""


@settings(max_examples=15)
@given(game=random_games())
def test_all_are_told_the_same_but_for_secret_tiles(game: Game) -> None:
    end = game.end()
    public_events = as_json(end.events(None))
    for seat in range(game.variant.seats):
        for event, shown in zip(as_json(end.events(seat)), public_events, strict=True):
            secret = SECRET.get(event["event"])
            if secret and event["seat"] == seat:
                assert event[secret] is not None
                assert {**event, secret: None} == shown
            else:
                assert event == shown
            assert not secret or shown[secret] is None


@settings(max_examples=15)
@given(game=random_games())
def test_the_changes_that_are_told_add_up(game: Game) -> None:
    """Coins and influence of all seats can be followed from the events alone."""
    n = game.variant.seats
    raw = as_json(game.deal)
    coins = [2] * n
    bonus = {3: (1,), 4: (2,), 5: (2, 3)}[n]
    for place in bonus:
        coins[raw["favor"][place]] += 1
    influence, since = [0] * n, 0
    shops = {
        f"{s}-{k}": first - k + 1 for s, (_, first, _) in WORKSHOPS.items() for k in range(1, 5)
    }
    for state in game.moments():
        news = as_json(state.events(None, since=since))
        since += len(news)
        for event in news:
            follow(event, coins, influence, shops)
        view = public(state)
        assert [player["coins"] for player in view["players"]] == coins
        assert [player["influence"] for player in view["players"]] == influence


def follow(event: Json, coins: list[int], influence: list[int], shops: dict[str, int]) -> None:
    """Book what an event tells."""
    kind, seat = event["event"], event.get("seat")
    if kind == "married":
        coins[seat] -= event["bribe"]
        influence[seat] += 2 + {"first": 3, "second": 1}[event["place"]] - event["forfeit"]
    elif kind == "dowry":
        coins[seat] += event["coins"]
    elif kind == "murdered" and seat is not None:
        influence[seat] -= event["influence_lost"]
    elif kind == "moved_up":
        influence[seat] += 2
    elif kind == "traded" and event["gave"].endswith(" coins"):
        coins[seat] -= int(event["gave"].split(" ")[0])
    elif kind == "income":
        coins[seat] += event["coins"]
    elif kind == "upkeep":
        coins[seat] -= event["coins"]
    elif kind == "bought_back":
        coins[seat] -= 1
    elif kind == "built":
        influence[seat] += shops[event["card"]]
    elif kind == "over":
        influence[:] = event["influence"]
    changes = event.get("changes", []) if kind == "effect" else event.get("gains", [])
    for change in changes:
        if change["where"].startswith("seat-") and not (
            kind == "done" and "marry" in event["action"]
        ):
            row = {"coins": coins, "influence": influence}.get(change["what"])
            if row is not None:
                row[int(change["where"][-1])] += change["amount"]
