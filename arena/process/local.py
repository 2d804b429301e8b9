"""Run bot processes on the local machine."""

import math
import select
import time
from collections.abc import Callable
from pathlib import Path

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError, SandboxError
from arena.base.protocol import Limits, shorten
from arena.base.record import Entrant
from arena.process import host
from arena.process.bot_process import BotProcess, kill_together
from arena.process.pipes import Pipes
from arena.process.sandboxed_processes import BOT_ERRORS, host_error, names_shortage
from arena.sandbox.cgroup import Home, our_home
from arena.sandbox.launcher import SHELL

# The sandbox usually starts within 20 ms.
MAX_TRIAL_S = 10.0
HARMLESS = Entrant("a harmless program", (SHELL, "-c", ":"), str(Path(__file__).parent), "")


def own_obstacle(
    entrant: Entrant, limits: Limits, sandbox: SandboxSettings, error: SandboxError
) -> BotError:
    """Return a `BotError` if the sandbox works for other programs but not for this bot.

    Otherwise, raise the given `SandboxError`.
    """
    # The bot is at fault if its sandbox fails a second time but works for a harmless program.
    for tried, should_begin in ((HARMLESS, True), (entrant, False), (HARMLESS, True)):
        if _begins(tried, limits, sandbox) != should_begin:
            raise error
    return BotError(
        f"{shorten(str(error))}; it works for another program, so this bot's command or files "
        "are the reason"
    )


def _begins(entrant: Entrant, limits: Limits, sandbox: SandboxSettings) -> bool | None:
    # None means that the machine lacks resources, which is never the bot's fault.
    try:
        process = BotProcess(entrant, limits, sandbox)
    except SandboxError:
        return False
    except OSError as error:
        return False if error.errno in BOT_ERRORS else None
    deadline = time.monotonic() + min(limits.start_ms / 1000, MAX_TRIAL_S)
    output = select.poll()  # `select.select` doesn't support descriptors above 1023
    output.register(process.stdout, select.POLLIN)
    with process:
        while not process.has_begun and (left_s := deadline - time.monotonic()) > 0:
            if output.poll(left_s * 1000) and process.read_lines() is None:
                break
        while process.read_stderr():
            pass
        is_short = not process.has_begun and names_shortage(process.last_words)
        return None if is_short else process.has_begun


PAUSES_S = (0.05, 0.2)


class LocalProcesses(Pipes):
    def __init__(
        self,
        limits: Limits,
        sandbox: SandboxSettings,
        orders: int | None = None,
        home: Callable[[], Home | None] = our_home,
    ) -> None:
        super().__init__(orders)
        self.now: Callable[[], float] = time.monotonic
        self._limits = limits
        self._sandbox = sandbox
        self._home = home
        self._leaving: list[tuple[float, BotProcess]] = []  # each with its deadline
        self._obstacles: dict[str, BotError] = {}  # maps bots to the reason why their sandbox fails

    @property
    def cores(self) -> int:
        return len(host.usable())

    def start(self, entrant: Entrant) -> BotProcess:
        """Start a bot process.

        Raises:
            OSError: The bot's command can't be started.
            BotError: The sandbox can't start because of the bot's command or files.
            HostError: The machine doesn't have the resources for another process.
            SandboxError: The sandbox fails even for a harmless program.
        """
        if obstacle := self._obstacles.get(entrant.name):
            raise obstacle
        for pause_s in (*PAUSES_S, None):
            try:
                process = BotProcess(entrant, self._limits, self._sandbox, self._home)
            except SandboxError as error:
                raise self._obstacle(entrant, error) from None
            except OSError as error:
                if error.errno in BOT_ERRORS:
                    raise
                if pause_s is None:
                    raise host_error(f"start the bot {entrant.name!r}", error) from None
                time.sleep(pause_s)
            else:
                self.add(process)
                return process
        raise AssertionError("it was started, or there is an error")

    def obstacle(self, process: BotProcess) -> str | None:
        """Return an error message if a bot process ended because its sandbox failed to start.

        Raise `SandboxError` if the sandbox fails even for a harmless program.
        """
        try:
            process.check_sandbox()
        except SandboxError as error:
            return str(self._obstacle(process.entrant, error))
        return None

    def _obstacle(self, entrant: Entrant, error: SandboxError) -> BotError:
        obstacle = own_obstacle(entrant, self._limits, self._sandbox, error)
        self._obstacles[entrant.name] = obstacle
        return obstacle

    def wait(self, wait_s: float) -> list[BotProcess]:
        if self._leaving:
            now = time.monotonic()
            over = [gone for deadline, gone in self._leaving if gone.wait(0.0) or deadline <= now]
            self._leaving = [leaving for leaving in self._leaving if leaving[1] not in over]
            kill_together(over)
        return super().wait(wait_s)

    def let_go(self, process: BotProcess, grace_s: float) -> None:
        """Tell a bot to exit, and return at once. The bot is killed after `grace_s` seconds."""
        self.remove(process)
        process.hang_up()
        self._leaving.append((time.monotonic() + grace_s, process))

    def end(self, process: BotProcess) -> None:
        self.remove(process)
        process.end()
        self._leaving.append((math.inf, process))

    def await_leaving(self, grace_s: float = 0.0) -> None:
        """Wait up to `grace_s` seconds for bots that were told to exit, and kill the bots that
        remain.
        """
        deadline = time.monotonic() + grace_s
        for _, process in self._leaving:
            process.wait(deadline)
        kill_together([process for _, process in self._leaving])
        self._leaving.clear()
