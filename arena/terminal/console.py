"""Lines printed to a terminal and read from it, with what would steer it escaped."""

import os
import sys

import click
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from tqdm import tqdm

from arena.protocol import printable

PLAIN_WIDTH = 100
"""Columns of what is printed when nobody says how wide the terminal is."""


class _Escaped:
    """Something to be printed, in which what would steer a terminal is escaped."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._renderable, options):
            yield Segment(text if control else printable(text), style, control)


class _Escaping(RenderHook):
    """Escapes all that is printed: names, notes and logs come from strangers, who may know Rich."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Escaped(one) for one in renderables]


def terminal() -> Console:
    """Return what is printed on; nothing that is printed there steers it but our own styles."""
    has_width = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console() if has_width else Console(width=PLAIN_WIDTH)
    console.push_render_hook(_Escaping())
    return console


def say(text: str) -> None:
    """Print a line of the result, in which what would steer a terminal is escaped."""
    click.echo(printable(text))


def say_data(text: str) -> None:
    """Print what is for programs: as it is, but for a terminal as `say` does."""
    click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def notice(text: str) -> None:
    """Tell the person at the terminal, also above a progress bar."""
    tqdm.write(printable(text), file=sys.stderr)


def warning(text: str) -> None:
    """Tell the person at the terminal what should not be missed."""
    text = printable(text)
    tqdm.write(click.style(text, "red", bold=True) if sys.stderr.isatty() else text, sys.stderr)


def read_key() -> str | None:
    """Return what the person at the terminal types, or None when there is nothing more."""
    try:
        return input("> ").strip()
    except EOFError:
        return None
