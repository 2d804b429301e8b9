"""A full-screen replay of a recorded game."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import click
from rich.console import Console, Group, RenderableType
from rich.segment import SegmentLines
from rich.text import Text

from arena.narration.telling import counted
from arena.terminal.drawing import draw
from arena.terminal.recorded_game import KEYS, Replay

SCREEN_KEYS = {**KEYS, "v": "view of the next seat, or all hands", "PgDn PgUp": "more of the page"}
NAMED = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
    "\x1b[5~": "page up", "\x1b[6~": "page down", "\x1b[H": "s", "\x1b[F": "e",
    "\r": "", "\n": "", " ": "", "\x7f": "b", "\x1b": "q", "\x04": "q",
}  # fmt: skip
_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
BARS = 3
"""Number of rows occupied by the heading, the timeline and the footer."""


def typed_keys(read: Callable[[], str] = click.getchar) -> Iterator[str]:
    """Yield pressed keys until the input ends. Digits followed by Enter form a number."""
    number = ""
    while True:
        try:
            sent = read()
        except EOFError:
            return
        for key in _KEY.findall(sent):
            if key.isdecimal() and key.isascii():
                number += key
                continue
            name = NAMED.get(key, key)
            yield number if number and name == "" else name
            number = ""


class ReplayScreen:
    def __init__(self, replay: Replay, seat: int | None, console: Console) -> None:
        """Show the game as seen from `seat`, or with all hands visible if `seat` is None."""
        self._replay = replay
        self._seat = seat
        self._console = console
        self._top = 0
        self._note = ""

    def run(self, keys: Iterator[str]) -> None:
        """Show the game on the terminal's alternate screen until `q` is pressed."""
        with self._console.screen() as screen:
            screen.update(self.page())
            for key in keys:
                if key == "q":
                    return
                self.press(key)
                screen.update(self.page())

    def press(self, key: str) -> None:
        replay, before, self._note = self._replay, self._replay.move, ""
        if key == "?":
            self._note = "; ".join([f"{keys}: {what}" for keys, what in SCREEN_KEYS.items()])
        elif key == "v":
            seats = [None, *range(len(replay.names))]
            self._seat = seats[(seats.index(self._seat) + 1) % len(seats)]
        elif key in ("page down", "page up"):
            step = self._console.height - BARS - 1
            self._top = max(0, self._top + (step if key == "page down" else -step))
        elif (told := replay.press(key)) is None:
            self._note = f"unknown key {key!r}; ? shows all keys"
        else:
            self._note = told
        if replay.move != before:
            self._top = 0

    def page(self) -> RenderableType:
        replay, console = self._replay, self._console
        width, room = console.width, console.height - BARS
        parts: list[RenderableType] = [Text(self._note, "yellow")] if self._note else []
        told = replay.told(self._seat)
        parts += [Text(line) for line in (told if replay.move else told[1:])]
        parts += [Text(""), draw(replay.state, replay.names, self._seat)]
        lines = console.render_lines(Group(*parts), console.options.update(height=None), pad=False)
        self._top = min(self._top, max(0, len(lines) - room))
        shown = lines[self._top : self._top + room]
        left = len(lines) - self._top - room
        page = SegmentLines(shown, new_lines=True)
        rows: list[RenderableType] = [self._heading(), self._line(width), page]
        rows += [Text("")] * (room - len(shown))
        more = f"  {counted(left, 'row')} more: PgDn" if left > 0 else ""
        keys = "←→ move  ↑↓ round  f fault  v view  ? keys  q quit"
        rows.append(Text.assemble((keys, "dim"), (more, "yellow"), no_wrap=True))
        return Group(*rows)

    def _heading(self) -> Text:
        replay = self._replay
        number = getattr(replay.state.view(None), "round", None)
        parts = [replay.record.title, f"move {replay.move} of {replay.moves}"]
        parts += [f"round {number}"] if number is not None else []
        parts += [f"seat {self._seat}'s view"] if self._seat is not None else []
        return Text(" · ".join(parts), "bold", no_wrap=True, overflow="ellipsis")

    def _line(self, width: int) -> Text:
        """Return a timeline of the game that marks rounds, faults and the current move."""
        replay = self._replay
        marks = ["─"] * width
        column = (width - 1) / max(1, replay.moves)
        for move in replay.places["round"]:
            marks[int(move * column)] = "┬"
        for move in replay.places["fault"]:
            marks[int(move * column)] = "✗"
        marks[int(replay.move * column)] = "●"
        styles = {"●": "bold cyan", "✗": "bold red"}
        return Text("").join([Text(mark, styles.get(mark, "dim")) for mark in marks])


def print_game(
    replay: Replay,
    seat: int | None,
    console: Console,
    printed: Mapping[int | None, Sequence[str]] | None = None,
) -> None:
    """Print all moves of a game as seen from `seat`, or with all hands visible if `seat` is None.

    `printed` maps moves to the lines that a bot wrote to stderr. All other lines have the key
    None.
    """
    lines = printed or {}
    for text in replay.told(seat):
        console.print(Text(text))
    console.print(draw(replay.state, replay.names, seat))
    for move in range(1, replay.moves + 1):
        replay.go(move)
        for text in [*lines.get(move - 1, ()), *replay.told(seat)]:
            console.print(Text(text))
    for text in lines.get(None, ()):
        console.print(Text(text))
    console.print(draw(replay.state, replay.names, seat))
