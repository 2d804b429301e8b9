"""A bot process that is debugged: without a sandbox and without a clock, beside the terminal.

A debugger in the bot reads what is typed in the terminal, while the bot is asked.
"""

import os
import select
import subprocess
from collections.abc import Callable
from typing import Self

from arena.bot_debugger import MARK, TERMINAL
from arena.errors import BotError
from arena.process.bot_process import BYE_GRACE_S
from arena.process.line_buffer import LineBuffer
from arena.protocol import MAX_LINE_BYTES, Message, printable, write
from arena.record import Entrant

READ_BYTES = 4096


class DebugProcess:
    """A bot to be debugged. Use it as a context: at its end the process is gone."""

    def __init__(self, entrant: Entrant, terminal: int, on_print: Callable[[str], object]) -> None:
        """Start a bot.

        Args:
            entrant: the bot.
            terminal: the file descriptor from which a debugger in the bot reads.
            on_print: called with what the bot writes to stderr, as it comes, escaped.

        Raises:
            BotError: its command cannot be started.
        """
        self._name = entrant.name
        self._on_print = on_print
        self._lines = LineBuffer(MAX_LINE_BYTES)
        self._heard: list[bytes] = []
        self._terminal = os.dup(terminal)
        try:
            self._popen = subprocess.Popen(
                entrant.command,
                cwd=entrant.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[self._terminal],
                env=os.environ | {TERMINAL: str(self._terminal)},
            )
        except OSError as error:
            os.close(self._terminal)
            raise BotError(f"bot {entrant.name!r} does not start: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        os.close(self._terminal)
        with self._popen:
            assert self._popen.stdin
            self._popen.stdin.close()
            try:
                self._popen.wait(0 if kind else BYE_GRACE_S)
            except subprocess.TimeoutExpired:
                self._popen.kill()

    def tell(self, message: Message) -> None:
        """Send a message."""
        self.send(write(message))

    def send(self, line: bytes, stops: bool = False) -> None:
        """Send the line of a message; with `stops`, pdb stops at the start of `act`."""
        if stops:
            line = line.rstrip()[:-1] + MARK + b"\n"
        assert self._popen.stdin
        try:
            self._popen.stdin.write(line)
        except BrokenPipeError:
            self._fail()

    def answer(self) -> bytes:
        """Wait for the next line of the bot, for any time; show what it prints meanwhile.

        Raises:
            BotError: the bot has ended.
        """
        assert self._popen.stdout
        assert self._popen.stderr
        stdout, stderr = self._popen.stdout.fileno(), self._popen.stderr.fileno()
        poll = select.poll()
        poll.register(stdout, select.POLLIN)
        poll.register(stderr, select.POLLIN)
        while not self._heard:
            ready = [fd for fd, _ in poll.poll()]
            if stderr in ready and not self._show(stderr):
                poll.unregister(stderr)
            if stdout in ready:
                data = os.read(stdout, READ_BYTES)
                self._heard += self._lines.feed(data)
                if not data or self._lines.too_long is not None:
                    self._fail()
        return self._heard.pop(0)

    def _show(self, stderr: int) -> bool:
        """Show a part of what the bot prints; return False at its end."""
        data = os.read(stderr, READ_BYTES)
        if data:
            self._on_print(printable(data.decode("utf-8", "backslashreplace")))
        return bool(data)

    def _fail(self) -> None:
        assert self._popen.stderr
        while self._show(self._popen.stderr.fileno()):
            pass
        code = self._popen.wait()
        how = f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"
        if self._lines.too_long is not None:
            how = f"sent a line of more than {MAX_LINE_BYTES} bytes"
        raise BotError(f"{self._name} {how}; what it printed is above")
