"""A driver for bot processes: many games at a time over one set of processes.

Every process is asked and answers in order, so its clock runs for the first of its unanswered
requests only, from the moment that the bot could begin to think on it.

When a process breaks while several of its games are under way, nobody can say for sure which of
them broke it. So all of them are void, and each is played again alone, with fresh processes: a
bot that breaks there too is charged with it in that game. If it does not, it is charged all the
same, in the game in which it was asked when it broke: every broken process costs its bot a game,
or leaving a lost game would pay. Only a time-out in company is forgiven, since the games share a
core.
"""

import errno
import select
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

from arena import __version__
from arena.errors import ArenaError, ProtocolError
from arena.process import BotProcess, TooLong, dismiss
from arena.protocol import (
    LINE_BYTES,
    PROTOCOL,
    Act,
    End,
    Fault,
    FaultKind,
    Hello,
    Limits,
    Message,
    Ready,
    Start,
    Turn,
    raw,
    read_from_bot,
    show,
)
from arena.record import Entrant, Game, GameRecord
from arena.referee import Ask, Ending, Reply, record_of, referee, start_game

TABLES = 8
"""Games under way at a time, while bots answer at once."""
THINKING_S = 0.02
"""A bot that takes longer than this thinks: from then on one game is under way at a time."""

MOST_WAIT_S = 3600.0
"""After so long without a word it is looked again whose clock has run out."""

OUR_LIMITS = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""Reasons why a process cannot be started that are no fault of the bot."""


class Stopped(Exception):
    """Whoever ordered the games has gone."""


class _Table:
    """A game under way."""

    def __init__(self, number: int, game: Game) -> None:
        self.number = number
        self.game = game
        self.state = start_game(game.variant, game.deal)
        self.refereeing: Generator[Ask, Reply | Fault, Ending] = referee(self.state)
        self.processes: list[BotProcess | None] = []  # by seat, those that heard the start
        self.broken: dict[str, Fault] = {}  # by entrant: why it cannot be asked any more
        self.is_void = False


class _Request(NamedTuple):
    """A turn that a bot has not answered yet."""

    table: _Table
    turn: int


class Void(NamedTuple):
    """A game that has to be played again alone."""

    game: Game
    suspect: str = ""
    """The entrant that is charged with `fault` if it has none when it plays alone, or nobody."""
    fault: Fault | None = None


class _Bot:
    """An entrant, its process while it has one, and what that still has to answer."""

    def __init__(self, entrant: Entrant) -> None:
        self.entrant = entrant
        self.process: BotProcess | None = None
        self.ready: Ready | None = None
        self.requests: deque[_Request | None] = deque()  # None stands for `ready`
        self.asked_at = 0.0  # when the first of them could be begun
        self.fault: Fault | None = None  # the last one of its process


class Room:
    """The tables and bots of one driver. Use it as a context: at its end all bots are gone."""

    def __init__(
        self,
        entrants: Mapping[str, Entrant],
        limits: Limits,
        tables: int | None = None,
        *,
        charge: bool = False,
        broken: Mapping[str, Fault] | None = None,
        orders: int | None = None,
    ) -> None:
        """Make a room without processes; they start when they are needed.

        Args:
            entrants: those that may sit at a table, by name.
            limits: what each bot may use.
            tables: games under way at a time; None adapts it to the bots.
            charge: whether a broken process is its bot's fault in any case; else its games are
                void where it is not certain which of them broke it.
            broken: entrants that do not play, each with the fault that it is charged with.
            orders: a file descriptor that becomes readable when the games are no longer wanted.
        """
        self.void: list[Void] = []
        self._limits = limits
        self._tables = tables or TABLES
        self._adapts = tables is None
        self._charge = charge
        self._broken = dict(broken or {})
        self._orders = orders
        self._bots = {name: _Bot(entrant) for name, entrant in entrants.items()}
        self._open: dict[int, _Table] = {}
        self._opened = 0
        self._finished: list[GameRecord] = []
        self._poll = select.poll()
        self._listeners: dict[int, _Bot] = {}  # by file descriptor of a process
        if orders is not None:
            self._poll.register(orders, select.POLLIN)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        processes = [bot.process for bot in self._bots.values() if bot.process]
        if kind is None:
            dismiss(processes)
        for process in processes:
            process.kill()

    # -- what a room does ---------------------------------------------------------------------

    def introduce(self) -> dict[str, Ready | Fault]:
        """Start every bot and return what each said of itself, or why it did not."""
        for bot in self._bots.values():
            self._ensure_process(bot)
        while any(bot.requests for bot in self._bots.values()):
            self._exchange()
        return {
            name: bot.ready or bot.fault or Fault("start", "did not start")
            for name, bot in self._bots.items()
        }

    def play(self, games: Iterable[Game]) -> Iterator[GameRecord]:
        """Yield the record of each game when it is over; those left out are in `void`.

        Raises:
            Stopped: the games are no longer wanted.
        """
        waiting = iter(games)
        more = True
        while more or self._open:
            while more and len(self._open) < self._tables:
                game = next(waiting, None)
                if game is None:
                    more = False
                else:
                    self._open_table(game)
            if self._open:
                self._exchange()
            yield from self._finished
            self._finished.clear()

    # -- tables -------------------------------------------------------------------------------

    def _open_table(self, game: Game) -> None:
        bots = [self._bots[name] for name in game.entrants]
        for bot in bots:
            if bot.entrant.name not in self._broken:
                self._ensure_process(bot)
        broken = self._broken | {
            bot.entrant.name: bot.fault for bot in bots if bot.fault and not bot.process
        }
        if broken and not self._charge:
            self.void.append(Void(game))
            return
        self._opened += 1
        table = _Table(self._opened, game)
        self._open[table.number] = table
        table.processes = [bot.process for bot in bots]
        table.broken = broken
        variant = table.state.variant
        for seat, name in enumerate(game.entrants):
            if name in table.broken:
                continue
            start = Start(
                table=table.number,
                game=variant.game,
                variant=variant.id,
                seat=seat,
                seats=variant.seats,
                teams=variant.teams,
                seed=game.seeds[seat],
            )
            self._send(self._bots[name], start)
        self._advance(table, None)

    def _advance(self, table: _Table, answer: Reply | Fault | None) -> None:
        """Tell the referee what came, and ask what it wants to know next."""
        while True:
            try:
                # A generator is started by sending it None.
                asked = table.refereeing.send(answer)  # type: ignore[arg-type]
            except StopIteration as stop:
                self._close_table(table, stop.value)
                return
            name = table.game.entrants[asked.seat]
            answer = table.broken.get(name)
            if answer is None:
                self._ask(self._bots[name], table, asked)
                return

    def _ask(self, bot: _Bot, table: _Table, asked: Ask) -> None:
        turn = Turn(
            table=table.number,
            turn=asked.turn,
            view=raw(asked.view),
            events=raw(asked.events),
            legal=asked.legal,
            clock_ms=self._limits.move_ms,
        )
        self._send(bot, turn)
        self._expect(bot, _Request(table, asked.turn))

    def _close_table(self, table: _Table, ending: Ending) -> None:
        del self._open[table.number]
        record = record_of(table.game, table.state, ending)
        self._finished.append(record)
        for seat in range(len(table.processes)):
            own = record.faults_of(seat)
            self._tell_end(table, seat, End(table.number, record.points, record.ranks, own))

    def _make_void(self, table: _Table, void: Void) -> None:
        """Stop a game; it is to be played again elsewhere."""
        del self._open[table.number]
        table.is_void = True
        self.void.append(void)
        for seat in range(len(table.processes)):
            self._tell_end(table, seat, End(table.number, (), (), ()))

    def _tell_end(self, table: _Table, seat: int, end: End) -> None:
        """Tell a bot, if its process is the one that has heard of this table."""
        bot = self._bots[table.game.entrants[seat]]
        if bot.process and bot.process is table.processes[seat]:
            self._send(bot, end)

    # -- bots ---------------------------------------------------------------------------------

    def _ensure_process(self, bot: _Bot) -> None:
        """Start the bot's process unless it runs; if it can't be started, `fault` says why."""
        if bot.process:
            return
        try:
            process = BotProcess(bot.entrant)
        except OSError as error:
            if error.errno in OUR_LIMITS:
                raise ArenaError(
                    f"cannot start more bots: {error.strerror}; enter fewer bots, take fewer "
                    "--workers, or raise the limit (ulimit -n, ulimit -u)"
                ) from None
            command = " ".join(bot.entrant.command)
            bot.fault = Fault("start", f"cannot start `{command}`: {error.strerror or error}")
            return
        bot.process = process
        self._listen(bot, process)
        self._send(bot, Hello(PROTOCOL, __version__, bot.entrant.name, self._limits))
        self._expect(bot, None)

    def _expect(self, bot: _Bot, request: _Request | None) -> None:
        bot.requests.append(request)
        if len(bot.requests) == 1:
            bot.asked_at = time.monotonic()

    def _deadline(self, bot: _Bot) -> float:
        limit = self._limits.start_ms if bot.requests[0] is None else self._limits.move_ms
        return bot.asked_at + limit / 1000

    def _fail(self, bot: _Bot, kind: FaultKind, text: str) -> None:
        """End a process that can't be relied on any more."""
        process = bot.process
        assert process is not None
        if bot.requests and bot.requests[0] is None:
            kind = "start"
        self._unlisten(process)
        process.kill()
        if words := process.last_words:
            text += f"; the end of its stderr: {words}"
        bot.fault = Fault(kind, text)
        requests = [request for request in bot.requests if request]
        bot.requests.clear()
        bot.process = None
        here = [table for table in self._open.values() if process in table.processes]
        # What a process was doing is certain where it had one game, and answered in it before.
        certain = len(here) == 1 and any(request.turn > 1 for request in requests)
        asked_at = requests[0].table if requests else next(iter(here), None)
        for table in here:
            if not (self._charge or certain):
                blamed = table is asked_at and (kind != "timeout" or len(here) == 1)
                name = bot.entrant.name if blamed else ""
                self._make_void(table, Void(table.game, name, bot.fault if blamed else None))
                continue
            table.broken[bot.entrant.name] = bot.fault
            if any(request.table is table for request in requests):
                self._advance(table, bot.fault)

    # -- pipes --------------------------------------------------------------------------------

    def _listen(self, bot: _Bot, process: BotProcess) -> None:
        for fd in (process.stdout, process.stderr):
            self._poll.register(fd, select.POLLIN)
            self._listeners[fd] = bot

    def _unlisten(self, process: BotProcess) -> None:
        for fd in (process.stdin, process.stdout, process.stderr):
            if self._listeners.pop(fd, None):
                self._poll.unregister(fd)

    def _send(self, bot: _Bot, message: Message) -> None:
        """Send a message; what the bot does not read now is sent when it does."""
        process = bot.process
        assert process is not None
        process.send(message)
        if process.is_writing and process.stdin not in self._listeners:
            self._poll.register(process.stdin, select.POLLOUT)
            self._listeners[process.stdin] = bot

    def _exchange(self) -> None:
        """Wait until a bot says something or a clock runs out, and deal with it."""
        asked = [bot for bot in self._bots.values() if bot.requests]
        now = time.monotonic()
        wait_s = min([self._deadline(bot) for bot in asked]) - now
        for fd, _ in self._poll.poll(min(max(0.0, wait_s), MOST_WAIT_S) * 1000 + 1):
            if fd == self._orders:
                raise Stopped
            bot = self._listeners.get(fd)  # None: its process ended a moment ago
            if bot is None or bot.process is None:
                continue
            if fd == bot.process.stdout:
                self._read(bot)
            elif fd == bot.process.stderr:
                if not bot.process.read_stderr():
                    del self._listeners[fd]
                    self._poll.unregister(fd)
            else:
                bot.process.flush()
                if not bot.process.is_writing:
                    del self._listeners[fd]
                    self._poll.unregister(fd)
        now = time.monotonic()
        for bot in asked:
            if bot.requests and self._deadline(bot) <= now:
                self._read(bot)  # it may have answered while we were busy
            if bot.requests and self._deadline(bot) <= now:
                half = bot.process.half_line if bot.process else b""
                came = f"of its answer came {show(half)}" if half else "nothing came"
                limit = self._limits.move_ms if bot.requests[0] else self._limits.start_ms
                self._fail(bot, "timeout", f"no answer within {limit} ms; {came}")

    def _read(self, bot: _Bot) -> None:
        process = bot.process
        assert process is not None
        try:
            lines = process.read_lines()
        except TooLong as error:
            self._fail(
                bot,
                "malformed",
                f"sent a line of more than {LINE_BYTES} bytes: {show(error.args[0])}",
            )
            return
        if lines is None:
            self._fail(bot, "crash", process.exit_text())
            return
        for line in lines:
            self._hear(bot, line)
            if bot.process is not process:  # it was ended for what it said
                return

    def _hear(self, bot: _Bot, line: bytes) -> None:
        """Take a line of a bot as the answer to the first of its unanswered requests."""
        if not bot.requests:
            self._fail(bot, "malformed", f"spoke without being asked: {show(line)}")
            return
        request = bot.requests[0]
        try:
            message = read_from_bot(line)
        except ProtocolError as error:
            expected = "`act`" if request else "`ready`"
            self._fail(bot, "malformed", f"expected {expected}, got {show(line)}: {error}")
            return
        now = time.monotonic()
        if request is None:
            if not isinstance(message, Ready) or message.protocol != PROTOCOL:
                text = f"expected `ready` with protocol {PROTOCOL}, got {show(line)}"
                self._fail(bot, "malformed", text)
                return
            bot.ready = message
        else:
            here = (request.table.number, request.turn)
            if not isinstance(message, Act) or (message.table, message.turn) != here:
                text = f"expected `act` for table {here[0]}, turn {here[1]}, got {show(line)}"
                self._fail(bot, "malformed", text)
                return
            if self._adapts and now - bot.asked_at > THINKING_S:
                self._tables = 1
        bot.requests.popleft()
        bot.asked_at = now
        if request and not request.table.is_void:
            assert isinstance(message, Act)
            self._advance(request.table, Reply(message.action, message.note))


def play_games(
    games: Sequence[Game],
    entrants: Mapping[str, Entrant],
    limits: Limits,
    tables: int | None = None,
    orders: int | None = None,
) -> Iterator[GameRecord]:
    """Yield the records of games as they finish; `Room` says what the arguments are."""

    def alone(game: Game, broken: Mapping[str, Fault]) -> GameRecord:
        with Room(entrants, limits, 1, charge=True, broken=broken, orders=orders) as room:
            (record,) = room.play([game])
        return record

    with Room(entrants, limits, tables, orders=orders) as room:
        yield from room.play(games)
    for game, suspect, fault in room.void:
        record = alone(game, {})
        if fault and not record.faults_of(game.entrants.index(suspect)):
            text = f"{fault.text}; it did not break when the game was played again alone"
            record = alone(game, {suspect: Fault(fault.kind, text)})
        yield record
