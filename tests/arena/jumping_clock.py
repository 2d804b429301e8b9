"""A transport whose clock jumps, as if the host had stalled."""

import time

from arena.base.protocol import Turn, read_from_referee
from arena.base.record import Entrant
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from arena.process.local import LocalProcesses

JUMP_S = 1000.0
JUMPS_ONLY = 100.0
"""The `excused_share` with which a jump excuses a limit of seconds, and a busy machine does not."""


class JumpingClock:
    """A clock that jumps when a driver waits for a bot that was asked for the second time."""

    def __init__(self, jumps: int, bot: str) -> None:
        """Make a clock that jumps this number of times."""
        self.jumps = jumps
        self.bot = bot
        self.ahead_s = 0.0

    def open_transport(self, settings: MatchSettings) -> LocalProcesses:
        """Return a transport with this clock."""
        return JumpingProcesses(settings, self)


class JumpingProcesses(LocalProcesses):
    """Processes of this machine under a clock that jumps."""

    def __init__(self, settings: MatchSettings, clock: JumpingClock) -> None:
        super().__init__(settings.limits, settings.sandbox)
        self.now = lambda: time.monotonic() + clock.ahead_s
        self._clock = clock
        self._is_asked = False
        self._has_jumped = False

    def start(self, entrant: Entrant) -> BotProcess:
        """Start a process, to which messages are sent again."""
        self._has_jumped = False
        return super().start(entrant)

    def put(self, process: BotProcess, line: bytes) -> None:
        """Send a message, and note whether the bot is asked for the second time."""
        super().put(process, line)
        if process.entrant.name == self._clock.bot:
            message = read_from_referee(line)
            self._is_asked |= isinstance(message, Turn) and message.turn == 2

    def flush(self) -> list[BotProcess]:
        """Send what was put, but nothing before a jump, nor to a process that met one.

        A quick bot could answer before it, or in the time that it gets for a wait.
        """
        return [] if self._will_jump or self._has_jumped else super().flush()

    def wait(self, wait_s: float) -> list[BotProcess]:
        """Wait, or jump."""
        if not self._will_jump:
            return super().wait(wait_s)
        self._clock.jumps -= 1
        self._is_asked = False
        self._has_jumped = True
        self._clock.ahead_s += JUMP_S
        return []

    @property
    def _will_jump(self) -> bool:
        return self._is_asked and self._clock.jumps > 0
