"""A transport to scripted bots. Waiting advances its clock."""

import json
import math
from collections import deque
from collections.abc import Callable, Sequence

from arena.base.protocol import Bye, Hello, Message, Turn, read_from_referee
from arena.base.record import Entrant

Answer = Callable[[Turn], str]
"""Returns the line that answers a turn."""


def first_legal(turn: Turn) -> str:
    act = {"type": "act", "table": turn.table, "turn": turn.turn, "action": turn.legal[0]}
    return json.dumps(act)


class ScriptedProcess:
    """A bot that takes the same time for each answer."""

    def __init__(
        self, entrant: Entrant, transport: "ScriptedTransport", thinking_s: float, answer: Answer
    ) -> None:
        self.entrant = entrant
        self._transport = transport
        self._thinking_s = thinking_s
        self._answer = answer
        self._lines: deque[tuple[float, bytes]] = deque()  # each with the time when it comes
        self._free_at = 0.0
        self.received: list[Message] = []
        self.has_closed_output = False
        self.lives_on = False
        """Whether the process keeps running after it has closed its output."""
        self.is_killed = False
        self.is_frozen = False
        self.clock = 0.007
        """Processor time in seconds, besides that of answers."""
        self.kib = 1024
        self.computes = True
        """Whether the bot computes before it answers. Otherwise it sleeps."""
        self._thought_s = 0.0
        self.half_line = b""
        self.too_long: bytes | None = None
        self.last_words = "a log"
        self.excess_text: str | None = None
        self.on_stderr: Callable[[bytes], object] | None = None

    def hear(self, message: Message) -> None:
        self.received.append(message)
        if isinstance(message, Hello):
            self._lines.append((self._transport.now(), b'{"type":"ready","protocol":1}'))
        elif isinstance(message, Turn):
            self._free_at = max(self._free_at, self._transport.now()) + self._thinking_s
            self._thought_s += self._thinking_s
            self._lines.append((self._free_at, self._answer(message).encode()))

    @property
    def readable_at(self) -> float:
        """When the next line or the end of the output can be read."""
        if self.has_closed_output:
            return math.inf if self.lives_on and self in self._transport.ending else 0.0
        return self._lines[0][0] if self._lines else math.inf

    def read_lines(self) -> list[bytes] | None:
        if self.has_closed_output:
            return None
        lines = []
        while self.readable_at <= self._transport.now():
            lines.append(self._lines.popleft()[1])
        return lines

    has_exact_clock = True

    def clock_s(self) -> float:
        if not self.computes:
            return self.clock
        left_s = max(0.0, self._free_at - self._transport.now())
        return self.clock + self._thought_s - left_s

    def is_able(self) -> bool:
        return self.computes and self._free_at > self._transport.now()

    def memory_kib(self) -> int:
        return self.kib

    quick_memory_kib = memory_kib

    def freeze(self) -> bool:
        self.is_frozen = True
        return True

    def thaw(self) -> None:
        self.is_frozen = False

    def excess(self) -> str | None:
        return self.excess_text

    def has_exited(self) -> bool:
        return self.has_closed_output and not self.lives_on

    def check_available(self) -> None:
        """Do nothing, as the bot can play."""

    def exit_text(self) -> str:
        return "exited with code 1"

    def kill(self) -> None:
        self.is_killed = True


class ScriptedTransport:
    """Scripted processes by the name of their bot, and their clock."""

    def __init__(
        self, thinking_s: dict[str, float], answers: dict[str, Answer] | None = None
    ) -> None:
        self._time = 100.0
        self.cores = 1
        self._thinking_s = thinking_s
        self._answers = answers or {}
        self._put: list[tuple[ScriptedProcess, Message]] = []
        self._listened: list[ScriptedProcess] = []
        self.ending: list[ScriptedProcess] = []
        """Processes that have closed their output and are expected to exit."""
        self.processes: dict[str, list[ScriptedProcess]] = {}
        """All processes that were started, by the name of their bot."""

    def now(self) -> float:
        return self._time

    def start(self, entrant: Entrant) -> ScriptedProcess:
        """Start a process. Raise an error for an unknown bot."""
        if entrant.name not in self._thinking_s:
            raise FileNotFoundError(2, "No such file or directory")
        answer = self._answers.get(entrant.name, first_legal)
        process = ScriptedProcess(entrant, self, self._thinking_s[entrant.name], answer)
        self.processes.setdefault(entrant.name, []).append(process)
        self._listened.append(process)
        return process

    def obstacle(self, process: ScriptedProcess) -> str | None:
        return None

    def put(self, process: ScriptedProcess, line: bytes) -> None:
        for each in line.splitlines():
            self._put.append((process, read_from_referee(each)))

    def flush(self) -> None:
        for process, message in self._put:
            process.hear(message)
        self._put.clear()

    def wait(self, wait_s: float) -> Sequence[ScriptedProcess]:
        """Advance the clock to the next answer, but by at most `wait_s`."""
        next_at = min([process.readable_at for process in self._listened], default=math.inf)
        self._time = max(self._time, min(next_at, self._time + wait_s))
        return [process for process in self._listened if process.readable_at <= self._time]

    def await_exit(self, process: ScriptedProcess) -> None:
        self.ending.append(process)

    def remove(self, process: ScriptedProcess) -> None:
        self._listened.remove(process)

    def end(self, process: ScriptedProcess) -> None:
        self.remove(process)
        process.kill()

    def let_go(self, process: ScriptedProcess, grace_s: float) -> None:
        process.hear(Bye())
        self.remove(process)
        process.kill()

    def await_leaving(self, grace_s: float = 0.0) -> None:
        """Do nothing: all have left at once."""
