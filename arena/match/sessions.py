"""Manage the bot processes of a match.

While a slow bot computes, all bot processes without a pending request are frozen. Without
freezing, other bots could slow down a bot that limits its computation by wall time.
"""

import math
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from arena.base.errors import ProtocolError
from arena.base.protocol import (
    PROTOCOL,
    Act,
    Fault,
    FaultKind,
    Message,
    Ready,
    decode_act,
    read_from_bot,
    write,
)
from arena.base.record import Entrant, Evidence
from arena.match import events
from arena.match.bot_log import BotLog, OnLog
from arena.match.broken_game import game_error
from arena.match.clock import TICK_S, Judgement, next_interval_s
from arena.match.match_state import (
    KINDS,
    MAX_FAILED_STARTS,
    BotFailure,
    BotSeat,
    Cause,
    RunningBot,
    Session,
)
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Player
from arena.match.settings import MatchSettings

# Arguments: the request, the answer, and its processor time in seconds.
OnAct = Callable[[BotSeat, Act, float], object]
# Arguments: the failed process, its fault, and its pending requests by table number.
OnBroken = Callable[[Session, BotFailure, Mapping[int, BotSeat]], object]


class Sessions:
    def __init__(
        self,
        settings: MatchSettings,
        rng: random.Random,
        on_act: OnAct,
        on_broken: OnBroken,
        on_log: OnLog | None,
    ) -> None:
        self.now = 0.0
        self.deadline = math.inf
        self.commands: deque[events.Command] = deque()
        self.running: dict[int, Session] = {}
        self.bots: dict[str, RunningBot] = {}
        self._limits = settings.limits
        self._idle_s = settings.limits.max_idle_ms / 1000
        self._nesting = settings.limits.nesting
        self._flat_bytes = 2 * self._nesting  # shorter lines can't exceed the nesting limit
        self._freezes = settings.sandbox.level != "none"
        self._may_wait = settings.waiting_games > 0
        self._rng = rng
        self._on_act = on_act
        self._on_broken = on_broken
        self._on_log = on_log
        self._started = 0
        self._thinking: dict[Session, None] = {}  # used as an ordered set
        self._unwritten: list[BotSeat] = []
        self._measure_at = 0.0  # when to check for idle bots

    # -- processes -----------------------------------------------------------------------------

    def set_players(self, players: Mapping[str, Player]) -> None:
        for name, player in players.items():
            known = self.bots.get(name)
            if known and known.entrant != player:
                for session in list(known.sessions):
                    self.dismiss(session)
            if isinstance(player, Entrant) and not (known and known.sessions):
                self.bots[name] = RunningBot(player, self._may_wait)

    def pause_bots(self) -> None:
        for session in list(self.running.values()):
            if session.bot.failure or session.requests:
                self.dismiss(session)
            elif self._freezes:
                self._freeze(session)
        self.deadline = math.inf

    def start_bots(self) -> None:
        for bot in self.bots.values():
            if not bot.sessions:
                self.start(bot)

    def session_for(self, bot: RunningBot) -> Session | None:
        """Return a bot process for a new game, or None if too many attempts to start the bot have
        failed.
        """
        for session in bot.sessions:
            if not (session.is_own or (bot.waits and session.tables)):
                return session
        return self.start(bot)

    def start(self, bot: RunningBot) -> Session | None:
        """Start a bot process, or return None if too many attempts to start the bot have failed."""
        if bot.failed_starts >= MAX_FAILED_STARTS:
            return None
        self._started += 1
        session = Session(self._started, bot, self._limits, self.now)
        self.running[session.number] = session
        bot.sessions.append(session)
        session.log = BotLog(self._on_log) if self._on_log else None
        hello, on_stderr = session.hello, session.read_stderr
        start = events.StartProcess(session.number, bot.entrant, hello, on_stderr)
        self.commands.append(start)
        self._think(session)
        self._expect(session)
        return session

    def dismiss(self, session: Session) -> None:
        self._forget(session)
        self.commands.append(events.Dismiss(session.number))

    def _forget(self, session: Session) -> None:
        self._thinking.pop(session, None)
        del self.running[session.number]
        session.bot.sessions.remove(session)

    def notify(self, session: Session, message: Message) -> None:
        """Send a message that needs no answer."""
        if session.is_frozen and not self._thinking:
            self._thaw(session)
        self.commands.append(events.Send(session.number, write(message)))

    def _think(self, session: Session) -> None:
        if self._freezes and session not in self._thinking:
            self._thinking[session] = None
            for other in self.running.values():
                if not other.requests:
                    self._freeze(other)

    def _freeze(self, session: Session) -> None:
        if not session.is_frozen:
            session.is_frozen = True
            self.commands.append(events.Freeze(session.number))

    def _thaw(self, session: Session) -> None:
        session.is_frozen = False
        self.commands.append(events.Thaw(session.number))

    # -- requests ------------------------------------------------------------------------------

    def request(self, request: BotSeat) -> None:
        """Send a request as soon as the bot process can accept it."""
        session = request.session
        # A bot that writes to stderr gets one request at a time: each line belongs to a move.
        if session.ready is None or session.unsent or (session.requests and session.has_printed):
            session.unsent.append(request)
        else:
            self._send(session, request)

    def _send(self, session: Session, request: BotSeat) -> None:
        messages = request.messages or self._open(session, request)
        if session.is_frozen:
            self._thaw(session)
        try:
            line = messages.line(request.decision)
        except Exception as error:  # raised by the game
            table = request.table
            raise game_error(table.game.title, error) from error
        requests = session.requests
        requests.append(request)
        request.is_written = False
        self._unwritten.append(request)
        self.commands.append(events.Send(session.number, line))
        if len(requests) == 1:
            session.budget.start_request(self.now, messages.clock_ms / 1000, self._idle_s)
            self._expect(session)
            if session.bot.is_long:
                self._think(session)

    def _open(self, session: Session, request: BotSeat) -> SeatMessages:
        table, seat, ready = request.table, request.decision.seat, session.ready
        assert ready, "requests are sent to processes that are ready"
        earlier = table.earlier.get(seat)
        messages = SeatMessages(table.number, ready, self._limits, earlier)
        request.messages = table.messages[seat] = messages
        return messages

    def mark_written(self) -> None:
        for request in self._unwritten:
            request.is_written = True
        self._unwritten.clear()

    # -- answers -------------------------------------------------------------------------------

    def receive(self, event: events.Line) -> None:
        session = self.running.get(event.process)
        if session is None:
            return
        line, requests = event.line, session.requests
        request = requests[0] if requests else None
        if request and not request.is_written:  # the bot answered before it could read the request
            requests, request = deque(), None
        # This is a shortcut for the great majority of lines: short acts that answer the request.
        try:
            act = decode_act(line) if len(line) <= self._flat_bytes and line.isascii() else None
        except ValueError:
            act = None
        if not (
            act and request and act.turn == request.decision.turn and act.table == request.number
        ):
            answer = read_answer(line, requests, self._nesting)
            if isinstance(answer, Ready):
                if self._pays(session, event):
                    session.ready = session.bot.ready = answer
                    session.bot.failed_starts = 0
                    self._end_request(session)
                return
            if isinstance(answer, Fault):
                self.commands.append(events.Kill(session.number, answer.kind, answer.text, line))
                return
            act = answer
        assert request is not None, "otherwise the answer is `ready` or a fault"
        self._accept(session, request, event, act)

    def _accept(self, session: Session, request: BotSeat, event: events.Line, act: Act) -> None:
        if not self._pays(session, event):
            return
        table, decision = request.table, request.decision
        if not (table.is_replaying or act.action in decision.legal):  # a fault in this game only
            table.evidence[decision.seat] = session.evidence(session.facts, event.line, self.now)
        messages, spent_s = request.messages, session.budget.spent_s
        assert messages is not None, "the request was sent"
        if messages.count(spent_s, len(event.line) + 1):
            text = f"sent more than {self._limits.output_kib} KiB in one game"
            self.commands.append(events.Kill(session.number, "flood", text, event.line))
            return
        self._end_request(session)
        self._on_act(request, act, spent_s)

    def _pays(self, session: Session, event: events.Line) -> bool:
        budget = session.budget
        if budget.answer(self.now, event.clock_s) <= budget.limit_s:
            return True
        text = session.text_of("cpu")
        self.commands.append(events.Kill(session.number, "cpu", text, event.line))
        return False

    def _end_request(self, session: Session) -> None:
        session.budget.restart()
        session.requests.popleft()
        while session.unsent and not (session.requests and session.has_printed):
            self._send(session, session.unsent.popleft())
        if session.requests:
            if not session.budget.has_request:
                session.budget.start_request(self.now, session.limit_s, self._idle_s)
                self._expect(session)
        else:
            session.budget.limit_s = session.limit_s
            if self._thinking:
                self._thinking.pop(session, None)
                if self._thinking:
                    self._freeze(session)

    # -- what the driver reports ---------------------------------------------------------------

    def observe(self, event: events.Observed) -> None:
        session = self.running.get(event.process)
        if session is None:  # it has just been killed
            return
        match event:
            case events.Usage(_, clock_s, is_able):
                session.budget.measure(self.now, clock_s, is_able)
                self._judge(session)
            case events.Started(_, error, is_exact, cores):
                session.budget.is_exact, session.budget.cores = is_exact, cores
                if error:
                    self._break(session, "start", error, Evidence(0))
            case events.Exited(_, cause, text, came, clock_s, facts):
                session.budget.answer(self.now, clock_s)
                self._break(session, cause, text, session.evidence(facts, came, self.now))

    def _expect(self, session: Session) -> None:
        self.deadline = min(self.deadline, self._measure_at, session.budget.spent_at(self.now))

    def tick(self) -> None:
        """Request a measurement of every bot's processor time."""
        now, processes, is_playing = self.now, [], False
        is_due = now >= self._measure_at  # otherwise, a bot could predict this moment
        if is_due:
            self._measure_at = now + next_interval_s(self._rng)
        for session in self.running.values():
            processes.append((session.number, is_due and session.budget.needs_state(now)))
            is_playing = is_playing or bool(session.requests or session.tables)
            is_late = session.requests and now - session.budget.requested_at >= TICK_S
            if is_late and not session.bot.waits:
                self._think(session)
        self.deadline = self._measure_at if is_playing else math.inf
        if processes:
            self.commands.appendleft(events.MeasureUsage(processes))

    def _judge(self, session: Session) -> None:
        budget = session.budget
        judgement: Judgement = budget.judge()
        if judgement == "wait":
            self.deadline = min(self.deadline, budget.spent_at(self.now))
        elif judgement != "ok":
            text = session.text_of(judgement)
            self.commands.append(events.Kill(session.number, judgement, text))

    def _break(self, session: Session, cause: Cause, text: str, evidence: Evidence) -> None:
        bot = session.bot
        unanswered = (*session.requests, *session.unsent)
        pending = {request.number: request for request in unanswered if request}
        was_ready = session.ready is not None
        kind: FaultKind = cast(FaultKind, KINDS.get(cause, cause)) if was_ready else "start"
        bot.failure = failure = BotFailure(Fault(kind, text), evidence, cause)
        bot.failed_starts += not was_ready
        bot.has_broken, bot.waits = True, False
        session.requests.clear()
        session.unsent.clear()
        self._forget(session)
        self._on_broken(session, failure, pending)


# -- answers ------------------------------------------------------------------------------------


def read_answer(
    line: bytes, requests: Sequence[BotSeat | None], nesting: int
) -> Act | Ready | Fault:
    """Parse a line from a bot as the answer to its oldest pending request. Return a fault if the
    line is invalid.

    The line must not end with a line feed.
    """
    try:
        message = read_from_bot(line, nesting)
    except ProtocolError as error:
        return Fault("malformed", f"sent an invalid line: {error}")
    if requests and requests[0] is None:  # the request for a `ready` message
        if not isinstance(message, Ready):
            return Fault("malformed", "sent `act`, expected `ready`")
        if message.protocol != PROTOCOL:
            text = f"speaks version {message.protocol} of the protocol, expected {PROTOCOL}"
            return Fault("malformed", text)
        return message
    if isinstance(message, Ready):
        return Fault("malformed", "sent `ready` again, expected only `act`")
    request = requests[0] if requests else None
    if request is None or message.table != request.number or message.turn != request.decision.turn:
        # All of them get the same text, because timing decides which one is seen first.
        return Fault("malformed", "answered the wrong table or turn, or without being asked")
    return message
