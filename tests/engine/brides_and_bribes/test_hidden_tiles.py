"""I7: the places of hidden tiles and the tiles placed stay hidden (section 10)."""

import random
from itertools import islice

import msgspec
from hypothesis import given, settings

from engine import State
from tests.engine.brides_and_bribes.play import known_to, public, random_games, viewers, window
from tests.engine.games import SEEDS, Game, as_json


def shuffled_deal(game: Game, cut: int, rng: random.Random) -> msgspec.Struct:
    """Return the deal with all that is unseen in the first `cut` decisions in another order.

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


@settings(max_examples=5)
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


@settings(max_examples=5)
@given(game=random_games(), seed=SEEDS)
def test_i7_the_tiles_that_others_place_are_hidden(game: Game, seed: int) -> None:
    """One seat sends other tiles to the same places; the other seats see no difference."""
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
        if state.seat_to_act == seat and action == "place favor":  # its only character is shown
            break
        twin.apply(other)
    assert compared or public(game.end())["round"] < chosen


def another_tile(state: State, action: str, rng: random.Random) -> str:
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
