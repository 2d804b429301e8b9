"""The dispatcher of a match: it is told what happened, and says what to do.

It decides which bot is asked, to which bot a game is replayed and which is charged, without I/O and
without a clock. `games_under_way` decides which games begin, and seats their bots. A driver carries
out the commands in `outbox` after each call, and reports what came of them. Processes are known by
number.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.base.errors import ProtocolError
from arena.base.protocol import PROTOCOL, Act, Fault, Ready, decode_act, read_from_bot
from arena.base.record import Evidence
from arena.match.charging import Cause, Charge, Facts, Reading, Ruling, judge
from arena.match.commands import Breakage, Command, Inspect, Kill, Measure, ProcessFacts
from arena.match.games_under_way import GamesUnderWay
from arena.match.match_state import (
    ChargedSeat,
    Conversation,
    GameInProgress,
    ProcessSeat,
    RefereeOf,
)
from arena.match.request_queue import RequestQueue
from arena.match.seat_messages import FREE_S
from arena.match.seats import Player, Script
from arena.match.settings import MatchSettings


def read_answer(
    line: bytes, requests: Sequence[ProcessSeat | None], nesting: int
) -> Act | Ready | Fault:
    """Return the answer to the first of the pending `requests`, or the fault that the line is.

    Args:
        line: what came, without its end.
        requests: the pending requests, of which None asks for `ready`; there may be none.
        nesting: how deep lists and objects may be nested.
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
    if request is None or message.table != request.game.table or message.turn != request.asked.turn:
        return Fault("malformed", "answered something else than it was asked")
    return message


def _ready(message: Act | Ready) -> Ready | Fault:
    if not isinstance(message, Ready):
        return Fault("malformed", "sent `act`, expected `ready`")
    if message.protocol != PROTOCOL:
        text = f"speaks version {message.protocol} of the protocol, expected {PROTOCOL}"
        return Fault("malformed", text)
    return message


class Dispatcher:
    """The games and bots of a match."""

    def __init__(
        self,
        players: Mapping[str, Player],
        settings: MatchSettings,
        referees: Mapping[str, RefereeOf] | None = None,
    ) -> None:
        """Make a dispatcher without processes, which start when they are needed.

        Args:
            players: those that sit in the games, by name.
            settings: how the games are played.
            referees: by key, the games that have another referee than the usual one.
        """
        self.settings = settings
        self.outbox: deque[Command] = deque()
        self.requests = RequestQueue(settings, self.outbox)
        """The part that is told the time."""
        self.games = GamesUnderWay(players, settings, self.requests, referees or {})
        self.bots = self.games.bots
        self._nesting = settings.limits.nesting
        self._flat_bytes = 2 * self._nesting  # a line up to this cannot be nested deeper
        self._running = self.bots.running
        self.on_answer: Callable[[float], object] | None = None
        """Called with the time that a bot took for an answer."""

    def enter(self, players: Mapping[str, Player]) -> list[int]:
        """Take the players of the next games. Return the processes that have to leave."""
        leaving = self.games.enter(players)
        if self.requests.freezer.is_on:  # did they compute while they were frozen?
            self.outbox.extend([Measure(number) for number in self.bots.running])
        return leaving

    # -- answers ------------------------------------------------------------------------------

    def heard(self, number: int, line: bytes, now: float) -> None:
        """Take a line of a process as the answer to its first pending request."""
        process = self._running[number]
        requests = process.requests
        request = requests[0] if requests else None
        # Nearly all lines are short acts that answer the request. `read_answer` would return these
        # too, by several calls more for each decision.
        try:
            act = decode_act(line) if len(line) <= self._flat_bytes and line.isascii() else None
        except ValueError:
            act = None
        if not (act and request and act.turn == request.asked.turn and act.table == request.table):
            answer = read_answer(line, requests, self._nesting)
            if not isinstance(answer, Act):
                self._heard_no_act(process, answer, line, now)
                return
            assert request is not None, "else `ready` was asked for"
            act = answer
        if (
            process.account.is_sampled
            or (process.has_bank and now - process.asked_at > FREE_S)
            or not (act.action in request.asked.legal or request.game.is_replaying)
        ):  # the referee will find an illegal one too; this is to see the process at this moment
            self.outbox.append(Inspect(number, act, line, now))
        else:
            taken_s = now - process.asked_at - process.lost.granted_s
            self._accept(process, request, Inspect(number, act, line, now), taken_s)

    def _heard_no_act(
        self, process: Conversation, said: Ready | Fault, line: bytes, now: float
    ) -> None:
        if isinstance(said, Ready):
            process.ready = process.bot.ready = said
            process.bot.failed_starts = 0
            self.requests.answered(process, now)
        else:
            self.outbox.append(Kill(process.number, said.kind, said.text, line))

    def inspected(
        self, given: Inspect, facts: ProcessFacts, reading: Reading | None = None
    ) -> None:
        """Go on with an act, of which this was seen."""
        process = self.bots.running[given.process]
        request = process.requests[0]
        assert request is not None, "it was answered by the act"
        excess = process.account.excess_of_answer(facts.cpu_ms)
        if reading:
            excess = process.measure(reading) or excess
        if excess:
            self.outbox.append(Kill(process.number, "burned", excess, given.line))
            return
        is_legal = given.act.action in request.asked.legal
        if not (is_legal or request.game.is_replaying):
            seat = request.asked.seat
            evidence = process.evidence(facts, given.line, given.now)
            request.game.evidence[seat] = msgspec.structs.replace(evidence, seat=seat)
        stalls = self.requests.stalls
        charged_s = process.charged_s(given.now, stalls.total_s + stalls.busy_s)
        self._accept(process, request, given, charged_s)

    def _accept(
        self, process: Conversation, request: ProcessSeat, given: Inspect, charged_s: float
    ) -> None:
        messages, thinks_after_s = request.messages, process.thinks_after_s
        assert messages is not None, "the request was sent"
        if messages.count(charged_s, len(given.line) + 1):
            text = f"sent more than {self.settings.limits.output_kib} KiB in one game"
            self.outbox.append(Kill(process.number, "flood", text, given.line))
            return
        taken_s = self.requests.answered(process, given.now)
        if taken_s > thinks_after_s or not process.bot.is_quick:
            process.bot.answered(at_once=taken_s <= thinks_after_s)
        if self.on_answer is not None and not request.game.is_replaying:
            self.on_answer(taken_s)
        self.games.advance(request.game, given.act)

    # -- broken processes ----------------------------------------------------------------------

    def not_started(self, number: int, text: str) -> None:
        """Charge a bot whose process cannot be started; `text` says why."""
        self._judge(self.bots.running[number], "start", text, Evidence(0))

    def broke(self, number: int, broken: Breakage, now: float) -> None:
        """Judge a process that has broken and was killed."""
        process = self.bots.running[number]
        evidence = process.evidence(broken.facts, broken.came, now)
        self._judge(process, broken.cause, broken.text, evidence)

    def _judge(self, process: Conversation, cause: Cause, text: str, evidence: Evidence) -> None:
        bot = process.bot
        share = self.requests.share_of(process)
        games = [game for game in self.games.by_table.values() if process in game.processes]
        requests = self.requests.forget(process)
        verdict = judge(
            Facts(
                cause=cause,
                was_ready=process.ready is not None,
                share=share,
                is_only_game=process.games == 1,
                always_charge=self.settings.always_charge,
                stall_replays=[game.stalls for game in games],
            )
        )
        bot.charge = Charge(Fault(verdict.kind, text), evidence, cause)
        bot.failed_starts += verdict.is_failed_start
        self.bots.remove(process)
        bot.has_broken()
        if "charge" in verdict.rulings:
            if process.is_own and bot.restarts:
                bot.restarts.pop()  # it breaks again, and is charged now
        elif process.ready and "stalled" not in verdict.rulings:
            bot.restarts.append(bot.charge)
        for game, ruling in zip(games, verdict.rulings, strict=True):
            self._execute(ruling, game, process, game.request_among(requests))

    def _execute(
        self,
        ruling: Ruling,
        game: GameInProgress,
        process: Conversation,
        request: ProcessSeat | None,
    ) -> None:
        """Execute the ruling on a game, in which `request` is the pending decision of the bot."""
        bot = process.bot
        assert bot.charge
        seat = game.processes.index(process)
        if ruling == "charge":
            game.seats[seat] = ChargedSeat(bot.charge, game)
        else:
            game.stalls += ruling == "stalled"
            game.seats[seat] = Script(lambda asked: self.games.replay(game, asked))
        game.processes[seat] = None
        if request:
            answer = game.seats[seat].ask(request.asked)
            if answer:
                self.games.advance(game, answer)

    # -- processor time -----------------------------------------------------------------------

    def measured(self, number: int, reading: Reading) -> None:
        """Note what a process has used by now, and end it if that is too much."""
        process = self.bots.running[number]
        self._charge_excess(process, process.measure(reading))

    def _charge_excess(self, process: Conversation, excess: str | None) -> None:
        if excess:
            self.requests.take_time(process)
            self.outbox.append(Kill(process.number, "burned", excess))

    def too_late(self, number: int, came: bytes) -> None:
        """Decide on a process whose time is over, which was measured; `came` is what it sent."""
        self.requests.too_late(self.bots.running[number], came)

    def froze(self, number: int, reading: Reading, has_stopped: bool) -> None:
        """Note what a process had used when it was frozen, and whether all of it has stopped."""
        process = self.bots.running[number]
        self._charge_excess(process, process.freeze(reading, has_stopped))
