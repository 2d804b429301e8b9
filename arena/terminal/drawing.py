"""Draw a game in a terminal, with the drawing function of the game's plugin if there is one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.narration.words import plain_value
from arena.plugins import presentation_of
from engine import State

# The user already knows the values of these fields of a view.
HIDDEN = ("game", "variant", "seat", "legal")


def headline(view: msgspec.Struct, game: str) -> Any:
    """Summarize the state of a game in one line, or return None if the game has no summaries."""
    line = presentation_of(game).headline
    return line(view) if line else None


def draw(state: State, names: Sequence[str], seat: int | None) -> RenderableType:
    """Draw a game as seen from `seat`, or with all hands visible if `seat` is None."""
    seats = range(state.variant.seats) if seat is None else [seat]
    shown = {seat: state.view(seat) for seat in seats}
    return _drawing(state.variant.game)(state.view(seat), names, shown)


def draw_view(view: msgspec.Struct, game: str, names: Sequence[str], seat: int) -> RenderableType:
    return _drawing(game)(view, names, {seat: view})


def _drawing(game: str) -> Callable[[Any, Sequence[str], Mapping[int, Any]], RenderableType]:
    return presentation_of(game).draw or draw_plain


def table_of(*headings: str, right: Collection[str] = ()) -> Table:
    """Create a table without borders, with some columns right-aligned."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        side: Literal["left", "right"] = "right" if heading in right else "left"
        table.add_column(heading, justify=side, overflow="fold", no_wrap=heading == "player")
    return table


def draw_plain(
    view: msgspec.Struct, names: Sequence[str], shown: Mapping[int, msgspec.Struct]
) -> RenderableType:
    """List the non-empty fields of a player's view, followed by the fields that only one player can
    see.
    """
    table = Table(box=None, show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("players", Text(", ".join(names)))
    public = msgspec.to_builtins(view)
    for field, value in public.items():
        if field not in HIDDEN and value != "":
            is_seat = field == "to_act" and value in range(len(names))
            text = names[value] if is_seat else plain_value(value)
            table.add_row(field.replace("_", " "), Text(text))
    for seat, own in shown.items():
        for field, value in msgspec.to_builtins(own).items():
            if field not in HIDDEN and value not in ("", public[field]):
                table.add_row(f"{field.replace('_', ' ')} of {seat}", Text(plain_value(value)))
    return table
