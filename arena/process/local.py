"""The bot processes of this machine: a transport for the driver of a match."""

import math
import time
from collections.abc import Callable, Sequence

from arena.contracts import SandboxSettings
from arena.errors import BotError, SandboxError
from arena.process import cores
from arena.process.bot_process import BotProcess, dismiss, kill_together
from arena.process.launch import BOT_ERRORS, host_error
from arena.process.pipes import Pipes
from arena.process.sandbox_trial import own_obstacle
from arena.protocol import Limits
from arena.record import Entrant
from arena.sandbox.cgroup_home import Home, our_home

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
        return len(cores.usable())

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
        over = [one for deadline, one in self._leaving if one.wait(0.0) or deadline <= now]
        self._leaving = [one for one in self._leaving if one[1] not in over]
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
