"""Split a bot's stderr into lines, each with its game and move."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from arena.base.record import Game

if TYPE_CHECKING:  # a run starts its workers before it imports what decides
    from arena.match.match_state import Session

MAX_LINE_BYTES = 2048
"""Longer lines are split."""
MAX_GAME_BYTES = 16 * 1024
"""How many bytes to keep per process and game."""
CUT = "(more was printed in this game; it is not kept)"


class LogLine(NamedTuple):
    """A line that a bot wrote to stderr. Bots can write anything, so escape it for display."""

    bot: str
    game: Game | None
    """None before the first game of the process."""
    seat: int | None
    move: int | None
    """The move the bot had to make, from 0; None if it was not its turn."""
    text: str


OnLog = Callable[[LogLine], object]
"""Called with each line of a bot."""


class BotLog:
    """The log of one bot process.

    Output before an answer belongs to that move. Output at other times, such as after a game,
    belongs to the last game whose start or end was sent to the process. If a process had several
    pending requests at once, all lines would belong to the first. So once a process has printed,
    it gets one request at a time.
    """

    def __init__(self, session: "Session", on_log: OnLog) -> None:
        self._session = session
        self._on_log = on_log
        self._place: LogLine | None = None  # of the half line, without a text
        self._half_line = b""
        self._bytes: dict[str, int] = {}  # by the key of the game

    def feed(self, data: bytes) -> None:
        """Add bytes to the log; empty bytes mark its end."""
        place = self._place_now()
        self._session.has_printed |= bool(data)
        if self._half_line and (place != self._place or not data):
            self._tell(self._half_line)
            self._half_line = b""
        self._place = place
        key = place.game.key if place.game else ""
        before = self._bytes.get(key, 0)
        if before > MAX_GAME_BYTES:
            return
        self._bytes[key] = before + len(data)
        *lines, half = (self._half_line + data[: MAX_GAME_BYTES - before]).split(b"\n")
        for line in lines:
            self._tell(line)
        self._half_line = half
        if before + len(data) > MAX_GAME_BYTES:
            if half:
                self._tell(half)
                self._half_line = b""
            self._on_log(place._replace(text=CUT))

    def _place_now(self) -> LogLine:
        session = self._session
        name = session.bot.entrant.name
        request = session.requests[0] if session.requests else None
        if request:
            return LogLine(name, request.table.game, request.asked.seat, request.asked.move, "")
        game = session.latest
        return LogLine(name, game, game.entrants.index(name) if game else None, None, "")

    def _tell(self, line: bytes) -> None:
        assert self._place
        for start in range(0, max(1, len(line)), MAX_LINE_BYTES):
            part = line[start : start + MAX_LINE_BYTES]
            self._on_log(self._place._replace(text=part.decode("utf-8", "backslashreplace")))
