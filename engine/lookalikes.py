"""Find different game states that a seat cannot tell apart, for the conformance checks."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.contract import State, Variant
from engine.errors import IllegalAction, InvalidDeal

SIMILAR_DEALS = 40


def change_value(raw: dict[str, Any], rng: random.Random) -> str:
    """Change a random value in a deal and return a description of the change."""
    within: Any = raw
    place: Any = rng.choice(list(raw))
    name = str(place)
    while (value := within[place]) and isinstance(value, dict | list) and rng.random() < 0.8:
        within, place = (
            value,
            rng.choice(list(value) if isinstance(value, dict) else range(len(value))),
        )
        name += f"[{place!r}]"
    within[place] = changed = rng.choice(_other_values(value, within))
    return f"{changed!r:.80} instead of {value!r:.80} as {name}"


def _other_values(value: Any, within: Any) -> list[Any]:
    beside = [other for other in within if other != value] if isinstance(within, list) else []
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [-1, value - 1, value + 1, 10**6, *beside]
    if isinstance(value, str):
        return ["", f"{value}x", *beside]
    if isinstance(value, list):
        return [[], value[:-1], [*value, *value[:1]], value[::-1], *beside]
    if isinstance(value, dict):
        return [{}, {key: value[key] for key in list(value)[1:]}, *beside]
    return [0, *beside]


def similar_deals(
    variant: Variant, deal: msgspec.Struct, rng: random.Random
) -> Iterator[msgspec.Struct]:
    """Yield valid deals that differ from `deal` in one value or by swapping two values."""
    encoded = msgspec.json.encode(deal)
    for _ in range(SIMILAR_DEALS):
        raw, drawn = msgspec.json.decode(encoded), msgspec.to_builtins(variant.deal(rng))
        places = list(_places(raw))
        if not places:
            return
        path = rng.choice(places)
        value = _at(raw, path)
        # Prefer changing a single value, because a swap can also change values of later rounds.
        if not isinstance(value, dict | list):
            try:
                _put(raw, path, _at(drawn, path))
                changed = variant.read_deal(raw)
            except (InvalidDeal, LookupError, TypeError):
                pass
            else:
                if changed != deal:
                    yield changed
                continue
        other = rng.choice([each for each in places if len(each) == len(path)])
        raw = msgspec.json.decode(encoded)
        _put(raw, path, _at(raw, other))
        _put(raw, other, value)
        try:
            if (changed := variant.read_deal(raw)) != deal:
                yield changed
        except InvalidDeal:
            continue


Path = tuple[Any, ...]


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for place in value if isinstance(value, dict) else range(len(value)):
            yield from _places(value[place], (*path, place))


def _at(value: Any, path: Path) -> Any:
    for place in path:
        value = value[place]
    return value


def _put(within: Any, path: Path, value: Any) -> None:
    _at(within, path[:-1])[path[-1]] = value


MAX_FOLLOWED = 40

CONTINUATIONS = 4


@dataclass
class Lookalike:
    """A game with another deal or another hidden action that some seats cannot tell from the real
    game.
    """

    state: State
    seats: set[int]  # those that cannot distinguish it yet


class LookalikeGames:
    def __init__(self, state: State, deal: msgspec.Struct, rng: random.Random) -> None:
        self._rng = rng
        variant = state.variant
        self._seats = range(variant.seats)
        starts = [variant.start(other) for other in similar_deals(variant, deal, rng)]
        self.lookalikes = _that_look_like(state, [Lookalike(s, {*self._seats}) for s in starts])

    def update(self, before: State, action: str, state: State) -> None:
        """Play the real game's next action in all lookalikes, and add a new lookalike.

        In the new lookalike, the acting seat chose another action. `before` and `state` are the
        real game's states before and after the action.
        """
        played = [each for each in self.lookalikes if _can_apply(each.state, action)]
        others = [other for other in before.legal_actions() if other != action]
        if others:
            after = before.clone()
            after.apply(self._rng.choice(others))
            played.append(Lookalike(after, {*self._seats} - {before.seat_to_act}))
        self.lookalikes = _that_look_like(state, played)[-MAX_FOLLOWED:]

    def same(self, state: State, seat: int) -> list[State]:
        events = state.events(seat)
        possible = [each.state for each in self.lookalikes if seat in each.seats]
        return [other for other in possible if other.events(seat) == events]


def is_hidden(state: State, other: State, rng: random.Random) -> bool:
    """Play the same random actions from two states, and return whether views or results differ."""
    for _ in range(CONTINUATIONS):
        one, two = state.clone(), other.clone()
        for _ in range(state.variant.max_decisions):
            if _look(one) != _look(two):
                return True
            if one.seat_to_act is None:
                break
            action = rng.choice(one.legal_actions())
            one.apply(action)
            two.apply(action)
    return False


def _look(state: State) -> list[Any]:
    if state.seat_to_act is None:
        return [state.outcome().ranks]
    views = [state.view(seat) for seat in range(state.variant.seats)]
    return [state.seat_to_act, state.legal_actions(), *views]


def _that_look_like(state: State, lookalikes: Sequence[Lookalike]) -> list[Lookalike]:
    views = [state.view(seat) for seat in range(state.variant.seats)]
    for each in lookalikes:
        other = each.state
        if other.seat_to_act != state.seat_to_act:
            each.seats = set()
        each.seats = {seat for seat in each.seats if other.view(seat) == views[seat]}
    return [each for each in lookalikes if each.seats]


def _can_apply(state: State, action: str) -> bool:
    try:
        state.apply(action)
    except IllegalAction:
        return False
    return True
