"""Communicate with many bot processes at the same time."""
# The module uses `poll`, because a bot could use up all `epoll` watches of the user.

import select

from arena.process.bot_process import BotProcess
from arena.process.sandboxed_processes import host_error

MAX_WAIT_S = 3600.0
EXIT_LOOK_S = 0.004


class StopRequested(Exception):
    """Raised when the games should stop."""


class Pipes:
    def __init__(self, orders: int | None = None) -> None:
        """Prepare to communicate with bots.

        `Pipes.wait` raises `StopRequested` as soon as the optional file descriptor `orders`
        becomes readable.
        """
        self._poll = select.poll()
        self._processes: dict[int, BotProcess] = {}  # polled processes by file descriptor
        self._outputs: dict[int, BotProcess] = {}  # the descriptors that are a bot's stdout
        self._unflushed: list[BotProcess] = []
        self._ending: list[BotProcess] = []
        if orders is not None:
            self._poll.register(orders, select.POLLIN)

    def add(self, process: BotProcess) -> None:
        self._register(process.stdout, process, select.POLLIN)
        self._register(process.stderr, process, select.POLLIN)

    def await_exit(self, process: BotProcess) -> None:
        """Watch a bot that has closed its stdout. When the bot exits, `Pipes.wait` returns it."""
        if process.stdout in self._processes:
            self._unregister(process.stdout)
            self._ending.append(process)

    def remove(self, process: BotProcess) -> None:
        """Stop communicating with a bot process. The pipes of the process must still be open."""
        for fd in (process.stdin, process.stdout, process.stderr):
            if fd in self._processes:
                self._unregister(fd)
        self._unflushed = [other for other in self._unflushed if other is not process]
        self._ending = [other for other in self._ending if other is not process]

    def put(self, process: BotProcess, line: bytes) -> None:
        if not process.unsent:
            self._unflushed.append(process)
        process.unsent += line

    def flush(self) -> None:
        """Write queued lines to the bots. If a pipe is full, `Pipes.wait` writes the remaining data
        later.
        """
        for process in self._unflushed:
            if not process.flush():
                self._register(process.stdin, process, select.POLLOUT)
        self._unflushed.clear()

    def wait(self, wait_s: float) -> list[BotProcess]:
        """Wait up to `wait_s` seconds, and return all bot processes that have output or have
        exited.

        Raises:
            StopRequested: The games should stop.
            HostError: The machine is out of memory.
        """
        ready = []
        outputs = self._outputs
        longest_s = EXIT_LOOK_S if self._ending else MAX_WAIT_S
        if not 0.0 <= wait_s <= longest_s:
            wait_s = min(max(0.0, wait_s), longest_s)
        try:
            ready_fds = self._poll.poll(1000 * wait_s + 1)
        except OSError as error:
            raise host_error("wait for bots", error) from None
        for fd, _ in ready_fds:
            if fd in outputs:
                ready.append(outputs[fd])
            else:
                self._serve(fd)
        if self._ending:
            ready += [process for process in self._ending if process.has_exited()]
        return ready

    def _serve(self, fd: int) -> None:
        process = self._processes.get(fd)
        if process is None:
            raise StopRequested  # only the descriptor for commands has no process
        goes_on = process.read_stderr() if fd == process.stderr else not process.flush()
        if not goes_on:
            self._unregister(fd)

    def _register(self, fd: int, process: BotProcess, events: int) -> None:
        self._poll.register(fd, events)
        self._processes[fd] = process
        if fd == process.stdout:
            self._outputs[fd] = process

    def _unregister(self, fd: int) -> None:
        self._poll.unregister(fd)
        del self._processes[fd]
        self._outputs.pop(fd, None)
