"""Drawings of game tables in a terminal: a view, and the hands to be shown.

Each built-in game has its own module. A plugin may register a drawing for its game. Other games are
listed field by field.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import RenderableType
from rich.text import Text

from arena.plugins import presentation_of
from arena.terminal.drawing import bribery, brides_and_bribes, plain, pot_de_vin
from engine import State

Drawing = Callable[[Any, Sequence[str], Mapping[int, Any]], RenderableType]
"""Draws a view, given the names by seat and the views of the seats whose hands are shown."""

DRAWINGS: Mapping[str, Drawing] = {
    "bribery": bribery.draw,
    "brides-and-bribes": brides_and_bribes.draw,
    "pot-de-vin": pot_de_vin.draw,
}
"""By game."""


HEADLINES: Mapping[str, Callable[[Any], Text]] = {"pot-de-vin": pot_de_vin.headline}
"""By game: the line of the table by which a seat decides."""


def headline(view: msgspec.Struct, game: str) -> Text | None:
    """Return the line of the table by which a seat decides, such as the trump, if there is one."""
    line = HEADLINES.get(game)
    return line(view) if line else None


def draw(state: State, names: Sequence[str], seat: int | None) -> RenderableType:
    """Return the table as `seat` sees it, or with all hands if it is None."""
    seats = range(state.variant.seats) if seat is None else [seat]
    shown = {seat: state.view(seat) for seat in seats}
    return _drawing(state.variant.game)(state.view(seat), names, shown)


def draw_view(view: msgspec.Struct, game: str, names: Sequence[str], seat: int) -> RenderableType:
    """Return the table as the `view` of `seat` has it."""
    return _drawing(game)(view, names, {seat: view})


def _drawing(game: str) -> Drawing:
    return DRAWINGS.get(game) or presentation_of(game).draw or plain.draw
