"""Mutate deals for the conformance suite."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.contract import Variant
from engine.errors import InvalidDeal

SIMILAR_DEALS = 40
"""How many mutations of a deal `similar_deals` tries."""


def change_value(raw: dict[str, Any], rng: random.Random) -> str:
    """Change a random value inside `raw` in place and return a description of the change."""
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
    """Yield valid deals that differ from `deal` in one value or have two values swapped."""
    encoded = msgspec.json.encode(deal)
    for _ in range(SIMILAR_DEALS):
        raw, drawn = msgspec.json.decode(encoded), msgspec.to_builtins(variant.deal(rng))
        places = list(_places(raw))
        if not places:
            return
        path = rng.choice(places)
        value = _at(raw, path)
        # A die of a later round must not change with one of this round, so exchanges come last.
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
"""Keys and indices leading to a value in JSON data."""


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
