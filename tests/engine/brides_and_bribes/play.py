"""Games of Brides & Bribes for the tests, and what the tests ask of a state."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from engine import State, Variant, get_variant
from tests.engine.games import SEEDS, Chooser, Game, Json, as_json, each_by_length, play

VARIANTS = [get_variant(f"brides-and-bribes/{n}") for n in (3, 4, 5)]
each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
each_usual_variant = each_by_length(VARIANTS)

EXAMPLE_DEAL: Json = {
    "boroughs": ["village", "market", "port"],
    "families": ["malabita", "carretto", "oliva"],
    "favor": [2, 1, 0],
    "lords": ["fieschi", "adorno", "spinola"],
    "first_brides": "ginevra isabella bianca lucrezia eleonora caterina vittoria".split(),
    "second_brides": "agnese fiammetta teresa paola margherita livia chiara".split(),
    "decks": {
        "village": "damsel-2 damsel-1 double hag plague-spreader-1 plague-spreader-2".split(),
        "market": "jester barker merchant-1 bard crook merchant-2".split(),
        "port": "assassin-2 rat thief-2 thief-1 defamer assassin-1".split(),
    },
}

ASIDE = ("order", "react", "before", "wedding", "after", "counter", "save")
"""The windows in which other seats may notice neither the seat asked nor its decline [10]."""

DECLINING = ("decline", "pass", "leave")


def uniform(rng: random.Random) -> Chooser:
    return lambda state: rng.choice(state.legal_actions())


WISHES = {
    "place": ("place v", "place f", "place c", "place m", "place p"),
    "tile": ("send", "reinforce", "ship", "favor"),
    "declare": ("marry", "hire"),
    "upkeep": ("keep",),
}


def lively(rng: random.Random) -> Chooser:
    """Return a player that seldom declines or passes, and likes to marry and to hire.

    So delegations are large, exchanges long, and the tiles of all boroughs are played.
    """

    def choose(state: State) -> str:
        legal = state.legal_actions()
        if rng.random() < 0.15:
            return rng.choice(legal)
        wanted = [a for a in legal if a not in DECLINING]
        liked = [a for a in wanted if a.startswith(tuple(sum(WISHES.values(), ())))]
        return rng.choice((rng.random() < 0.7 and liked) or wanted)

    return choose


def random_game(variant: Variant, seed: int, lively_share: float = 0.7) -> Game:
    rng = random.Random(seed)
    player = lively if rng.random() < lively_share else uniform
    return play(variant, variant.deal(rng), player(rng))


def random_games() -> st.SearchStrategy[Game]:
    return st.builds(random_game, st.sampled_from(VARIANTS), SEEDS)


# -- asking a state -----------------------------------------------------------------------------


def public(state: State) -> Json:
    view: Json = as_json(state.view(None))
    return view


def window(state: State) -> str | None:
    """Return the window in which the seat to act is asked, None when the game is over."""
    if state.seat_to_act is None:
        return None
    name: str = as_json(state.view(state.seat_to_act))["window"]
    return name


def split(actions: str) -> list[str]:
    return [action.strip() for action in actions.split(",")]


def asked(state: State, seat: int, actions: str) -> None:
    assert (state.seat_to_act, state.legal_actions()) == (seat, split(actions))


def run(state: State, decisions: str) -> None:
    """Play decisions as the rules page writes them, `0:hire, 1:decline`: just these are asked."""
    for decision in split(decisions):
        seat, _, action = decision.partition(":")
        legal = state.legal_actions()
        assert (state.seat_to_act, action in legal) == (int(seat), True), (
            f"{decision}: seat {state.seat_to_act} is asked, legal are {legal}"
        )
        state.apply(action)


def players(state: State, field: str) -> list[Any]:
    return [player[field] for player in public(state)["players"]]


def coins(state: State) -> list[int]:
    return players(state, "coins")


def influence(state: State) -> list[int]:
    return players(state, "influence")


def workers(state: State, seat: int) -> dict[str, int]:
    return {colour: k for colour, k in players(state, "workers")[seat].items() if k}


def alley(state: State, seat: int) -> list[str]:
    tiles: list[str] = as_json(state.view(seat))["own"]["alley"]
    return tiles


def borough(state: State, name: str) -> Json:
    return next(each for each in public(state)["boroughs"] if each["borough"] == name)


def bride(state: State, slot: str) -> str | None:
    name, _, place = slot.partition(" ")
    there: Json | None = borough(state, name)["brides"][place]
    return there and there["tile"]


def couple(state: State, slot: str) -> tuple[str | None, int | None, str | None]:
    """Return the bride at `citadel first`, the seat that is married to her, and its loyal."""
    name, _, place = slot.partition(" ")
    there = borough(state, name)["brides"][place]
    return there["tile"], there["married_seat"], there["married_tile"]


def marriages(state: State, seat: int) -> list[str]:
    return [" ".join(each.values()) for each in players(state, "marriages")[seat]]


def resolution(state: State) -> Json:
    found: Json = public(state)["resolution"]
    return found


def delegation(state: State, seat: int, viewer: int | None = None) -> Json:
    view = as_json(state.view(viewer))
    rows: list[Json] = view["resolution"]["delegations"]
    return next(row for row in rows if row["seat"] == seat)


def events(state: State, name: str, viewer: int | None = None) -> list[Json]:
    return [event for event in as_json(state.events(viewer)) if event["event"] == name]


def known_to(state: State, viewer: int | None) -> Any:
    return as_json(state.view(viewer)), as_json(state.events(viewer))


def viewers(variant: Variant) -> Iterator[int | None]:
    yield from range(variant.seats)
    yield None


def event_lines(state: State, viewer: int | None = None) -> list[str]:
    """Return the events of a viewer, a line each: the name and the values, `-` for null."""
    return [line(event) for event in as_json(state.events(viewer))]


def line(event: Json) -> str:
    return " ".join(text(value) for value in event.values())


def text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ",".join(f"{key}:{text(each)}" for key, each in value.items()) or "{}"
    if isinstance(value, list):
        return f"[{' '.join(map(text, value))}]"
    return str(value)
