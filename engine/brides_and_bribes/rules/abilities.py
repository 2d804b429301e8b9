"""Abilities: when each tile can be played, at which targets, and its effect [7.6].

They are declared in `abilities.toml`. Whether a tile can be stopped or guarded against is in
`tile_plays`.
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
"""The windows in which tiles are played."""


def _effect(kind: str) -> Effect | None:
    """Return the function of the effect of a kind of tile, None if it has none."""
    if kind not in ABILITIES:
        return None
    name, *amount = ABILITIES[kind]["effect"].split()
    function: Any = getattr(effects, name)
    return partial(function, int(amount[0])) if amount else function


def _targets(kind: str, window: str, declared: str) -> Targets | None:
    """Return the function of the legal targets of a kind of tile, None if it cannot be played."""
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
"""By window, declared action and tile: the function of the legal targets; None if there is none."""


def plays(position: Position, seat: int, window: str) -> list[str]:
    """Return the legal list of a present seat in a window; empty if it has nothing to play."""
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
