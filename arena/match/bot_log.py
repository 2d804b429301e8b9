"""Split a bot's stderr into lines and assign each line to a game and a move."""

from collections.abc import Callable
from typing import NamedTuple

from arena.base.record import Game

MAX_LINE_BYTES = 2048
"""Maximum length of a log line in bytes."""
MAX_GAME_BYTES = 16 * 1024
"""Maximum number of bytes logged for each process and game."""
CUT = "(more was printed in this game; it is not kept)"


class LogLine(NamedTuple):
    """A line that a bot wrote to stderr. The text is untrusted and must be escaped for display."""

    bot: str
    game: Game | None
    """The game that the bot was playing, or None if no game had started."""
    seat: int | None
    move: int | None
    """The index of the move that the bot was choosing, or None if it wasn't the bot's turn."""
    text: str


OnLog = Callable[[LogLine], object]


class BotLog:
    def __init__(self, on_log: OnLog) -> None:
        self._on_log = on_log
        self._place: LogLine | None = None  # position of the incomplete line
        self._half_line = b""
        self._bytes: dict[str, int] = {}  # by game key

    def feed(self, data: bytes, place: LogLine) -> None:
        """Log a bot's stderr output. Empty `data` marks the end of the output."""
        if self._half_line and (place != self._place or not data):
            self._log(self._half_line)
            self._half_line = b""
        self._place = place
        key = place.game.key if place.game else ""
        before = self._bytes.get(key, 0)
        if before > MAX_GAME_BYTES:
            return
        self._bytes[key] = before + len(data)
        *lines, half = (self._half_line + data[: MAX_GAME_BYTES - before]).split(b"\n")
        for line in lines:
            self._log(line)
        self._half_line = half
        if before + len(data) > MAX_GAME_BYTES:
            if half:
                self._log(half)
                self._half_line = b""
            self._on_log(place._replace(text=CUT))

    def _log(self, line: bytes) -> None:
        assert self._place
        for start in range(0, max(1, len(line)), MAX_LINE_BYTES):
            part = line[start : start + MAX_LINE_BYTES]
            self._on_log(self._place._replace(text=part.decode("utf-8", "backslashreplace")))
