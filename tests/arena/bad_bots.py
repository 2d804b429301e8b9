"""A game of High Card with a bad bot in the middle, and what it must come to."""

from collections.abc import Callable

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits, Turn, read_from_referee
from arena.base.record import Entrant, Game, GameRecord, Observations
from arena.match.driver import OpenTransport, local_processes, watch_games
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from arena.process.local import LocalProcesses
from arena.tournament.in_process import play_in_process
from tests.arena.playing import PATIENT, First, by_name, first, last_then_first, make_game
from tests.engine.high_card import Deal

CARDS = Deal((1, 2, 3, 4, 5, 10, 11, 12, 6, 7, 8, 9))
"""The middle seat, where the bad bot sits, wins with these, and the first seat comes last."""
SEATS = ("first", "bad", "other")
SHORT = Limits(start_ms=120_000, move_ms=1_000)
"""For bots that are late; the others answer at once, and still have a thousand times that."""


def between_others(bad: Entrant) -> dict[str, Entrant]:
    """Return the entrants of `SEATS`; the bot in the middle gets the name of bad."""
    return by_name(first("first"), msgspec.structs.replace(bad, name="bad"), first("other"))


def game_with_bad() -> Game:
    return make_game("high-card/3", 1, SEATS, CARDS)


def watch_with(
    bad: Entrant,
    limits: Limits = PATIENT,
    sandbox: SandboxSettings | None = None,
    open_transport: OpenTransport = local_processes,
) -> tuple[GameRecord, Observations]:
    """Return the record of the game, and what was seen."""
    settings = MatchSettings(limits, sandbox or SandboxSettings())
    (played,) = watch_games([game_with_bad()], between_others(bad), settings, open_transport)
    return played


def play_with(
    bad: Entrant, limits: Limits = PATIENT, open_transport: OpenTransport = local_processes
) -> GameRecord:
    """Return the record of the game."""
    return watch_with(bad, limits, None, open_transport)[0]


def watching(seen: Callable[[BotProcess, int], object]) -> OpenTransport:
    """Return what opens a transport that calls `seen` with the bot and turn of each request."""
    return lambda settings: WatchedProcesses(settings, seen)


class WatchedProcesses(LocalProcesses):
    """Processes of this machine, whose requests are watched."""

    def __init__(self, settings: MatchSettings, seen: Callable[[BotProcess, int], object]) -> None:
        super().__init__(settings.limits, settings.sandbox)
        self._seen = seen

    def put(self, process: BotProcess, line: bytes) -> None:
        """Send a message."""
        super().put(process, line)
        message = read_from_referee(line)
        if isinstance(message, Turn):
            process.flush()
            self._seen(process, message.turn)


def expected_after(turns: int) -> GameRecord:
    """Return the record of the game, played here, if the bad bot fails after this many turns.

    Up to there it takes the last action, and from there on a stand-in plays. The record has no
    fault, and so it has the ranks that the points give.
    """
    return play_in_process(game_with_bad(), [First, last_then_first(turns), First])
