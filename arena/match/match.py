"""Play several games with bot processes, without doing I/O or reading a clock.

The driver starts games, reports events to `receive`, and carries out the commands from
`next_command`. At the `deadline`, it reports a `Tick`. Processes are numbered.

Quick bots play several games at a time, which avoids most of the switching between processes. A
slow bot gets the core to itself: its games are played one at a time, and while it thinks the
other processes are frozen. Games of bots that wait for another machine run in parallel, each
with its own process. None of this affects results.

A bot's record must not depend on the other games its process plays. So if a process breaks after
playing more than one game, every game in which its bot still has to decide is interrupted. Once
no other game is open, each resumes alone: a new process of the bot gets the game from the start,
and all answers given so far stand. If that process breaks too, the fault is charged to the game.
"""

import math
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

import msgspec

from arena.base.errors import ArenaError, ProtocolError
from arena.base.protocol import (
    PROTOCOL,
    Act,
    End,
    Fault,
    FaultKind,
    Message,
    Ready,
    decode_act,
    read_from_bot,
    write,
)
from arena.base.record import Entrant, Evidence, Game, GameRecord, Observations, Restart
from arena.match.broken_game import game_error
from arena.match.clock import TICK_S, Judgement, next_interval_s
from arena.match.events import (
    AskFacts,
    AskUsage,
    Command,
    Dismiss,
    Event,
    Exited,
    Facts,
    Finished,
    Freeze,
    Interrupted,
    Kill,
    Line,
    Send,
    Started,
    StartProcess,
    Thaw,
    Tick,
    Usage,
    Written,
)
from arena.match.match_state import (
    KINDS,
    MAX_FAILED_STARTS,
    BotSeat,
    Cause,
    Charge,
    ChargedSeat,
    ProcessFacts,
    RunningBot,
    Session,
    Table,
)
from arena.match.referee import ANSWERS, Ending, record_of, start_message
from arena.match.seat_messages import SeatMessages
from arena.match.seats import ActionSource, Answer, Ask, Player, Script, Seat
from arena.match.settings import MAX_GAMES, MatchSettings
from engine import EngineError

MAX_LATE = 3
"""The number of wall-clock timeouts in one game that is charged as a fault. Fewer are replayed."""


class Match:
    """The games and bots of a match."""

    def __init__(
        self,
        players: Mapping[str, Player],
        settings: MatchSettings,
        sources: Mapping[str, ActionSource] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        """Make a match without processes; they are started on demand.

        Args:
            players: The players in the games, by name.
            settings: How games are played.
            sources: Games whose actions are not simply their seats' answers, by key.
            rng: Chooses when to read clocks, which does not affect results. Bots must not be able
                to predict it.
        """
        self.settings = settings
        self.deadline = math.inf
        """When to report a `Tick`."""
        self.on_answer: Callable[[float], object] | None = None
        """Called with the processor time of each answer, in seconds."""
        self.tables: dict[int, Table] = {}
        """Open games, by number."""
        self.sessions: dict[int, Session] = {}
        """Processes that have neither broken nor been dismissed, by number."""
        self._limits = settings.limits
        self._idle_s = settings.limits.max_idle_ms / 1000
        self._nesting = settings.limits.nesting
        self._flat_bytes = 2 * self._nesting  # a line up to this cannot be nested deeper
        self._freezes = settings.sandbox.level != "none"
        self._sources = sources or {}
        self._outbox: deque[Command] = deque()
        self._players: Mapping[str, Player] = {}
        self._bots: dict[str, RunningBot] = {}
        self._thinking: dict[Session, None] = {}  # a set in order
        self._alone: Table | None = None  # the game that is continued
        self._room: int | None = None  # for open games; None if it has to be found again
        self._begun = self._started = self._interrupted = 0  # counted
        self._unwritten: list[BotSeat] = []
        self._held: dict[int, tuple[Line, Act]] = {}  # illegal answers, by process
        self._now = self._look_at = 0.0
        self._rng = rng or random.Random()
        self.enter(players)

    # -- what the driver calls ----------------------------------------------------------------

    def start(self, game: Game, now: float) -> None:
        """Begin a game and start processes for its bots if needed."""
        self._now = now
        self._begun += 1
        try:
            table = Table(self._begun, game, self._sources.get(game.key, ANSWERS))
        except (ArenaError, EngineError):
            raise
        except Exception as error:
            raise game_error(game, (), error) from error
        self.tables[table.number] = table
        self._room = None
        for name in game.entrants:
            table.sessions.append(None)
            table.seats.append(self._seat(table, name))
        for seat, session in enumerate(table.sessions):
            if session:
                self._join(session, table, seat)
        self._advance(table, None)

    def resume(self, table: Table, now: float) -> None:
        """Resume an interrupted game. No other game may be open."""
        self._now = now
        self._interrupted -= 1
        self._alone = self.tables[table.number] = table
        self._room = None
        asked, table.pending = table.pending, None
        assert asked, "it was interrupted at a decision"
        if answer := table.seats[asked.seat].ask(asked):
            self._advance(table, answer)

    def receive(self, event: Event, now: float) -> None:
        self._now = now
        if isinstance(event, Line):
            self._hear(event)
            return
        if isinstance(event, Written):
            for request in self._unwritten:
                request.is_written = True
            self._unwritten.clear()
            return
        if isinstance(event, Tick):
            self._tick()
            return
        session = self.sessions.get(event.process)
        if session is None:  # it was ended just before
            return
        match event:
            case Usage():
                self._look(session, event)
            case Started():
                session.budget.is_exact, session.budget.cores = event.is_exact, event.cores
                if event.error:
                    self._break(session, "start", event.error, Evidence(0))
            case Exited():
                session.budget.answer(now, event.clock_s)
                evidence = session.evidence(event.facts, event.came, now)
                self._break(session, event.cause, event.text, evidence)
            case Facts():
                self._go_on(session, event.facts)

    def next_command(self) -> Command | None:
        """Return the next command, or None if there is nothing to do until the next event."""
        return self._outbox.popleft() if self._outbox else None

    def has_room_for(self, game: Game) -> bool:
        """Return whether a game may begin now."""
        number = len(self.tables)
        if self.settings.tables is not None:
            return number < self.settings.tables
        if not number:
            return True
        if self._room is None:
            seated = {name for table in self.tables.values() for name in table.game.entrants}
            self._room = self._room_of(seated)
        return number < self._room and number < self._room_of(game.entrants)

    def _room_of(self, names: Iterable[str]) -> int:
        """Return how many games these players may play at a time."""
        bots = [self._bots[name] for name in names if name in self._bots]
        if any(bot.is_long for bot in bots):
            return 1
        is_waiting = any(bot.waits for bot in bots)
        return self.settings.waiting_games if is_waiting else MAX_GAMES

    @property
    def is_waiting(self) -> bool:
        """Whether any process has a pending request."""
        return any(session.requests for session in self.sessions.values())

    # -- batches of games ----------------------------------------------------------------------

    def enter(self, players: Mapping[str, Player]) -> None:
        """Set the players of the next games. Bots that already have a process keep it.

        If a bot is replaced by a script, its process exits. A bot that isn't in the next games
        keeps its process.
        """
        self._players = players
        for name, player in players.items():
            known = self._bots.get(name)
            if known and known.entrant != player:
                for session in list(known.sessions):
                    self._dismiss(session)
            if isinstance(player, Entrant) and not (known and known.sessions):
                self._bots[name] = made = RunningBot(player, self.settings.waiting_games > 0)
                made.restarts = known.restarts if known else []

    def rest(self) -> None:
        """Freeze all processes until the next games.

        Processes that have not reported ready exit, and so do all processes of a bot that broke.
        That bot begins the next games with a new process, as if it had not broken.
        """
        for session in list(self.sessions.values()):
            if session.bot.charge or session.requests:
                self._dismiss(session)
            elif self._freezes:
                self._freeze(session)
        self.deadline = math.inf

    def look(self, now: float) -> None:
        """Request a reading of all clocks, even between games."""
        self._now = now
        self._tick()

    # -- what the bots said --------------------------------------------------------------------

    def start_all(self, now: float) -> None:
        """Start a process for every bot that has none."""
        self._now = now
        for bot in self._bots.values():
            if not bot.sessions:
                self._start(bot)

    def introductions(self) -> dict[str, Ready | Fault]:
        """Return what each bot reported about itself, or why it failed."""
        return {
            name: bot.ready or (bot.charge.fault if bot.charge else Fault("start", "did not start"))
            for name, bot in self._bots.items()
        }

    def charge_of(self, name: str) -> Charge | None:
        """Return the charge for an entrant's last process that broke."""
        return self._bots[name].charge

    def process_of(self, name: str) -> int | None:
        """Return the number of an entrant's first process; None if it has no process."""
        sessions = self._bots[name].sessions
        return sessions[0].number if sessions else None

    # -- processes -----------------------------------------------------------------------------

    def _start(self, bot: RunningBot) -> Session | None:
        """Start a process, or return None if the bot has failed to start too often."""
        if bot.failed_starts >= MAX_FAILED_STARTS:
            return None
        self._started += 1
        session = Session(self._started, bot, self._limits, self._now)
        self.sessions[session.number] = session
        bot.sessions.append(session)
        bot.ready = None
        self._outbox.append(StartProcess(session.number, bot.entrant, session.hello))
        self._think(session)
        self._expect(session)
        return session

    def _session_for(self, bot: RunningBot) -> Session | None:
        """Return a process for a game, or None if the bot has failed to start too often.

        Bots that wait for another machine get a process that plays no other game.
        """
        for session in bot.sessions:
            if not (session.is_own or (bot.waits and session.tables)):
                return session
        return self._start(bot)

    def _forget(self, session: Session) -> None:
        self._thinking.pop(session, None)
        self._held.pop(session.number, None)
        del self.sessions[session.number]
        session.bot.sessions.remove(session)

    def _dismiss(self, session: Session) -> None:
        self._forget(session)
        self._outbox.append(Dismiss(session.number))

    def _tell(self, session: Session, message: Message) -> None:
        """Send a message that needs no answer. A frozen process reads it once it is thawed."""
        if session.is_frozen and not self._thinking:
            self._thaw(session)
        self._outbox.append(Send(session.number, write(message)))

    # -- freezing: a courtesy to bots that plan by the wall clock ------------------------------

    def _think(self, session: Session) -> None:
        """Freeze all processes without a pending request, because this one may compute for long."""
        if self._freezes and session not in self._thinking:
            self._thinking[session] = None
            for other in self.sessions.values():
                if not other.requests:
                    self._freeze(other)

    def _freeze(self, session: Session) -> None:
        if not session.is_frozen:
            session.is_frozen = True
            self._outbox.append(Freeze(session.number))

    def _thaw(self, session: Session) -> None:
        session.is_frozen = False
        self._outbox.append(Thaw(session.number))

    # -- requests ------------------------------------------------------------------------------

    def _request(self, request: BotSeat) -> None:
        """Send a request, or queue it until the process is ready.

        A process that has printed gets one request at a time, so that each line of its log
        belongs to a move.
        """
        session = request.session
        if session.ready is None or session.unsent or (session.requests and session.has_printed):
            session.unsent.append(request)
        else:
            self._send(session, request)

    def _send(self, session: Session, request: BotSeat) -> None:
        messages = request.messages or self._open(session, request)
        if session.is_frozen:
            self._thaw(session)
        try:
            line = messages.line(request.asked)
        except Exception as error:  # of the view
            table = request.table
            raise game_error(table.game, table.answers, error) from error
        requests = session.requests
        requests.append(request)
        request.is_written = False
        self._unwritten.append(request)
        self._outbox.append(Send(session.number, line))
        if len(requests) == 1:
            session.budget.ask(self._now, messages.clock_ms / 1000, self._idle_s)
            self._expect(session)
            if session.bot.is_long:
                self._think(session)

    def _open(self, session: Session, request: BotSeat) -> SeatMessages:
        """Make the messages for a seat's process."""
        table, seat, ready = request.table, request.asked.seat, session.ready
        assert ready, "it is asked when it is ready"
        earlier = table.earlier.get(seat)
        messages = SeatMessages(table.number, ready, self._limits, earlier)
        request.messages = table.messages[seat] = messages
        return messages

    def _send_waiting(self, session: Session) -> None:
        """Send queued requests, up to the number that may be pending now."""
        unsent = session.unsent
        while unsent and not (session.requests and session.has_printed):
            self._send(session, unsent.popleft())

    # -- answers -------------------------------------------------------------------------------

    def _hear(self, event: Line) -> None:
        """Treat a line from a process as the answer to its first pending request."""
        session = self.sessions.get(event.process)
        if session is None:
            return
        line, requests = event.line, session.requests
        request = requests[0] if requests else None
        if request and not request.is_written:  # an answer to it is a guess
            requests, request = deque(), None
        # Nearly all lines are short acts that answer the request. `read_answer` would return these
        # too, by several calls more for each decision.
        try:
            act = decode_act(line) if len(line) <= self._flat_bytes and line.isascii() else None
        except ValueError:
            act = None
        if not (act and request and act.turn == request.asked.turn and act.table == request.number):
            answer = read_answer(line, requests, self._nesting)
            if isinstance(answer, Ready):
                self._welcome(session, answer, event)
                return
            if isinstance(answer, Fault):
                self._outbox.append(Kill(session.number, answer.kind, answer.text, line))
                return
            act = answer
        assert request is not None, "else `ready` was asked for"
        if request.table.is_replaying or act.action in request.asked.legal:
            self._accept(session, request, event, act)
        else:  # the referee will find it too; this is to see the process at this moment
            self._held[session.number] = event, act
            self._outbox.append(AskFacts(session.number))

    def _welcome(self, session: Session, ready: Ready, event: Line) -> None:
        if self._pays(session, event):
            session.ready = session.bot.ready = ready
            session.bot.failed_starts = 0
            self._answered(session)

    def _go_on(self, session: Session, facts: ProcessFacts) -> None:
        """Continue after an illegal answer, once the facts about the process are known."""
        event, act = self._held.pop(session.number)
        request = session.requests[0]
        assert request is not None, "it was answered"
        session.budget.answer(self._now, event.clock_s)
        evidence = session.evidence(facts, event.line, self._now)
        seat = request.asked.seat
        request.table.evidence[seat] = msgspec.structs.replace(evidence, seat=seat)
        self._accept(session, request, event, act)

    def _accept(self, session: Session, request: BotSeat, event: Line, act: Act) -> None:
        if not self._pays(session, event):
            return
        messages, spent_s = request.messages, session.budget.spent_s
        assert messages is not None, "the request was sent"
        if messages.count(spent_s, len(event.line) + 1):
            text = f"sent more than {self._limits.output_kib} KiB in one game"
            self._outbox.append(Kill(session.number, "flood", text, event.line))
            return
        if session.bot.answered(spent_s):
            self._room = None
        if self.on_answer is not None and not request.table.is_replaying:
            self.on_answer(spent_s)
        self._answered(session)
        self._advance(request.table, act)

    def _pays(self, session: Session, event: Line) -> bool:
        """Return whether a process has enough processor time left for its answer."""
        budget = session.budget
        if budget.answer(self._now, event.clock_s) <= budget.limit_s:
            return True
        self._outbox.append(Kill(session.number, "cpu", session.text_of("cpu"), event.line))
        return False

    def _answered(self, session: Session) -> None:
        """Continue with the next request of a process, with a new budget."""
        session.budget.restart()
        session.requests.popleft()
        if session.unsent:
            self._send_waiting(session)
        if session.requests:
            if not session.budget.is_asked:
                session.budget.ask(self._now, session.limit_s, self._idle_s)
                self._expect(session)
        else:
            session.budget.limit_s = session.limit_s
            if self._thinking:
                self._thinking.pop(session, None)
                if self._thinking:
                    self._freeze(session)

    # -- clocks --------------------------------------------------------------------------------

    def _expect(self, session: Session) -> None:
        """Schedule the next reading of clocks for the request just sent."""
        self.deadline = min(self.deadline, self._look_at, session.budget.spent_at(self._now))

    def _tick(self) -> None:
        now, asked = self._now, []
        is_look = now >= self._look_at  # otherwise, a bot could know this moment
        if is_look:
            self._look_at = now + next_interval_s(self._rng)
        self.deadline = self._look_at if self.tables or self.is_waiting else math.inf
        for session in self.sessions.values():
            asked.append((session.number, is_look and session.budget.needs_state(now)))
            is_late = session.requests and now - session.budget.asked_at >= TICK_S
            if is_late and not session.bot.waits:
                self._think(session)
        if asked:
            self._outbox.appendleft(AskUsage(asked))

    def _look(self, session: Session, usage: Usage) -> None:
        budget = session.budget
        budget.look(self._now, usage.clock_s, usage.is_able)
        judgement: Judgement = budget.judge()
        if judgement == "wait":
            self.deadline = min(self.deadline, budget.spent_at(self._now))
        elif judgement != "ok":
            self._outbox.append(Kill(session.number, judgement, session.text_of(judgement)))

    # -- broken processes ----------------------------------------------------------------------

    def _break(self, session: Session, cause: Cause, text: str, evidence: Evidence) -> None:
        """Charge a process that broke, or have its games replayed to a new one."""
        bot = session.bot
        pending = {
            request.number: request for request in (*session.requests, *session.unsent) if request
        }
        was_ready = session.ready is not None
        kind: FaultKind = cast(FaultKind, KINDS.get(cause, cause)) if was_ready else "start"
        bot.charge = charge = Charge(Fault(kind, text), evidence, cause)
        bot.failed_starts += not was_ready
        bot.has_broken, bot.waits = True, False
        self._room = None
        session.requests.clear()
        session.unsent.clear()
        self._forget(session)
        is_certain = self.settings.always_charge or not was_ready or session.games == 1
        is_noted = was_ready
        for table in list(session.tables.values()):
            seat = table.sessions.index(session)
            table.sessions[seat] = None
            is_late = cause == "wall" and was_ready and not self.settings.always_charge
            table.late += is_late
            if is_certain and not (is_late and table.late < MAX_LATE):
                table.seats[seat] = ChargedSeat(charge, table)
                is_noted = False
                if session.is_own and bot.restarts:
                    bot.restarts.pop()  # it breaks again, and is charged now
            else:
                table.seats[seat] = Script(_Replay(self, table))
            request = pending.get(table.number)
            if request and (answer := table.seats[seat].ask(request.asked)):
                self._advance(table, answer)
        if is_noted:
            bot.restarts.append(charge)

    def _interrupt(self, table: Table, asked: Ask) -> None:
        """Interrupt a game before the decision of a bot whose process broke."""
        if table is self._alone:
            self._replay(table, asked)
            return
        self._interrupted += 1
        table.pending = asked
        del self.tables[table.number]
        self._room = None
        self._outbox.append(Interrupted(table))

    def _replay(self, table: Table, asked: Ask) -> None:
        """Replay a game to a new process of the bot being asked."""
        seat = asked.seat
        bot = self._bots[table.game.entrants[seat]]
        session = self._start(bot)
        table.seats[seat] = self._bot_seat(table, bot, session)
        if session is None:
            self._advance(table, table.seats[seat].ask(asked))
            return
        session.is_own = True
        table.sessions[seat] = session
        table.replay(seat)
        self._join(session, table, seat)
        self._advance(table, None)

    # -- games ---------------------------------------------------------------------------------

    def _seat(self, table: Table, name: str) -> Seat:
        player = self._players[name]
        if isinstance(player, Script):
            return player
        bot = self._bots[name]
        table.sessions[-1] = session = self._session_for(bot)
        return self._bot_seat(table, bot, session)

    def _bot_seat(self, table: Table, bot: RunningBot, session: Session | None) -> Seat:
        if session:
            return BotSeat(self._request, session, table)
        assert bot.charge, "a bot that is not started any more has failed to start"
        return ChargedSeat(bot.charge, table)

    def _join(self, session: Session, table: Table, seat: int) -> None:
        """Send the start of a game to a process."""
        game = table.game
        session.games += 1
        session.latest = game
        session.tables[table.number] = table
        variant = table.state.variant
        self._tell(session, start_message(variant, seat, game.seeds[seat], table.number))

    def _advance(self, table: Table, answer: Answer | None) -> None:
        """Give an answer to the referee and ask for the next decision."""
        while True:
            try:
                asked = table.next_ask(answer)
            except StopIteration as stop:
                self._close(table, stop.value)
                return
            except Exception as error:
                raise game_error(table.game, table.answers, error) from error
            if table.is_replaying and (answer := table.answer_before(asked)):
                continue
            answer = table.seats[asked.seat].ask(asked)
            if answer is None:
                return

    def _close(self, table: Table, ending: Ending) -> None:
        del self.tables[table.number]
        self._room = None
        try:
            record = record_of(table.game, table.state, ending)
        except Exception as error:
            raise game_error(table.game, table.answers, error) from error
        faulty = [fault.seat for fault in record.faults if fault.seat in table.evidence]
        evidence = tuple([table.evidence[seat] for seat in faulty])
        may_be_charged = self._interrupted or self._alone not in (None, table)
        restarts = () if may_be_charged else self._restarts_in(table, record)
        seen = Observations(evidence, table.timings, restarts)
        self._outbox.append(Finished(record, seen))
        for seat, session in enumerate(table.sessions):
            if session and session.number in self.sessions:
                session.latest = table.game
                del session.tables[table.number]
                end = End(table.number, record.points, record.ranks, record.faults_of(seat))
                self._tell(session, end)
                if session.is_own:
                    self._keep_or_dismiss(session)
        table.seats.clear()  # they refer to the game, which would wait for the garbage collector
        if table is self._alone:
            self._alone = None

    def _keep_or_dismiss(self, session: Session) -> None:
        """Keep a process started for one game, unless the bot has another process."""
        session.is_own = False
        if len(session.bot.sessions) > 1:
            self._dismiss(session)

    def _restarts_in(self, table: Table, record: GameRecord) -> tuple[Restart, ...]:
        """Return the processes that broke without a fault before a game was over, each once."""
        found = []
        for seat, name in enumerate(record.entrants):
            if name in self._bots:
                own, restarts = table.seats[seat], self._bots[name].restarts
                if isinstance(own, ChargedSeat) and not record.faults_of(seat):
                    restarts.append(own.charge)  # it broke after its last decision
                for charge in restarts:
                    found.append(Restart(seat, charge.fault.text, charge.evidence.stderr))
                restarts.clear()
        return tuple(found)


class _Replay:
    """A stand-in for a bot whose process broke; the game is replayed to a new process."""

    def __init__(self, match: Match, table: Table) -> None:
        self._match, self._table = match, table

    def __call__(self, asked: Ask) -> None:
        self._match._interrupt(self._table, asked)


def read_answer(
    line: bytes, requests: Sequence[BotSeat | None], nesting: int
) -> Act | Ready | Fault:
    """Return the answer to the first pending request, or a fault if the line is not a valid answer.

    Args:
        line: What was received, without the line ending.
        requests: Pending requests, possibly empty. None is a request for `ready`.
        nesting: How deeply lists and objects may be nested.
    """
    try:
        message = read_from_bot(line, nesting)
    except ProtocolError as error:
        return Fault("malformed", f"sent no message of the protocol: {error}")
    request = requests[0] if requests else None
    if requests and request is None:
        return _ready(message)
    if isinstance(message, Ready):
        return Fault("malformed", "sent `ready` again, expected nothing but `act`")
    if request is None or message.table != request.number or message.turn != request.asked.turn:
        return Fault("malformed", "answered something else than it was asked")
    return message


def _ready(message: Act | Ready) -> Ready | Fault:
    if not isinstance(message, Ready):
        return Fault("malformed", "sent `act`, expected `ready`")
    if message.protocol != PROTOCOL:
        text = f"speaks version {message.protocol} of the protocol, expected {PROTOCOL}"
        return Fault("malformed", text)
    return message
