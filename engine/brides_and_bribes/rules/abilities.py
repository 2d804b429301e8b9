"""Abilities: when a tile can be played, its legal targets, and its effect [7.6].

They are declared in `abilities.toml`. Whether a tile can be stopped or guarded against is
decided in `tile_plays`.
"""
# compiled: see setup.py

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from engine.brides_and_bribes.actions import DECLARE, DECLINE, PLAY
from engine.brides_and_bribes.position import Changes, Position
from engine.brides_and_bribes.rules import effects, targets
from engine.brides_and_bribes.tiles import KIND
from engine.fields import read_table

Targets = Callable[[Position, int], Sequence[int]]
Effect = Callable[[Position, int, int], Changes]

ABILITIES: Final[Mapping[str, Mapping[str, str]]] = read_table(
    "engine.brides_and_bribes", "abilities.toml"
)
"""By kind of tile."""
WINDOWS: Final = ("order", "react", "before", "wedding", "after")
"""The windows in which tiles can be played."""


def _effect(kind: str) -> Effect | None:
    if kind not in ABILITIES:
        return None
    name, *amount = ABILITIES[kind]["effect"].split()
    function: Any = getattr(effects, name)
    return partial(function, int(amount[0])) if amount else function


def _targets(kind: str, window: str, declared: str) -> Targets | None:
    """Return the function that lists legal targets; None if the tile cannot be played then."""
    when, _, name = ABILITIES.get(kind, {}).get(window, "").partition(" ")
    is_meant = name and when in ("any", declared.partition(" ")[0])
    return getattr(targets, name) if is_meant else None


EFFECT: Final = tuple([_effect(kind) for kind in KIND])
"""By tile."""
_TARGETS: Final = {
    window: tuple(
        [tuple([_targets(kind, window, declared) for kind in KIND]) for declared in DECLARE]
    )
    for window in WINDOWS
}
"""Functions that list legal targets, by window, declared action and tile; None if unplayable."""


def plays(position: Position, seat: int, window: str) -> list[str]:
    """Return the legal actions of a present seat in a window; empty if it can't play anything."""
    resolution = position.resolution
    # In the window `order` nothing is declared (-1), and the rows of all actions are the same.
    by_tile = _TARGETS[window][resolution.declared]
    options: list[str] = []
    tiles = resolution.hand[seat]
    if not resolution.guide_used[seat]:  # as `usable`, without a call in a hot loop
        tiles += (resolution.guide[seat],)
    for tile in tiles:
        find = by_tile[tile]
        if find is not None:
            row = PLAY[tile]
            for argument in find(position, seat):
                options.append(row[argument])
    if options:
        options.append(DECLINE)
        options.sort()
    return options
