"""Print the results of bot checks, either as text or as a JSON report."""

from pathlib import Path

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.base.protocol import SeatFault
from arena.base.record import Evidence
from arena.check.bot_check import CheckResult, Outcome
from arena.check.fault_file import FaultFile
from arena.check.fault_report import WIDTH, CardStyle, card
from arena.narration.telling import counted
from arena.terminal.console import say, say_unwrapped, terminal

MARKS: dict[Outcome, tuple[str, str, str]] = {
    "passed": ("✓", "+", "green"),
    "failed": ("✗", "x", "bold red"),
    "remark": ("!", "!", "yellow"),
    "not run": ("-", "-", "dim"),
}
NAME_COLUMNS = 30
MIN_COLUMNS = 72


class CheckLine(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    outcome: Outcome
    text: str
    fault: SeatFault | None = None
    evidence: Evidence | None = None
    file: str = ""


class CheckReport(msgspec.Struct, frozen=True):
    bot: str
    passed: bool
    checks: list[CheckLine]


class CheckOutput:
    def __init__(self, full: bool = False) -> None:
        self._console = terminal()
        self._full = full
        self._not_run: dict[str, list[str]] = {}
        self._whole: list[str] = []  # variants that are played without a fault
        self._reported: set[tuple[str, str]] = set()

    def show(self, checked: CheckResult, again: str = "") -> None:
        """Print the result of a check and, for a fault, the shell command that reproduces it."""
        if checked.outcome == "not run":
            self._not_run.setdefault(checked.text, []).append(checked.name)
            return
        if checked.outcome == "passed" and checked.variant and not self._full:
            self._whole.append(checked.variant)
            return
        self._print_whole()
        self._print(checked.outcome, checked.name, checked.text)
        if (failure := checked.failure) is None:
            return
        kind = (failure.fault.kind, failure.fault.text)
        if kind not in self._reported or self._full:
            print_card(self._console, failure, CardStyle(self._full, again))
        else:
            say_command("  same as above; to reproduce:" if again else "  same as above", again)
        self._reported.add(kind)

    def end(self) -> None:
        self._print_whole()
        not_run = self._not_run
        if self._reported:
            names = [name for names in self._not_run.values() for name in names]
            not_run = {"fix the failures first": names} if names else {}
        for reason, names in not_run.items():
            self._print("not run", "not run", f"{', '.join(names)}: {reason}")

    def _print_whole(self) -> None:
        if self._whole:
            name = f"plays {self._whole[0]}" if len(self._whole) == 1 else "plays"
            self._print("passed", name, f"complete games of {counted(len(self._whole), 'variant')}")
        self._whole = []

    def _print(self, outcome: Outcome, name: str, text: str) -> None:
        console = self._console
        mark, ascii_mark, style = MARKS[outcome]
        if not console.encoding.startswith("utf"):
            mark = ascii_mark
        row = Table.grid(padding=(0, 1))
        row.add_column(width=1)
        if console.width < MIN_COLUMNS:
            row.add_column(overflow="fold")
            row.add_row(Text(mark, style=style), Text(name))
            row.add_row("", Padding(Text(text), (0, 0, 0, 2)))
        else:
            row.add_column(width=NAME_COLUMNS, overflow="fold")
            row.add_column(overflow="fold")
            row.add_row(Text(mark, style=style), Text(name), Text(text))
        console.print(row)


def say_command(text: str, command: str) -> None:
    say(text)
    if command:
        say_unwrapped(f"    {command}")


def print_card(console: Console, failure: FaultFile, style: CardStyle) -> None:
    style = style._replace(width=min(console.width, WIDTH))
    shown = card(failure.bot.name, failure.where, failure.fault, failure.evidence, style)
    say_unwrapped(f"\n{shown}\n")


def line_of(checked: CheckResult, path: Path | None) -> CheckLine:
    """Return an entry of the JSON report."""
    line = CheckLine(checked.name, checked.outcome, checked.text)
    if (failure := checked.failure) is None or path is None:
        return line
    return replace(line, fault=failure.fault, evidence=failure.evidence, file=str(path))
