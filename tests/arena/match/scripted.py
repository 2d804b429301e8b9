"""Drive a match without processes, with clocks that the test sets."""

import json
import random
from collections import defaultdict, deque

from arena.base.protocol import Limits, Message, Turn, read_from_referee
from arena.base.record import Entrant, Game
from arena.match.events import (
    Command,
    Event,
    Exited,
    Finished,
    Kill,
    Line,
    MeasureUsage,
    Send,
    Started,
    StartProcess,
    Tick,
    Usage,
    Written,
)
from arena.match.match import Match
from arena.match.match_state import Cause, ProcessFacts, Session
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from tests.arena.playing import make_game

READY = b'{"type":"ready","protocol":1}'


def bot(name: str, waits: bool = False) -> Entrant:
    """Return a bot that is never started."""
    return Entrant(name, ("no-such-program",), ".", "", waits=waits)


def pair(number: int, *names: str) -> Game:
    """Return a game of High Card, in which each seat makes four decisions."""
    return make_game(f"high-card/{len(names)}", number, names)


class Talk:
    """A match, its commands so far, and the current time."""

    def __init__(
        self, *players: Entrant, settings: MatchSettings | None = None, is_exact: bool = True
    ) -> None:
        everybody: dict[str, Player] = {player.name: player for player in players}
        self.match = Match(everybody, settings or MatchSettings(), random.Random(0))
        self.now = 0.0
        self.sent_commands: list[Command] = []
        self.numbers: dict[str, list[int]] = defaultdict(list)
        """By bot, the numbers of its processes in the order in which they were started."""
        self.sent: dict[int, list[Message]] = defaultdict(list)
        """By process, the messages sent to it."""
        self.pending: dict[int, deque[Turn]] = defaultdict(deque)
        """By process, its unanswered requests."""
        self.clock_s: dict[int, float] = defaultdict(float)
        """By process, its processor time."""
        self.able: set[int] = set()
        """Processes with a thread that is running or waiting for a core."""
        self._is_exact = is_exact

    def go_on(self) -> list[Command]:
        """Carry out and return the commands of the match. Kills are not carried out."""
        commands: list[Command] = []
        while (command := self.match.next_command()) is not None:
            commands.append(command)
            match command:
                case StartProcess(number, entrant):
                    self.numbers[entrant.name].append(number)
                    self.match.receive(Started(number, "", self._is_exact), self.now)
                case Send(number, line):
                    message = read_from_referee(line)
                    self.sent[number].append(message)
                    if isinstance(message, Turn):
                        self.pending[number].append(message)
                case MeasureUsage(processes):
                    for number, needs_state in processes:
                        is_able = number in self.able if needs_state else None
                        usage = Usage(number, self.clock_s[number], is_able)
                        self.match.receive(usage, self.now)
        self.match.receive(Written(), self.now)
        self.sent_commands += commands
        return commands

    def begin(self, *games: Game) -> list[Command]:
        """Start games and return the commands."""
        for game in games:
            self.match.start(game, self.now)
        return self.go_on()

    def report(self, event: Event) -> list[Command]:
        self.match.receive(event, self.now)
        return self.go_on()

    def number(self, name: str) -> int:
        """Return the number of a bot's latest process."""
        return self.numbers[name][-1]

    def ready(self, *names: str) -> list[Command]:
        """Make all processes of these bots report that they are ready."""
        before = len(self.sent_commands)
        for name in names:
            for number in self.numbers[name]:
                if number in self.running:
                    self.say(number, READY)
        return self.sent_commands[before:]

    def act(self, number: int, action: str | None = None) -> list[Command]:
        """Make a process answer its first request, by default with its first legal action."""
        turn = self.pending[number].popleft()
        line = {"type": "act", "table": turn.table, "turn": turn.turn}
        line["action"] = turn.legal[0] if action is None else action
        return self.say(number, json.dumps(line).encode())

    def acts(self, *numbers: int) -> None:
        """Make processes answer one after the other."""
        for number in numbers:
            self.act(number)

    def say(self, number: int, line: bytes) -> list[Command]:
        return self.report(Line(number, line, self.clock_s[number]))

    def act_all(self) -> None:
        """Make processes answer until no request is left."""
        while asked := [number for number, turns in self.pending.items() if turns]:
            self.act(asked[0])

    def pass_time(self, seconds: float) -> list[Command]:
        """Let time pass while no process computes. Report a tick at each deadline."""
        before, until = len(self.sent_commands), self.now + seconds
        while self.match.deadline <= until:
            self.now = max(self.now, self.match.deadline)
            self.report(Tick())
        self.now = until
        return self.sent_commands[before:]

    def broke(self, number: int, cause: Cause = "crash", text: str = "broke") -> list[Command]:
        self.pending[number].clear()
        facts = ProcessFacts("log", 2)
        return self.report(Exited(number, cause, text, b"", self.clock_s[number], facts))

    def carry_out(self, kill: Kill) -> list[Command]:
        """Report that a process was killed as commanded."""
        return self.broke(kill.process, kill.cause, kill.text)

    @property
    def running(self) -> dict[int, Session]:
        return self.match.sessions.running

    @property
    def kills(self) -> list[Kill]:
        """All kill commands so far."""
        return [command for command in self.sent_commands if isinstance(command, Kill)]

    @property
    def records(self) -> list[Finished]:
        return [command for command in self.sent_commands if isinstance(command, Finished)]


def under_way(tables: int, limits: Limits | None = None, is_exact: bool = True) -> Talk:
    """Return a match in which ann has been asked for the first decision of each game."""
    settings = MatchSettings(limits or Limits(), tables=tables)
    talk = Talk(bot("ann"), bot("ben"), settings=settings, is_exact=is_exact)
    talk.begin(*[pair(number, "ann", "ben") for number in range(tables)])
    talk.ready("ann", "ben")
    return talk
