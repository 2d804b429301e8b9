"""Reports of bot checks, for the terminal and as JSON."""

from pathlib import Path

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.check.check import Checked, Outcome
from arena.check.fault_file import FaultFile
from arena.check.fault_report import WIDTH, CardStyle, card
from arena.protocol import SeatFault
from arena.record import Evidence
from arena.terminal.console import say

MARKS: dict[Outcome, tuple[str, str, str]] = {
    "passed": ("✓", "+", "green"),
    "failed": ("✗", "x", "bold red"),
    "remark": ("!", "!", "yellow"),
    "not run": ("-", "-", "dim"),
}
"""By outcome: the mark, the mark for ASCII terminals, and the style."""
NAME_COLUMNS = 30
MIN_COLUMNS = 72
"""On a narrower terminal, the sentence of a check stands below its name."""


class CheckLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check in the JSON report."""

    name: str
    outcome: Outcome
    text: str
    fault: SeatFault | None = None
    evidence: Evidence | None = None
    file: str = ""
    """The path of the fault file, if there is one."""


class CheckReport(msgspec.Struct, frozen=True):
    """The JSON report: all checks of a bot."""

    bot: str
    passed: bool
    checks: list[CheckLine]


def print_checked(console: Console, checked: Checked) -> None:
    """Print one line for a check: its outcome, its name and a sentence."""
    mark, ascii_mark, style = MARKS[checked.outcome]
    if not console.encoding.startswith("utf"):
        mark = ascii_mark
    text = f"not run: {checked.text}" if checked.outcome == "not run" else checked.text
    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    if console.width < MIN_COLUMNS:
        row.add_column(overflow="fold")
        row.add_row(Text(mark, style=style), Text(checked.name))
        row.add_row("", Padding(Text(text), (0, 0, 0, 2)))
    else:
        row.add_column(width=NAME_COLUMNS, overflow="fold")
        row.add_column(overflow="fold")
        row.add_row(Text(mark, style=style), Text(checked.name), Text(text))
    console.print(row)


def print_card(console: Console, failure: FaultFile, again: str = "", full: bool = False) -> None:
    """Print the report of a failure; `again` is the command that reproduces it."""
    shown = card(
        failure.bot.name,
        failure.where,
        failure.fault,
        failure.evidence,
        CardStyle(full, again, min(console.width, WIDTH)),
    )
    say(f"\n{shown}\n")  # not with rich, which would wrap the command to be copied


def line_of(checked: Checked, path: Path | None) -> CheckLine:
    """Return a check for the JSON report; `path` is its fault file, if there is one."""
    failure = checked.failure
    if failure is None or path is None:
        return CheckLine(checked.name, checked.outcome, checked.text)
    return CheckLine(
        checked.name, checked.outcome, checked.text, failure.fault, failure.evidence, str(path)
    )
