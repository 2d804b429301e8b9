"""Scripted talks with a dispatcher: no process, no pipe, and a clock that the test sets."""

import json
from collections import defaultdict, deque

from arena.base.protocol import Limits, Message, Turn, read_from_referee
from arena.base.record import Entrant, Game
from arena.match.charging import Cause, Reading
from arena.match.commands import (
    Breakage,
    Command,
    Inspect,
    Kill,
    Measure,
    ProcessFacts,
    RecordGame,
    Send,
    StartProcess,
    TooLate,
)
from arena.match.dispatcher import Dispatcher
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from tests.arena.playing import make_game


def bot(name: str, waits: bool = False) -> Entrant:
    """Return a bot that is never started."""
    return Entrant(name, ("no-such-program",), ".", "", waits=waits)


def pair(number: int, *names: str) -> Game:
    """Return a game of High Card, in which each seat has four decisions."""
    return make_game(f"high-card/{len(names)}", number, names)


class Talk:
    """A dispatcher, what it said, and the time."""

    def __init__(self, *players: Entrant, settings: MatchSettings | None = None) -> None:
        everybody: dict[str, Player] = {player.name: player for player in players}
        self.dispatcher = Dispatcher(everybody, settings or MatchSettings())
        self.now = 0.0
        self.said: list[Command] = []
        """All commands so far."""
        self.numbers: dict[str, list[int]] = defaultdict(list)
        """The processes of each bot, in the order in which they started."""
        self.sent: dict[int, list[Message]] = defaultdict(list)
        """The messages to each process."""
        self.pending: dict[int, deque[Turn]] = defaultdict(deque)
        """The unanswered turns of each process."""
        self.used: dict[int, tuple[int, int]] = {}
        """Processor time and waiting time of processes, measured when the time of one is over."""
        self.ready_now: set[int] = set()
        """The processes that run or wait for a core then."""

    def go_on(self) -> list[Command]:
        """Have the dispatcher ask, and return its new commands."""
        commands: list[Command] = []
        while new := self._new_commands():
            commands += new
            for command in new:
                if isinstance(command, StartProcess):
                    self.numbers[command.entrant.name].append(command.process)
                elif isinstance(command, Send):
                    message = read_from_referee(command.line)
                    self.sent[command.process].append(message)
                    if isinstance(message, Turn):
                        self.pending[command.process].append(message)
                elif isinstance(command, Measure) and command.process in self.used:
                    self.measured(command.process)
                elif isinstance(command, TooLate):
                    self.too_late(command)
        self.said += commands
        return commands

    def _new_commands(self) -> list[Command]:
        lines = self.dispatcher.requests.send()
        self.dispatcher.requests.sent(self.now)
        commands = list(self.dispatcher.outbox)
        for number, text in lines.items():
            commands += [Send(number, line) for line in text.splitlines(keepends=True)]
        self.dispatcher.outbox.clear()
        return commands

    def too_late(self, command: TooLate) -> None:
        """Report that the time of a process is over, after what it has used."""
        self.dispatcher.too_late(command.process, command.came)

    def measured(self, number: int) -> None:
        """Report what a process has used."""
        self.dispatcher.measured(number, self._reading(number))

    def begin(self, *games: Game) -> list[Command]:
        """Begin games as far as there are free tables, and return the commands."""
        for game in games:
            if self.dispatcher.games.has_free_table:
                self.dispatcher.games.begin(game)
        return self.go_on()

    def number(self, name: str) -> int:
        """Return the last process of a bot."""
        return self.numbers[name][-1]

    def ready(self, *names: str) -> list[Command]:
        """Have the processes of bots say `ready`."""
        for name in names:
            for number in self.numbers[name]:
                if number in self.dispatcher.bots.running:
                    self.dispatcher.heard(number, b'{"type":"ready","protocol":1}', self.now)
        return self.go_on()

    def act(self, number: int, action: str | None = None) -> list[Command]:
        """Have a process answer its first turn, by its first legal action."""
        turn = self.pending[number].popleft()
        line = {"type": "act", "table": turn.table, "turn": turn.turn}
        line["action"] = turn.legal[0] if action is None else action
        commands = self.say(number, json.dumps(line).encode())
        inspects = [command for command in commands if isinstance(command, Inspect)]
        if action is None and inspects:
            self.inspect(inspects[0])
            commands += self.go_on()
        return commands

    def acts(self, *numbers: int) -> None:
        """Have processes answer one after the other, each by its first legal action."""
        for number in numbers:
            self.act(number)

    def inspect(self, command: Inspect) -> None:
        """Report what a process that has given an act has used, if that is set."""
        reading = self._reading(command.process) if command.process in self.used else None
        self.dispatcher.inspected(command, ProcessFacts(), reading)

    def _reading(self, number: int) -> Reading:
        return Reading(*self.used[number], self.now, is_ready=number in self.ready_now)

    def say(self, number: int, line: bytes) -> list[Command]:
        """Have a process send a line."""
        self.dispatcher.heard(number, line, self.now)
        return self.go_on()

    def act_all(self) -> None:
        """Have all processes answer until none is asked."""
        while asked := [number for number, turns in self.pending.items() if turns]:
            self.act(asked[0])

    def pass_time(self, seconds: float) -> list[Command]:
        """Have time pass, and look at those whose time has come."""
        self.now += seconds
        for process in self.dispatcher.requests.due(self.now):
            self.dispatcher.requests.look(process, b"", self.now)
        return self.go_on()

    def broke(self, number: int, cause: Cause = "crash", text: str = "broke") -> list[Command]:
        """Have a process break."""
        broken = Breakage(cause, text, b"", ProcessFacts("log", 1, 2))
        self.dispatcher.broke(number, broken, self.now)
        self.pending[number].clear()
        return self.go_on()

    def carry_out(self, kill: Command) -> list[Command]:
        """Report that a process was killed as commanded."""
        assert isinstance(kill, Kill)
        return self.broke(kill.process, kill.cause, kill.text)

    @property
    def kills(self) -> list[Kill]:
        """The processes that were to be killed."""
        return [command for command in self.said if isinstance(command, Kill)]

    @property
    def records(self) -> list[RecordGame]:
        """The games that are over."""
        return [command for command in self.said if isinstance(command, RecordGame)]


def under_way(tables: int, limits: Limits | None = None) -> Talk:
    """Return a talk in which each of these games has asked its first seat, the bot ann."""
    settings = MatchSettings(limits or Limits(), tables=tables)
    talk = Talk(bot("ann"), bot("ben"), settings=settings)
    talk.begin(*[pair(number, "ann", "ben") for number in range(tables)])
    talk.ready("ann", "ben")
    return talk
