"""The stderr of a bot, for the terminal."""

from collections.abc import Callable

from arena.base.protocol import printable
from arena.check.bot_stack import SdkCalls
from arena.match.bot_log import LogLine

MAX_LINES = 40
"""Lines of a bot that are shown, unless in full."""


def log_line(text: str, seat: int | None, move: int | None) -> str:
    """Return a line of a bot with the move and the seat that it belongs to; moves are from 0."""
    place = "" if seat is None else f"seat {seat}"
    if move is not None:
        place = f"move {move + 1}, {place}"
    return f"  {place:<16} | {printable(text)}"


class BotOutput:
    """Shows the lines of one bot as they come, each game under its title."""

    def __init__(self, bot: str, say: Callable[[str], object], most: int | None) -> None:
        """Show at most `most` lines of `bot` with `say`; None shows all."""
        self._bot = bot
        self._say = say
        self._left = most
        self._hidden = 0
        self._title = ""
        self._sdk = SdkCalls()

    def show(self, line: LogLine) -> None:
        """Show a line, unless it is of another bot, a call of the SDK, or one too many."""
        if line.bot != self._bot or self._sdk.has(line.text):
            return
        if self._left is not None:
            if not self._left:
                self._hidden += 1
                return
            self._left -= 1
        game = line.game
        title = f"{game.variant} board {game.board} rotation {game.rotation}" if game else "start"
        if title != self._title:
            self._title = title
            self._say(f"  {self._bot} prints in {title}:" if game else f"  {self._bot} prints:")
        self._say(log_line(line.text, line.seat, line.move))

    def end(self) -> None:
        """Say how many lines were hidden."""
        if self._hidden:
            self._say(f"  ({self._hidden} lines more of {self._bot} are hidden; --all shows them)")
