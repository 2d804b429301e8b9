"""Print tables in the terminal. Columns that don't fit are omitted and named below the table."""

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from arena.terminal.console import terminal

PADDING, LINED_PADDING = 2, 3
MIN_NAME_WIDTH = 12


LINED = box.Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")


class Column(NamedTuple):
    heading: str
    cells: Sequence[str]
    priority: int = 0
    """In narrow terminals, columns with a high priority number are omitted first. Columns with
    priority 0 are always shown."""
    kind: Literal["figure", "word", "text"] = "figure"
    """Whether the column contains numbers (right-aligned), words (left-aligned) or text
    (wrapped)."""

    @property
    def width(self) -> int:
        wanted = max(map(cell_len, (self.heading, *self.cells)))
        return min(wanted, MIN_NAME_WIDTH) if self.kind == "text" else wanted


def fitting(columns: Sequence[Column], width: int, padding: int = PADDING) -> list[str]:
    """Return the headings of all columns that fit into a table of the given width."""
    chosen = list(columns)
    while sum([column.width + padding for column in chosen]) >= width:
        last = max([column.priority for column in chosen])
        if last == 0:
            break
        chosen = [column for column in chosen if column.priority < last]
    return [column.heading for column in chosen]


def print_table(columns: Sequence[Column]) -> None:
    console = terminal()
    table = Table(box=None, header_style="bold")
    headings = fitting(columns, console.width)
    add_columns(table, columns, headings)
    console.print(table)
    if omitted := omitted_text(columns, headings):
        console.print(omitted, style="dim", highlight=False)


def omitted_text(columns: Sequence[Column], headings: Sequence[str]) -> str:
    omitted = [column.heading for column in columns if column.heading not in headings]
    return f"a wider terminal also shows {', '.join(omitted)}" if omitted else ""


def add_columns(
    table: Table,
    columns: Sequence[Column],
    headings: Sequence[str],
    sections: Collection[int] = (),
) -> None:
    """Add the columns with the given headings to a table. Draw a line below each
    row whose index is in `sections`.
    """
    shown = [column for column in columns if column.heading in headings]
    for column in shown:
        if column.kind == "text":
            least = column.width
            table.add_column(column.heading, min_width=least, overflow="fold")
        else:
            side: Literal["left", "right"] = "left" if column.kind == "word" else "right"
            table.add_column(column.heading, justify=side, no_wrap=True)
    for number, row in enumerate(zip(*[column.cells for column in shown], strict=True)):
        table.add_row(*map(Text, row), end_section=number in sections)
