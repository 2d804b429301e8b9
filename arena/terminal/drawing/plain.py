"""Drawing of any game's table, field by field, in plain words."""

from collections.abc import Mapping, Sequence

import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.narration.words import plain_value

HIDDEN = ("game", "variant", "seat", "legal")
"""Fields that the reader knows already."""


def draw(
    view: msgspec.Struct, names: Sequence[str], shown: Mapping[int, msgspec.Struct]
) -> RenderableType:
    """Return the fields of a view, and the fields that differ for the seats shown."""
    table = Table(box=None, show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("players", Text(", ".join(names)))
    public = msgspec.to_builtins(view)
    for field, value in public.items():
        if field not in HIDDEN:
            is_seat = field == "to_act" and value in range(len(names))
            text = names[value] if is_seat else plain_value(value)
            table.add_row(field.replace("_", " "), Text(text))
    for seat, own in shown.items():
        for field, value in msgspec.to_builtins(own).items():
            if field not in HIDDEN and value != public[field]:
                table.add_row(f"{field.replace('_', ' ')} of {seat}", Text(plain_value(value)))
    return table
