"""The stderr of bots, as lines, each with the game and the move that it belongs to."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from arena.base.record import Game

if TYPE_CHECKING:  # a run starts its workers before it imports what decides
    from arena.match.match_state import Session

MAX_LINE_BYTES = 2048
"""A longer line is broken."""
MAX_GAME_BYTES = 16 * 1024
"""The number of bytes that are kept of one process in one game."""
CUT = "(more was printed in this game; it is not kept)"


class LogLine(NamedTuple):
    """A line that a bot wrote to stderr. The bot can write anything, so escape it where shown."""

    bot: str
    game: Game | None
    """None before the first game of the process."""
    seat: int | None
    move: int | None
    """The move for which the bot was asked, from 0; None if it was not its turn."""
    text: str


OnLog = Callable[[LogLine], object]
"""Takes a line of a bot."""


class BotLog:
    """The log of one process of a bot.

    What comes before an answer belongs to its move. What comes at other times, such as at the end
    of a game, belongs to the game that the process was told of last. Of a process that is asked
    several questions at once, all lines would belong to the first, so it is not any more.
    """

    def __init__(self, session: "Session", on_log: OnLog) -> None:
        self._session = session
        self._on_log = on_log
        self._place: LogLine | None = None  # of the half line, without a text
        self._half_line = b""
        self._bytes: dict[str, int] = {}  # by the key of the game

    def feed(self, data: bytes) -> None:
        """Take the next bytes; none at the end of the log."""
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
