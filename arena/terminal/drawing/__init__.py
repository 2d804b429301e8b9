"""Drawings of a game's table in a terminal: a view, and the hands that are shown.

Each game has a module of its own; a game that has none is listed field by field.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import RenderableType

from arena.terminal.drawing import bribery, brides_and_bribes, plain, pot_de_vin
from engine import State

Drawing = Callable[[Any, Sequence[str], Mapping[int, Any]], RenderableType]
"""Draws a view, given the names by seat, and the own views of the seats whose hands are shown."""

DRAWINGS: Mapping[str, Drawing] = {
    "bribery": bribery.draw,
    "brides-and-bribes": brides_and_bribes.draw,
    "pot-de-vin": pot_de_vin.draw,
}
"""By game."""


def draw(state: State, names: Sequence[str], seat: int | None) -> RenderableType:
    """Return the table as a seat sees it, or with all hands shown."""
    seats = range(state.variant.seats) if seat is None else [seat]
    shown = {one: state.view(one) for one in seats}
    return _drawing(state.variant.game)(state.view(seat), names, shown)


def draw_view(view: msgspec.Struct, game: str, names: Sequence[str], seat: int) -> RenderableType:
    """Return the table of a seat's own view."""
    return _drawing(game)(view, names, {seat: view})


def _drawing(game: str) -> Drawing:
    return DRAWINGS.get(game, plain.draw)
