"""The bot processes of this machine: a transport for the driver of a match."""

import math
import select
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError, SandboxError
from arena.base.protocol import Limits, shorten
from arena.base.record import Entrant
from arena.process import host
from arena.process.bot_process import BotProcess, dismiss, kill_together
from arena.process.pipes import Pipes
from arena.process.sandboxed_processes import BOT_ERRORS, host_error, names_shortage
from arena.sandbox.cgroup import Home, our_home
from arena.sandbox.launcher import SHELL

MAX_TRIAL_S = 10.0
"""The time for one sandbox to be set up, which takes about 20 ms."""
HARMLESS = Entrant("a harmless program", (SHELL, "-c", ":"), str(Path(__file__).parent), "")
"""A program for which every working sandbox can be set up."""


Circumstances = tuple[Limits, SandboxSettings, Callable[[], Home | None]]
"""The limits of a bot, the settings of its sandbox, and the place for its control group."""


def own_obstacle(entrant: Entrant, circumstances: Circumstances, error: SandboxError) -> BotError:
    """Return the error of a bot whose command or files prevent its sandbox.

    The sandbox must work for a harmless program, fail again for the bot, and work for that program
    once more. So neither a sandbox that does not work here nor a passing trouble of the machine is
    taken for the bot's. A failure for what the machine lacks is never the bot's.

    Args:
        entrant: the bot.
        circumstances: how it was started.
        error: the error of its sandbox.

    Raises:
        SandboxError: `error`, since the bot does not cause it.
    """
    for tried, should_begin in ((HARMLESS, True), (entrant, False), (HARMLESS, True)):
        if _begins(tried, circumstances) != should_begin:
            raise error
    return BotError(
        f"{shorten(str(error))}; for another program it can, so the command or the files of this "
        "bot are the reason"
    )


def _begins(entrant: Entrant, circumstances: Circumstances) -> bool | None:
    """Return whether a program begins to run in its sandbox; None if this machine lacks something.

    The program is killed at once.
    """
    try:
        process = BotProcess(entrant, *circumstances)
    except SandboxError:
        return False
    except OSError as error:
        return False if error.errno in BOT_ERRORS else None
    limits, _, _ = circumstances
    deadline = time.monotonic() + min(limits.start_ms / 1000, MAX_TRIAL_S)
    output = select.poll()  # `select.select` takes no descriptors from 1024 on
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
"""The pauses before a process is started again for which this machine lacked something."""


class LocalProcesses(Pipes):
    """Starts bots as processes of this machine, and talks to them through pipes."""

    def __init__(
        self,
        limits: Limits,
        sandbox: SandboxSettings,
        orders: int | None = None,
        home: Callable[[], Home | None] = our_home,
    ) -> None:
        """Make a transport without processes.

        Args:
            limits: what each bot may use.
            sandbox: how each is started.
            orders: a file descriptor that becomes readable when the games are no longer wanted.
            home: returns the place for the control groups of the bots, None if there is none.
        """
        super().__init__(orders)
        self.now: Callable[[], float] = time.monotonic
        """The clock of the deadlines."""
        self._limits = limits
        self._sandbox = sandbox
        self._home = home
        self._leaving: list[tuple[float, BotProcess]] = []  # each with its deadline
        self._obstacles: dict[str, BotError] = {}  # by bot, why its sandbox cannot be set up

    @property
    def cores(self) -> int:
        """The number of cores that the processes share with the referee."""
        return len(host.usable())

    def start(self, entrant: Entrant) -> BotProcess:
        """Start a process of `entrant` and listen to it.

        Raises:
            OSError: its command cannot be started.
            BotError: its command or its files prevent its sandbox.
            HostError: this machine lacks something to run another process.
            SandboxError: the sandbox cannot be set up for any program.
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
        """Return why the sandbox of a killed process could not be set up, or None if it was.

        Raises:
            SandboxError: it cannot be set up for any program.
        """
        try:
            process.check_sandbox()
        except SandboxError as error:
            return str(self._obstacle(process.entrant, error))
        return None

    def _obstacle(self, entrant: Entrant, error: SandboxError) -> BotError:
        found = own_obstacle(entrant, (self._limits, self._sandbox, self._home), error)
        self._obstacles[entrant.name] = found
        return found

    def _reap(self) -> None:
        """Reap the processes that were let go or ended, as far as they are gone."""
        now = time.monotonic()
        over = [gone for deadline, gone in self._leaving if gone.wait(0.0) or deadline <= now]
        self._leaving = [leaving for leaving in self._leaving if leaving[1] not in over]
        kill_together(over)
        if not self._leaving:
            self._before_wait = None

    def let_go(self, process: BotProcess, grace_s: float) -> None:
        """Let a process leave without waiting for it. It is killed if it takes over `grace_s`."""
        self.remove(process)
        process.hang_up()
        self._leave(process, time.monotonic() + grace_s)

    def end(self, process: BotProcess) -> None:
        """Kill a process without waiting until it is gone."""
        self.remove(process)
        process.end()
        self._leave(process, math.inf)

    def _leave(self, process: BotProcess, deadline: float) -> None:
        self._leaving.append((deadline, process))
        self._before_wait = self._reap

    def close(self) -> None:
        """Leave nothing behind: no process that was let go."""
        self.await_leaving()

    def await_leaving(self, grace_s: float = 0.0) -> None:
        """Kill the processes that were let go and are still there after `grace_s`."""
        deadline = time.monotonic() + grace_s
        for _, process in self._leaving:
            process.wait(deadline)
        kill_together([process for _, process in self._leaving])
        self._leaving.clear()

    def dismiss(self, processes: Sequence[BotProcess], grace_s: float) -> list[BotProcess]:
        """Let processes leave, and return those that had to be killed after `grace_s`."""
        for process in processes:
            self.remove(process)
        return dismiss(processes, grace_s)
