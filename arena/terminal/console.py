"""Read and write text in the terminal. Control characters in the output are always escaped."""
# The packages rich and tqdm are imported only when they are needed, because they are slow to
# import.

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO, cast

import click

from arena.base.protocol import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
    from rich.segment import Segment
    from tqdm import tqdm

# A word with the spaces before it. Text in backticks is a single word.
_WORD = re.compile(r" *(?:`[^`]*`|\S)+")
PLAIN_WIDTH = 100


def prepare_streams() -> None:
    """Make stdout and stderr safe to write to, even if they are closed or can't encode all
    characters.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # reserves stdin, stdout and stderr
        pass
    os.close(number)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def discard_output() -> None:
    """Redirect stdout and stderr to the null device if writing to them fails."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def terminal(file: TextIO | None = None) -> "Console":
    """Create a Rich console for stdout, or an unstyled console for a file."""
    from rich.console import Console

    has_width = sys.stdout.isatty() or sys.stderr.isatty() or "COLUMNS" in os.environ
    width = None if has_width else PLAIN_WIDTH
    console = Console(file=file, width=width, color_system="auto" if file is None else None)
    console.push_render_hook(cast("RenderHook", _EscapingHook()))
    return console


# All output is escaped, because bots control their names, notes and logs.
class _EscapingHook:
    def process_renderables(
        self, renderables: "list[ConsoleRenderable]"
    ) -> "list[_EscapedRenderable]":
        return [_EscapedRenderable(renderable) for renderable in renderables]


class _EscapedRenderable:
    def __init__(self, renderable: "ConsoleRenderable") -> None:
        self._renderable = renderable

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[Segment]":
        from rich.segment import Segment

        segments = console.render(self._renderable, options)
        if not console.is_terminal:  # programs that read it want no padding
            text = "".join([segment.text for segment in segments if not segment.control])
            lines = [printable(line).rstrip() for line in text.split("\n")]
            yield Segment("\n".join(lines))
            return
        for text, style, control in segments:
            yield Segment(text if control else printable(text), style, control)


def wrapped(text: str, width: int) -> str:
    """Wrap text to the given width without splitting text in backticks."""
    lines = []
    for paragraph in text.split("\n"):
        indent = paragraph[: len(paragraph) - len(paragraph.lstrip())]
        lines.append("")
        for word in _WORD.findall(paragraph):
            if lines[-1] and len(lines[-1] + word) > width:
                lines.append(indent + word.lstrip())
            else:
                lines[-1] += word
    return "\n".join(lines)


def fitted(text: str, stream: TextIO) -> str:
    """Escape control characters, and wrap the text if `stream` is a terminal."""
    text = printable(text)
    return wrapped(text, shutil.get_terminal_size().columns) if stream.isatty() else text


def say(text: str) -> None:
    click.echo(fitted(text, sys.stdout))


def say_unwrapped(text: str) -> None:
    """Print lines without wrapping them, so that a command can be copied whole."""
    click.echo(printable(text))


def say_data(text: str) -> None:
    """Print data unchanged. If stdout is a terminal, escape control characters."""
    click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def notice(text: str) -> None:
    """Print a message to stderr, above the progress bar if there is one."""
    _write_above_bars(fitted(text, sys.stderr))


def warning(text: str) -> None:
    text = fitted(text, sys.stderr)
    _write_above_bars(click.style(text, "red", bold=True) if sys.stderr.isatty() else text)


def _write_above_bars(line: str) -> None:
    if "tqdm" in sys.modules:
        from tqdm import tqdm

        tqdm.write(line, file=sys.stderr)
    else:
        click.echo(line, err=True)


class Progress:
    """A progress bar that counts games. If the progress bar is hidden, its methods do nothing."""

    def __init__(self, bar: "tqdm[NoReturn] | None") -> None:
        self._bar = bar

    @property
    def is_shown(self) -> bool:
        return self._bar is not None

    def update(self, games: int) -> None:
        if self._bar is not None:
            self._bar.update(games)

    def add_text(self, text: str) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(text, refresh=False)

    def complete(self) -> None:
        if self._bar is not None:
            self._bar.total = self._bar.n


@contextmanager
def progress_bar(
    total: int, done: int, form: str | None = None, *, is_shown: bool | None = None
) -> Iterator[Progress]:
    """Show a progress bar on stderr while the context is active. The argument `form` is the
    `bar_format` of tqdm.
    """
    if not (sys.stderr.isatty() if is_shown is None else is_shown):
        yield Progress(None)
        return
    from tqdm import tqdm

    with tqdm(total=total, initial=done, unit=" games", bar_format=form, miniters=0) as bar:
        yield Progress(bar)


def read_key() -> str | None:
    """Read a line of input, stripped of whitespace. Return None at the end of the input."""
    try:
        return input("> ").strip()
    except EOFError:
        return None
