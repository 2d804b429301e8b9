"""What section 10 hides stays hidden (I7), and is drawn anew by `determinize` and `imagine`."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State, Variant
from engine.brides_and_bribes.state import BridesAndBribesState
from engine.brides_and_bribes.tiles import FIRST_OBJECT, SEATS, TILES
from tests.engine.brides_and_bribes.play import (
    IDS,
    VARIANTS,
    Json,
    delegation,
    lively,
    players,
    public,
    random_game,
    random_games,
    run,
    viewers,
    window,
)
from tests.engine.brides_and_bribes.positions import lay, position_b, resolving
from tests.engine.brides_and_bribes.table import OBJECTS
from tests.engine.games import SEEDS, Game, as_json, finish

each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=IDS)
some = settings(max_examples=8)

ASIDE = ("order", "react", "before", "wedding", "after", "counter", "save")
"""The windows in which nobody else may notice who is asked, nor that a seat declines [10]."""

WINDOWS = [
    *("opening", "place", "tile", "ship", "activate", "guide", "replace", *ASIDE),
    *("declare", "peek", "upkeep", "buy-back", "build"),
]
"""All windows [5]."""


def known_to(state: State, viewer: int | None) -> Any:
    """Return all that a viewer can learn from a state."""
    return as_json(state.view(viewer)), as_json(state.events(viewer))


def without_question(known: Any) -> Any:
    """Return what a viewer knows, but for what it is asked."""
    view, events = known
    return unasked(view), events


# -- I7: the order of decks and boxes --------------------------------------------------------------


def shuffled_deal(game: Game, cut: int, rng: random.Random) -> msgspec.Struct:
    """Return the deal with what nobody has met in the first `cut` decisions in another order.

    That is what lies in the decks deeper than the next card, which a seat may have seen, and the
    brides that were in their box all the time.
    """
    raw, n = as_json(game.deal), game.variant.seats
    waiting = {place: set(raw[f"{place}_brides"][n:]) for place in ("first", "second")}
    for state in islice(game.moments(), cut + 1):
        view = public(state)
        for place in waiting:
            waiting[place] &= set(view["bride_box"][place])
    rows = [raw[f"{place}_brides"] for place in waiting]
    moving = [
        [at for at in range(n, 7) if row[at] in waiting[row_place]]
        for row_place, row in zip(waiting, rows, strict=True)
    ]
    for name, deck in raw["decks"].items():
        left = next(each["deck"] for each in view["boroughs"] if each["borough"] == name)
        rows.append(deck)
        moving.append([*range(6 - left + 1, 6)])
    for row, places in zip(rows, moving, strict=True):
        others = rng.sample([row[at] for at in places], len(places))
        for at, tile in zip(places, others, strict=True):
            row[at] = tile
    return game.variant.read_deal(raw)


@settings(max_examples=8)
@given(game=random_games(), seed=SEEDS)
def test_i7_the_order_of_decks_and_boxes_is_hidden(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    cut = rng.randrange(len(game.actions))
    twin = game.variant.start(shuffled_deal(game, cut, rng))
    for state, action in zip(islice(game.moments(), cut + 1), game.actions, strict=False):
        if len(state.events(None)) % 5 == 0 or action == game.actions[cut]:
            for viewer in viewers(game.variant):
                assert known_to(twin, viewer) == known_to(state, viewer)
        twin.apply(action)


# -- I7: which tile is placed where ----------------------------------------------------------------


@some
@given(game=random_games(), seed=SEEDS)
def test_i7_the_tiles_that_others_place_are_hidden(game: Game, seed: int) -> None:
    """One seat sends other tiles to the same places, and nobody else can tell."""
    rng = random.Random(seed)
    seat = rng.randrange(game.variant.seats)
    chosen = rng.randrange(1, 7)
    twin: State | None = None
    compared = 0
    for state, action in zip(game.moments(), [*game.actions, ""], strict=True):
        view = public(state)
        if twin is None and (view["round"], view["phase"]) == (chosen, "placement"):
            twin = state.clone()
        if twin is None:
            continue
        if view["phase"] != "placement" or twin.seat_to_act != state.seat_to_act:
            break
        if window(twin) != window(state):  # a seat without characters cannot ask for favor
            break
        other = another_tile(twin, action, rng) if state.seat_to_act == seat else action
        if other not in twin.legal_actions():
            break
        for viewer in viewers(game.variant):
            if viewer != seat:
                assert known_to(twin, viewer) == known_to(state, viewer)
                compared += 1
        twin.apply(other)
    assert compared or public(game.end())["round"] < chosen


def another_tile(state: State, action: str, rng: random.Random) -> str:
    """Return an action that looks the same to others."""
    verb = action.split(" ")[0]
    if verb not in ("send", "reinforce", "ship"):
        return action
    at = 2 if verb == "ship" else 1
    rest_of = action.split(" ")[:at], action.split(" ")[at + 1 :]
    alike = [
        each
        for each in state.legal_actions()
        if (each.split(" ")[:at], each.split(" ")[at + 1 :]) == rest_of
    ]
    return rng.choice(alike)


# -- I7: who is asked, and who declines ------------------------------------------------------------


def test_i7_what_no_event_tells_no_view_shows() -> None:
    """Views change with public events and not without, and all are told as many of them.

    So a `decline` that nothing public follows is seen by its seat only. The one exception is that
    all see whose turn it is.
    """
    for seed in range(6):
        game = random_game(VARIANTS[seed % 3], seed)
        moments = game.moments()
        told, before = 0, looks(next(moments))
        for seat, action, after in zip(game.seats, game.actions, moments, strict=True):
            now = looks(after)
            news = [len(after.events(viewer, since=told)) for viewer in viewers(game.variant)]
            assert len(set(news)) == 1
            told += news[0]
            if not news[0]:
                aside = before[seat]["window"] in ASIDE
                assert action == "decline" or not aside
                for viewer, (old, new) in enumerate(zip(before, now, strict=True)):
                    if viewer != seat or aside:
                        assert unasked(without_turn(old, new)) == unasked(new)
            before = now


def looks(state: State) -> list[Json]:
    """Return the views of all seats and, last, of a spectator."""
    return [as_json(state.view(viewer)) for viewer in viewers(state.variant)]


def without_turn(old: Json, new: Json) -> Json:
    """Return the old view with the turn of the new one, if another seat is on turn there."""
    one, other = old["resolution"], new["resolution"]
    if one is None or other is None or one["active_seat"] == other["active_seat"]:
        return old
    turn = {name: other[name] for name in ("active_seat", "queue", "declared")}
    assert turn["declared"] is None
    assert one["queue"][:1] == [turn["active_seat"]]
    return {**old, "resolution": {**one, **turn}}


def unasked(view: Json) -> Json:
    """Return a view without what its seat is asked."""
    return {**view, "window": None, "legal": [], "actions_left": None}


@settings(max_examples=8)
@given(game=random_games())
def test_i7_no_event_tells_who_declines(game: Game) -> None:
    end = game.end()
    for viewer in viewers(game.variant):
        for event in as_json(end.events(viewer)):
            assert "decline" not in event.values()
            assert not {"asked", "legal", "window"} & event.keys()


def swap_hidden(state: BridesAndBribesState, seat: int, rng: random.Random) -> bool:
    """Exchange a hidden tile of the borough hand of a seat for one that it has elsewhere.

    Both are characters or both are objects. Returns whether there were two to exchange.
    """
    mine = [tile for tile in state.hand[seat] if tile not in state.exposed]
    if not mine or state.open[seat]:
        return False
    tile = rng.choice(mine)
    places: list[tuple[list[tuple[int, ...]], int]] = [(state.alley_hidden, seat)]
    places += [(state.delegations, at) for at in range(seat, len(state.delegations), SEATS)]
    others = [
        (row, at, other)
        for row, at in places
        if row is state.alley_hidden or at // SEATS != state.borough
        for other in row[at]
        if (other < FIRST_OBJECT) == (tile < FIRST_OBJECT)
    ]
    if not others:
        return False
    row, at, other = rng.choice(others)
    row[at] = tuple(sorted({*row[at], tile} - {other}))
    state.hand[seat] = tuple(sorted({*state.hand[seat], other} - {tile}))
    return True


def decline_on(state: State) -> None:
    """Decline as long as somebody is asked aside."""
    while window(state) in ASIDE:
        state.apply("decline")


TELLING = {"opened", "guide_new", "guides"}
"""Events that show tiles of a borough hand."""


def test_i7_to_decline_looks_like_having_nothing_to_play() -> None:
    """A seat has other hidden tiles, so it is asked at other times; and nobody else can tell."""
    compared = apart = 0
    for seed in range(9):
        rng = random.Random(seed)
        game = random_game(VARIANTS[seed % 3], seed)
        for state in game.moments():
            if window(state) not in ASIDE:
                continue
            assert isinstance(state, BridesAndBribesState)
            for seat in range(game.variant.seats):
                twin, told = state.clone(), len(state.events(None))
                if seat == state.seat_to_act or not swap_hidden(twin, seat, rng):
                    continue
                others = [viewer for viewer in viewers(game.variant) if viewer != seat]
                for viewer in others:
                    assert known_to(state, viewer) == known_to(twin, viewer)
                one = state.clone()
                one.apply("decline")
                twin.apply("decline")
                apart += one.seat_to_act != twin.seat_to_act
                decline_on(one)
                decline_on(twin)
                if TELLING & {event["event"] for event in as_json(one.events(None, since=told))}:
                    continue
                for viewer in others:
                    assert without_question(known_to(one, viewer)) == without_question(
                        known_to(twin, viewer)
                    )
                compared += 1
    assert compared > 50
    assert apart > 5


def twins(of_seat: int, here: str, instead: str, **changes: Any) -> tuple[State, State]:
    """Return two positions in the citadel that differ in one tile of a seat.

    The other tile is in the alley of the seat, so that all own the same.
    """
    tiles: dict[int, str] = changes.pop("tiles")
    states = []
    for tile, other in ((here, instead), (instead, here)):
        layout = position_b(
            coins={0: 3, 1: 9, 2: 3, 3: 3},
            influence={1: 9, 3: 9},
            alleys={of_seat: other},
            delegations={"citadel": tiles | {of_seat: f"{tiles[of_seat]} {tile}"}},
            **changes,
        )
        states.append(resolving(layout, "citadel"))
    return states[0], states[1]


def know_the_same(one: State, twin: State, but_for: set[int | None]) -> None:
    for viewer in viewers(one.variant):
        if viewer not in but_for:
            assert known_to(one, viewer) == known_to(twin, viewer)


BESIDE_OTHERS = {
    "order": (
        ("archivist-1", "charmer", {0: "luciano suit-1", 1: "enrico", 2: "oberto", 3: "mileto"}),
        "3:guide mileto",
    ),
    "react": (
        ("damsel-1", "bard", {0: "luciano tutor", 1: "enrico", 2: "oberto", 3: "mileto"}),
        "3:guide mileto, 0:guide luciano, 1:marry first",
    ),
    "wedding": (
        ("lover", "bard", {0: "luciano groomsman", 1: "enrico", 2: "oberto", 3: "mileto"}),
        "3:guide mileto, 0:guide luciano, 1:marry first",
    ),
    "counter": (
        (
            "poison-1",
            "ring-1",
            {0: "luciano assassin-1", 1: "enrico merchant-1", 2: "oberto", 3: "mileto"},
        ),
        "0:guide luciano, 1:guide enrico, 1:ducato, 1:play merchant-1 influence",
    ),
}
"""By window: a tile of seat 3 that can be played there, one that cannot, all other tiles; and the
decisions up to there. Afterwards seat 0 is asked there."""


@pytest.mark.parametrize("name", BESIDE_OTHERS)
def test_i7_nobody_can_tell_which_of_two_seats_is_asked(name: str) -> None:
    (here, instead, tiles), decisions = BESIDE_OTHERS[name]
    one, twin = twins(3, here, instead, tiles=tiles)
    for state in (one, twin):
        run(state, decisions)
    assert (one.seat_to_act, window(one)) == (3, name)
    assert (twin.seat_to_act, window(twin)) == (0, name)
    know_the_same(one, twin, {0, 3})
    one.apply("decline")
    assert (one.seat_to_act, window(one)) == (0, name)
    know_the_same(one, twin, {3})


OF_ONE_SEAT = {
    "before": (("bard", "charmer", {0: "luciano", 1: "giorgio", 2: "franco", 3: "mileto"}),
               (3, 0, 1, 2), "3:guide mileto, 3:marry second"),
    "after": (("merchant-1", "charmer", {0: "luciano", 1: "giorgio", 2: "franco", 3: "mileto"}),
              (3, 0, 1, 2), "3:guide mileto, 3:ducato"),
    "save": (("antidote-1", "ring-1", {0: "luciano", 2: "franco poison-2", 3: "mileto merchant-1"}),
             (3, 0, 1, 2),
             "3:guide mileto, 3:ducato, 3:play merchant-1 influence, 2:counter poison-2"),
}  # fmt: skip
"""By window: tiles as above, the favor order, and the decisions up to there."""


@pytest.mark.parametrize("name", OF_ONE_SEAT)
def test_i7_nobody_can_tell_that_a_seat_declined(name: str) -> None:
    """Where only one seat can be asked: after its `decline` all is as if it had not been."""
    (here, instead, tiles), favor, decisions = OF_ONE_SEAT[name]
    one, twin = twins(3, here, instead, tiles=tiles, favor=favor)
    for state in (one, twin):
        run(state, decisions)
    assert (one.seat_to_act, window(one)) == (3, name)
    assert window(twin) != name
    one.apply("decline")
    assert (one.seat_to_act, window(one)) == (twin.seat_to_act, window(twin))
    know_the_same(one, twin, {3})


def test_i7_the_guides_are_chosen_unseen() -> None:
    """Until all have chosen, nobody can tell who has, nor what."""
    tiles = {0: "luciano tutor", 1: "enrico giorgio", 2: "oberto", 3: "mileto bard"}
    layout = position_b(delegations={"citadel": tiles})
    one, twin = resolving(layout, "citadel"), resolving(layout, "citadel")
    run(one, "3:guide mileto")
    run(twin, "3:guide bard")
    know_the_same(one, twin, {3})
    start = resolving(layout, "citadel")
    for viewer in (1, 2, None):
        assert known_to(one, viewer) == known_to(start, viewer)
    run(one, "0:guide luciano")
    run(twin, "0:guide luciano")
    know_the_same(one, twin, {3})
    assert [row["guide"] for row in public(one)["resolution"]["delegations"]] == [None] * 4
    run(one, "1:guide enrico")
    guides = {row["seat"]: row["guide"] for row in public(one)["resolution"]["delegations"]}
    assert guides == {0: "luciano", 1: "enrico", 2: "oberto", 3: "mileto"}


def test_i7_a_peek_is_seen_by_the_peeking_seat_only() -> None:
    """Two decks whose second card differs."""
    layouts = []
    for below in ("rat", "defamer"):
        layout = position_b(delegations={"port": {0: "luciano double", 1: "enrico", 3: "mileto"}})
        layout.commons["port"] = "assassin-1"
        others = "rat defamer thief-1 thief-2 assassin-2".split()
        layout.decks["port"] = [below, *[tile for tile in others if tile != below]]
        layouts.append(layout)
    one, twin = (resolving(layout, "port") for layout in layouts)
    for state in (one, twin):
        run(state, "0:guide luciano, 1:hire, 0:play double")
    know_the_same(one, twin, {0})
    assert known_to(one, 0) != known_to(twin, 0)
    for state in (one, twin):
        run(state, "0:leave")
    know_the_same(one, twin, {0})


# -- determinize and imagine -----------------------------------------------------------------------


def seat_moments(variant: Variant, every: int, seeds: int = 2) -> Iterator[tuple[Game, State, int]]:
    """Yield moments of some games, with each seat; the first and the last moment are included."""
    for seed in range(seeds):
        game = random_game(variant, seed)
        for number, state in enumerate(game.moments()):
            if number % every == 0 or state.seat_to_act is None:
                for seat in range(variant.seats):
                    yield game, state, seat


def imagined(state: State, seat: int, rng: random.Random) -> Any:
    """Imagine a state as a bot does, from a view in JSON."""
    variant = state.variant
    view = msgspec.json.decode(msgspec.json.encode(state.view(seat)), type=variant.view_type)
    return variant.imagine(view, rng)


@each_variant
def test_the_seat_sees_the_same_and_was_told_the_same(variant: Variant) -> None:
    rng = random.Random(1)
    for _, state, seat in seat_moments(variant, every=9):
        drawn = state.determinize(seat, rng)
        assert known_to(drawn, seat) == known_to(state, seat)
        assert drawn.events(None) == state.events(None)
        assert imagined(state, seat, rng).view(seat) == state.view(seat)
        if seat == state.seat_to_act:
            assert drawn.legal_actions() == state.legal_actions()


@each_variant
def test_all_windows_are_determinized(variant: Variant) -> None:
    """In every window the asked seat keeps its list, and all others their views."""
    rng, met = random.Random(2), Counter[str]()
    for seed in range(6):
        for state in random_game(variant, seed).moments():
            name = window(state)
            if name is None or met[name] >= 4:
                continue
            met[name] += 1
            for seat in range(variant.seats):
                drawn = state.determinize(seat, rng)
                assert known_to(drawn, seat) == known_to(state, seat)
                if seat == state.seat_to_act:
                    assert drawn.legal_actions() == state.legal_actions()
                assert drawn.legal_actions()
    rare = {"replace", "save", "peek", "wedding", "buy-back", "ship", "counter"}
    assert set(WINDOWS) - rare <= set(met) <= set(WINDOWS)


@each_variant
def test_what_is_public_is_kept(variant: Variant) -> None:
    """All that a spectator sees is the same: who owns what, and how many tiles lie where.

    Only who else knows a card below a common, a view does not tell.
    """
    rng = random.Random(3)
    for _, state, seat in seat_moments(variant, every=6):
        assert state.determinize(seat, rng).view(None) == state.view(None)
        one, other = public(imagined(state, seat, rng)), public(state)
        for each in (*one["boroughs"], *other["boroughs"]):
            each["known_below"] = None
        assert one == other


@each_variant
def test_every_tile_of_a_drawn_state_is_in_one_place(variant: Variant) -> None:
    rng = random.Random(4)
    for _, state, seat in seat_moments(variant, every=15):
        assert isinstance(state, BridesAndBribesState)
        for drawn in (state.determinize(seat, rng), imagined(state, seat, rng)):
            for other in range(variant.seats):
                view, real = as_json(drawn.view(other)), as_json(state.view(other))
                own, before = view["own"], real["own"]
                assert (len(own["hand"]), len(own["alley"])) == (
                    len(before["hand"]),
                    len(before["alley"]),
                )
                sizes = {where: len(tiles) for where, tiles in own["delegations"].items()}
                assert sizes == {where: len(row) for where, row in before["delegations"].items()}
            for number, deck in enumerate(state.decks):
                below = {TILES[tile] for tile in drawn.decks[number]}
                assert len(drawn.decks[number]) == len(below) == len(deck)
            assert Counter(drawn.boxes[0]) == Counter(state.boxes[0])
            assert Counter(drawn.boxes[1]) == Counter(state.boxes[1])
            cards = [TILES[tile] for deck in drawn.decks for tile in deck]
            shown = [each["common"] for each in public(drawn)["boroughs"]]
            owned = [tile for tiles in players(drawn, "tiles") for tile in tiles]
            assert not set(cards) & {*shown, *owned}


@each_variant
def test_a_drawn_state_can_be_played_to_its_end(variant: Variant) -> None:
    rng = random.Random(5)
    for _, state, seat in seat_moments(variant, every=60):
        for drawn in (state.determinize(seat, rng), imagined(state, seat, rng)):
            end = finish(drawn, rng)
            outcome = end.outcome()
            assert min(outcome.ranks) == 1
            supply = public(end)["supply"]
            assert supply["coins"] + sum(players(end, "coins")) == 42


@each_variant
def test_a_drawn_state_is_independent(variant: Variant) -> None:
    """Whatever is played in it, the real state and its views stay."""
    rng = random.Random(6)
    state = middle_of(variant, 1)
    before = [known_to(state, viewer) for viewer in viewers(variant)]
    for seat in range(variant.seats):
        finish(state.determinize(seat, rng), rng)
    assert [known_to(state, viewer) for viewer in viewers(variant)] == before


def middle_of(variant: Variant, seed: int) -> State:
    """Return the state of the first rounds with the most tiles in hands and delegations."""

    def hidden(state: State) -> int:
        if public(state)["round"] > 3:
            return -1
        others = [as_json(state.view(seat))["own"] for seat in range(1, variant.seats)]
        sent = sum(len(tiles) for own in others for tiles in own["delegations"].values())
        return sent * sum(len(own["hand"]) for own in others)

    return max((state.clone() for state in random_game(variant, seed).moments()), key=hidden)


@each_variant
def test_all_that_is_hidden_varies(variant: Variant) -> None:
    """Where the tiles of others lie, and the order of decks and boxes."""
    rng = random.Random(7)
    state = middle_of(variant, 2)
    for draw in (state.determinize, lambda seat, rng: imagined(state, seat, rng)):
        drawn: list[Any] = [draw(0, rng) for _ in range(30)]
        lying = {
            msgspec.json.encode([one.view(s) for s in range(1, variant.seats)]) for one in drawn
        }
        assert len(lying) > 20
        assert len({tuple(one.boxes[0]) for one in drawn}) > 1
        assert len({tuple(map(tuple, one.decks)) for one in drawn}) > 20


@each_variant
def test_the_generator_decides_what_is_drawn(variant: Variant) -> None:
    state = middle_of(variant, 2)
    seats = range(variant.seats)
    for seat in seats:
        one, same = (state.determinize(seat, random.Random(1)) for _ in range(2))
        assert [one.view(s) for s in seats] == [same.view(s) for s in seats]


def test_unseen_tiles_are_equally_likely_everywhere() -> None:
    """Of four tiles two are in the port and two on a ship: each pair as often as another."""
    layout = position_b(
        hands={0: "mario"},
        delegations={"port": {1: "niccolo enrico"}, "ship-2": {1: "giorgio giovanni"}},
        favor=(1, 2, 3, 0),
    )
    state = lay(layout, "placement")
    rng, found = random.Random(8), Counter[str]()
    for _ in range(1200):
        drawn = state.determinize(0, rng)
        own = as_json(drawn.view(1))["own"]["delegations"]
        found[" ".join(sorted(own["port"]))] += 1
    assert len(found) == 6
    assert all(abs(times - 200) < 65 for times in found.values())


def objects_put_away(events: list[Json]) -> Counter[int]:
    """Return by seat how many hidden tiles of its alley must be objects, from what all were told.

    Those are the objects of a ship, and the tiles of a delegation that has no character left.
    """
    found, guides = Counter[int](), dict[int, str | None]()
    for event in events:
        kind = event["event"]
        if kind == "round":
            found = Counter()
        elif kind == "ship":
            found[event["seat"]] += event["objects"]
        elif kind == "guides":
            guides = {int(seat): guide for seat, guide in event["guides"].items()}
        elif kind in ("guide_lost", "guide_new"):
            guides[event["seat"]] = event["tile"] if kind == "guide_new" else None
        elif kind == "borough_end":
            for row in event["alleys"]:
                if guides[row["seat"]] is None:
                    found[row["seat"]] += row["hidden"]
    return found


@each_variant
def test_objects_that_were_proved_stay_objects(variant: Variant) -> None:
    """A delegation without a guide has objects only, and they go to the alley."""
    rng, proved = random.Random(10), Counter[str]()
    for seed in range(4):
        for number, state in enumerate(random_game(variant, seed).moments()):
            if number % 3 or window(state) == "replace":
                continue
            drawn = state.determinize(number % variant.seats, rng)
            view = public(state)
            objects = objects_put_away(as_json(state.events(None)))
            for seat in range(variant.seats):
                own, shown = as_json(drawn.view(seat))["own"], view["players"][seat]["alley_shown"]
                hidden = [tile for tile in own["alley"] if tile not in shown]
                assert sum(tile in OBJECTS for tile in hidden) >= objects[seat]
                proved["put away"] += objects[seat]
            local = view["resolution"]
            if local is None or (local["active_seat"] is None and not local["order"]):
                continue
            for row in local["delegations"]:
                if row["guide"] is None:
                    tiles = delegation(drawn, row["seat"], viewer=row["seat"])["known"]
                    assert set(tiles) <= set(OBJECTS)
                    proved["no guide"] += 1
    assert proved["put away"]
    assert proved["no guide"]


def test_who_declares_to_marry_a_wed_bride_can_murder_her() -> None:
    """R21: so in every drawn state seat 1 has its poison here; else it may be anywhere."""
    layout = position_b(
        wed={"citadel first": (3, "mileto")},
        delegations={
            "citadel": {0: "luciano hag", 1: "enrico poison-1"},
            "port": {1: "giorgio ring-1"},
        },
        alleys={1: "wine-1 suit-1"},
    )
    rng, state = random.Random(11), resolving(layout, "citadel")
    for decisions, certain in (("0:guide luciano", False), ("1:marry first", True)):
        run(state, decisions)
        here = {
            tuple(delegation(state.determinize(0, rng), 1, viewer=1)["known"]) for _ in range(60)
        }
        assert (here == {("poison-1",)}) == certain


def test_what_was_seen_is_remembered() -> None:
    """Tiles that were shown are where they were shown: guides, favor, and a card peeked at."""
    layout = position_b(delegations={"port": {0: "luciano double", 1: "enrico", 3: "mileto"}})
    state = resolving(layout, "port")
    run(state, "0:guide luciano, 1:hire, 0:play double, 0:leave")
    below = next(each for each in as_json(state.view(0))["boroughs"] if each["borough"] == "port")
    rng = random.Random(9)
    tops = Counter[int]()
    for _ in range(50):
        drawn = state.determinize(0, rng)
        assert drawn.view(0) == state.view(0)
        port = next(e for e in as_json(drawn.view(0))["boroughs"] if e["borough"] == "port")
        assert port["known_below"] == below["known_below"]
        tops[state.determinize(1, rng).decks[4][0]] += 1
    assert len(tops) > 2


@settings(max_examples=10)
@given(seed=SEEDS, variant=st.sampled_from(VARIANTS))
def test_lively_bots_on_drawn_states_finish(seed: int, variant: Variant) -> None:
    """Search plays on from drawn states: in the middle of any exchange it comes to an end."""
    rng = random.Random(seed)
    game = random_game(variant, seed)
    cut = rng.randrange(len(game.actions))
    moments = game.moments()
    for _ in range(cut + 1):
        state = next(moments)
    seat = state.seat_to_act
    assert seat is not None
    drawn = state.determinize(seat, rng)
    choose = lively(rng)
    while drawn.seat_to_act is not None:
        drawn.apply(choose(drawn))
    assert drawn.outcome().points
