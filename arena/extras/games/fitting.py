"""Tables that turn into lists if the terminal is too narrow for their columns."""

from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

GAP = 2


class FittingTable:
    """A table. In a narrow terminal, each row becomes a paragraph with labelled cells."""

    def __init__(self, *headings: str, right: Collection[str] = ()) -> None:
        """Create a table. Right-align the columns named in `right`."""
        self._headings = headings
        self._right = right
        self._rows: list[list[Text]] = []

    def add_row(self, *cells: str | Text) -> None:
        self._rows.append([Text(cell) if isinstance(cell, str) else cell for cell in cells])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = self._widths(options.max_width)
        if widths is None:
            yield from self._paragraphs()
        else:
            yield self._table(widths)

    def _widths(self, room: int) -> list[int] | None:
        columns = list(zip(map(Text, self._headings), *self._rows, strict=True))
        least = [max([_longest(cell.plain.split()) for cell in cells]) for cells in columns]
        most = [max([_longest(cell.plain.split("\n")) for cell in cells]) for cells in columns]
        spare = room - sum(least) - GAP * len(columns)
        if spare < 0:
            return None
        wants = [wide - narrow for wide, narrow in zip(most, least, strict=True)]
        share = min(1.0, spare / max(1, sum(wants)))
        return [narrow + int(want * share) for narrow, want in zip(least, wants, strict=True)]

    def _table(self, widths: Sequence[int]) -> Table:
        table = Table(box=None, header_style="bold", padding=(0, GAP, 0, 0))
        for heading, width in zip(self._headings, widths, strict=True):
            table.add_column(
                heading, justify="right" if heading in self._right else "left", width=width
            )
        for row in self._rows:
            table.add_row(*row)
        return table

    def _paragraphs(self) -> Iterator[RenderableType]:
        for first, *rest in self._rows:
            parts = [Text.assemble((f"{self._headings[0]} ", "dim"), _in_line(first, " "))]
            parts += [
                Text.assemble((f"{heading} ", "dim"), _in_line(cell, ", "))
                for heading, cell in zip(self._headings[1:], rest, strict=True)
                if cell.plain not in ("", "-")
            ]
            yield Padding(Text("; ").join(parts), (0, 0, 0, 2), expand=False)


def _longest(texts: Sequence[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _in_line(text: Text, between: str) -> Text:
    return Text(between).join(text.split("\n"))


def lines_of(texts: Sequence[str]) -> str:
    return "\n".join(texts) or "-"
