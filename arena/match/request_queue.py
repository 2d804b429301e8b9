"""The requests to bots: when each is sent, when its clock runs, and when it is too late.

A process answers in order. So its clock runs for the first of its unanswered requests only, from
the moment at which the bot could begin to think on it: the one before is answered, and this one is
written.

Bots share a core. So a bot that is not known to be quick is asked while no other bot computes, and
until it has answered no bot is asked. The time after which a bot is held to think grows with the
number of bots that are asked at the same time, since it may have waited for them. A bot that waits
for another machine is asked like a quick one, and a thinking bot does not have to wait for it.
While a bot thinks, those that are not asked are frozen (`Freezer`).
"""

import math
from collections import deque
from collections.abc import Iterator

from arena.base.protocol import Message, write
from arena.match.broken_game import game_error
from arena.match.charging import (
    BANK_SHARE,
    HostStalls,
    ShareRuling,
    judge_share,
    time_to_grant_ms,
)
from arena.match.commands import Command, Freeze, Kill, Measure, Send, Thaw, TooLate
from arena.match.match_state import Conversation, ProcessSeat, RunningBot
from arena.match.seat_messages import SeatMessages
from arena.match.settings import MatchSettings

BEAT_S = 0.05
"""The longest time that the referee sleeps while an answer is pending, so that it sees stalls."""


class Freezer:
    """Decides which processes are frozen. It is pure: it writes commands."""

    def __init__(self, outbox: deque[Command], is_on: bool) -> None:
        """Make a freezer without processes; one that is not on never freezes any."""
        self._outbox = outbox
        self.is_on = is_on
        """Whether processes are frozen at all."""
        self.running: dict[Conversation, None] = {}
        """All processes, in the order of their starts."""
        self.thinking: dict[Conversation, None] = {}
        """The processes that are asked and may compute for long."""

    def add(self, process: Conversation) -> None:
        """Add a process, which starts."""
        self.running[process] = None
        self.think(process)

    def remove(self, process: Conversation) -> None:
        """Forget a process that has ended."""
        self.running.pop(process, None)
        self.thinking.pop(process, None)

    def think(self, process: Conversation) -> None:
        """Freeze all others that are not asked, since this one may compute for long."""
        if self.is_on:
            self.thinking[process] = None
            for other in self.running:
                if other is not process:
                    self._freeze(other)

    def freeze_all(self) -> None:
        """Freeze all processes, since no game is under way."""
        if self.is_on:
            for process in self.running:
                self._freeze(process)

    def rest(self, process: Conversation) -> None:
        """Note that a process has answered all requests; freeze it if another one thinks."""
        if self.thinking:
            self.thinking.pop(process, None)
            if self.thinking:
                self._freeze(process)

    def _freeze(self, process: Conversation) -> None:
        if not process.requests and not process.has_stopped:
            process.is_frozen = process.has_stopped = True
            self._outbox.append(Freeze(process.number))

    def thaw(self, process: Conversation) -> None:
        """Let a process run again, which is sent something. If a part of it was not seen to stop,
        it is measured before.
        """
        if process.is_frozen:
            if process.thaw():
                self._outbox.append(Measure(process.number))
            self._outbox.append(Thaw(process.number))

    def frozen(self) -> Iterator[Conversation]:
        """Yield the processes that are frozen."""
        return (process for process in self.running if process.is_frozen)


class RequestQueue:
    """The requests of all processes. It is pure: it writes commands and is told the time."""

    def __init__(self, settings: MatchSettings, outbox: deque[Command]) -> None:
        self.stalls = HostStalls()
        self._limits = settings.limits
        share = settings.excused_share
        # A bank is for what a bot uses itself, so less is excused.
        self._excused_share = min(share, BANK_SHARE) if settings.limits.bank_ms else share
        self._adapts = settings.tables is None
        self.outbox = outbox
        self._unsent: deque[ProcessSeat] = deque()
        self.add = self._unsent.append
        """Has a request sent after those that were added before."""
        self._just_sent: list[Conversation] = []  # their clocks start when that is written
        self.freezer = Freezer(outbox, is_on=settings.sandbox.level != "none")
        """Which bots are frozen. Without a sandbox, none is."""
        self._is_thinking = False  # a bot is; then no bot is asked until all others have answered
        self._sharing = 0  # processes that had to answer, and computed, when requests were written

    @property
    def unanswered(self) -> bool:
        """Whether a process has to answer."""
        return any(process.requests for process in self.freezer.running)

    @property
    def _is_computing(self) -> bool:
        """Whether a process has to answer that does not wait for another machine."""
        for process in self.freezer.running:  # not `any`, which takes a call for each
            if process.requests and not (process.waits and process.requests[0]):
                return True
        return False

    def must_be_alone(self, bot: RunningBot) -> bool:
        """Return whether a bot has to have the core to itself."""
        return self._adapts and not bot.is_quick and not bot.waits

    def send(self) -> dict[int, bytes]:
        """Send the requests in order, up to the first that has to wait for another bot.

        Return their lines by the number of the process. They follow what is in the outbox: requests
        are most of what is sent, so they are no commands. A bot that prints is asked one question
        at a time, so that each line belongs to a move.
        """
        lines: dict[int, bytes] = {}
        unsent = self._unsent
        while unsent and not self._is_thinking:
            request = unsent[0]
            process = request.process
            pending = process.requests
            messages = request.messages or self._open(request)
            if messages is None or (pending and process.has_printed):
                break
            if self._adapts and not process.waits and self.must_be_alone(process.bot):
                if self._is_computing:
                    break
                self._is_thinking = True
            if process.is_frozen:
                self.freezer.thaw(process)
            try:
                line = messages.line(request.asked)
            except Exception as error:  # of the view
                game = request.game
                raise game_error(game.game, game.answers, error) from error
            number = process.number
            if pending and number in lines:
                lines[number] += line
            else:
                lines[number] = line
                if not pending:
                    self._just_sent.append(process)
            pending.append(request)
            unsent.popleft()
        return lines

    def _open(self, request: ProcessSeat) -> SeatMessages | None:
        """Make the messages to the process of a seat, or return None if it is not ready yet."""
        game, seat, ready = request.game, request.asked.seat, request.process.ready
        if ready is None:
            return None
        earlier = game.earlier.get(seat)
        messages = SeatMessages(game.table, ready.detail, self._limits, earlier, ready.worlds)
        request.messages = game.messages[seat] = messages
        return messages

    def tell(self, process: Conversation, message: Message) -> None:
        """Send a message that asks for nothing. While a bot thinks, a frozen one hears it later."""
        if not self.freezer.thinking:
            self.freezer.thaw(process)
        self.outbox.append(Send(process.number, write(message)))

    def greeted(self, process: Conversation) -> None:
        """Note that a process was sent its first message, which asks for `ready`."""
        self.freezer.add(process)
        process.requests.append(None)
        self._just_sent.append(process)

    def answered(self, process: Conversation, now: float) -> float:
        """Go on to the next request of a process, whose clock starts now.

        Return the time that it took for the answer.
        """
        taken_s = now - process.asked_at
        process.answered_s += taken_s
        requests = process.requests
        requests.popleft()
        if requests:
            if process.start_clock(now, self.stalls.total_s, self._sharing):
                self._look_in_time(process)
        else:
            process.clock_runs = False
            if self.freezer.thinking:
                self.freezer.rest(process)
        if self._is_thinking and not self._is_computing:
            self._is_thinking = False
        return taken_s

    def forget(self, process: Conversation) -> list[ProcessSeat]:
        """Forget the requests of a process that has broken, and return those of its games."""
        requests = [request for request in process.requests if request]
        process.requests.clear()
        self._just_sent = [sent for sent in self._just_sent if sent is not process]
        self._is_thinking = self._is_thinking and self._is_computing
        unsent = list(self._unsent)
        self._unsent.clear()
        self._unsent.extend([request for request in unsent if request.process is not process])
        return requests + [request for request in unsent if request.process is process]

    # -- time ---------------------------------------------------------------------------------

    def sent(self, now: float) -> None:
        """Start the clocks of the processes whose first request has just been written."""
        stalled_s, sharing = self.stalls.total_s, 0
        for process in self.freezer.running:
            sharing += bool(process.requests) and not process.waits
        self._sharing = sharing
        for process in self._just_sent:
            if process.start_clock(now, stalled_s, sharing):
                self._look_in_time(process)
        self._just_sent.clear()

    def _look_in_time(self, process: Conversation) -> None:
        """Look at a process, whose clock has started, when it may think or is too late."""
        look_at = min(process.asked_at + process.thinks_after_s, process.deadline)
        process.look_at = min(process.look_at, look_at)

    @property
    def next_look(self) -> float:
        """The time of the next look at a process, or earlier; infinite if none is asked."""
        earliest = math.inf
        for process in self.freezer.running:  # not `min`, which takes a call for each
            if process.look_at < earliest:
                earliest = process.look_at
        return earliest

    def due(self, now: float) -> list[Conversation]:
        """Return the processes to `look` at now."""
        return [process for process in self.freezer.running if process.look_at <= now]

    def look(self, process: Conversation, came: bytes, now: float) -> None:
        """Measure a process that is too late, else note that it still thinks.

        `came` is the part of its answer that has come. The driver reads before, since the answer
        may have come while it was busy.
        """
        process.look_at = math.inf
        if not process.requests:
            return
        if process.deadline <= now:
            for measured in (*self.freezer.frozen(), process):  # did it have a fair share?
                self.outbox.append(Measure(measured.number))
            self.outbox.append(TooLate(process.number, came))
            return
        if process.next_look <= now:
            if not process.waits:
                self._is_thinking |= self._adapts
                self.freezer.think(process)
            if process.look():
                self.outbox.append(Measure(process.number))
        process.look_at = process.next_look

    def too_late(self, process: Conversation, came: bytes) -> None:
        """Kill a process whose time is over, or give it the time that others took from it."""
        share = process.time_share(self.stalls.total_s)
        if granted_ms := time_to_grant_ms(share, process.answer_ms):
            process.grant(granted_ms, share)
            process.look_at = process.next_look
        else:
            self.outbox.append(Kill(process.number, "timeout", process.timeout_text, came))

    def share_of(self, process: Conversation) -> ShareRuling:
        """Return whether a process had a fair share of the time of its first request."""
        if not process.requests:
            return "fair"
        return judge_share(process.time_share(self.stalls.total_s), self._excused_share)

    def take_time(self, process: Conversation) -> None:
        """Note that a process has used too much, which the others that think may have lost."""
        for other in self.freezer.thinking:
            if other is not process:
                other.lose_time()
