"""Output to the terminal with control characters escaped, and input from it."""

import os
import sys

import click
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from tqdm import tqdm

from arena.protocol import printable

PLAIN_WIDTH = 100
"""Columns of output whose terminal width is unknown."""


class _Escaped:
    """A renderable whose control characters are escaped."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._renderable, options):
            yield Segment(text if control else printable(text), style, control)


class _Escaping(RenderHook):
    """Escapes all output, because names, notes and logs are untrusted."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Escaped(one) for one in renderables]


def terminal() -> Console:
    """Return the console for stdout, which escapes control characters except its own styles."""
    has_width = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console() if has_width else Console(width=PLAIN_WIDTH)
    console.push_render_hook(_Escaping())
    return console


def say(text: str) -> None:
    """Print a line of the result, with control characters escaped."""
    click.echo(printable(text))


def say_data(text: str) -> None:
    """Print data for programs, unchanged; on a terminal escaped as by `say`."""
    click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def notice(text: str) -> None:
    """Print a line on stderr, above the progress bar if there is one."""
    tqdm.write(printable(text), file=sys.stderr)


def warning(text: str) -> None:
    """Print a highlighted line on stderr."""
    text = printable(text)
    tqdm.write(click.style(text, "red", bold=True) if sys.stderr.isatty() else text, sys.stderr)


def read_key() -> str | None:
    """Return the next line typed, without its blanks, or None at the end of the input."""
    try:
        return input("> ").strip()
    except EOFError:
        return None
