"""Create the requests that a bot receives in one game."""

from typing import Any

import msgspec

from arena.base.protocol import Limits, Ready, Turn, encode, read_turn
from arena.base.record import QUICK_MS, Timing
from arena.match.seats import Decision

NO_VIEW = msgspec.Raw(b"null")


class SeatMessages:
    def __init__(
        self,
        table: int,
        ready: Ready,
        limits: Limits,
        earlier: "SeatMessages | None" = None,  # to the process that was replaced
    ) -> None:
        self._table = table
        self._earlier = earlier
        self._has_worlds, self._has_tensors = ready.worlds, ready.tensor
        self._has_views = ready.detail != "none"
        self._move_ms = limits.move_ms
        self._increment_ms = limits.increment_ms
        self._bank_ms: float | None = limits.bank_ms or None
        self._output_bytes = limits.output_kib * 1024  # left to send
        self._spent_s: list[float] = []  # by answer
        self._is_simple = earlier is None and not limits.bank_ms  # to count
        self._last = b""
        self.clock_ms = limits.move_ms
        self._set_clock()

    def _set_clock(self) -> None:
        if self._bank_ms is not None:
            self.clock_ms = min(self._move_ms, max(0, int(self._bank_ms)))

    @property
    def latest_request(self) -> str:
        """The latest request as text, or an empty string before the first request."""
        return self._last[:-1].decode()

    def count(self, spent_s: float, sent_bytes: int) -> bool:
        """Record an answer. Return whether the bot has exceeded its output limit for the game."""
        self._spent_s.append(spent_s)
        self._output_bytes -= sent_bytes
        if not self._is_simple:
            if self._bank_ms is not None:
                self._bank_ms += self._increment_ms - spent_s * 1000
                self._set_clock()
            if self._earlier is not None and self._answers == self._earlier._answers:
                self._use_no_less_than(self._earlier)
        return self._output_bytes < 0

    @property
    def _answers(self) -> int:
        return len(self._spent_s)

    def _use_no_less_than(self, earlier: "SeatMessages") -> None:
        self._output_bytes = min(self._output_bytes, earlier._output_bytes)
        if self._bank_ms is not None and earlier._bank_ms is not None:
            self._bank_ms = min(self._bank_ms, earlier._bank_ms)
            self._set_clock()

    @property
    def longest(self) -> "SeatMessages":
        earlier = self._earlier  # the replaced process may have answered more requests
        return earlier if earlier and earlier._answers > self._answers else self

    @property
    def timing(self) -> Timing:
        total_s, worst_s = sum(self._spent_s), max(self._spent_s, default=0.0)
        is_quick = worst_s * 1000 < QUICK_MS
        each_ms = () if is_quick else tuple([round(spent_s * 1000) for spent_s in self._spent_s])
        return Timing(self._answers, round(total_s * 1e6), round(worst_s * 1e6), each_ms)

    def turn(self, decision: Decision) -> Turn:
        return read_turn(self.line(decision))

    def line(self, decision: Decision) -> bytes:
        """Encode a request as a line of JSON. Call this once per decision, in order."""
        # All parts are encoded together, which is faster than encoding each part first.
        events: Any = decision.events
        view: Any = decision.view if self._has_views else NO_VIEW
        world: Any = msgspec.UNSET
        tensor: Any = msgspec.UNSET
        if self._has_worlds and decision.state.variant.has_worlds:
            world = msgspec.Raw(decision.world)
        if self._has_tensors:
            tensor = decision.tensor
        turn = Turn(
            self._table,
            decision.turn,
            view,
            events,
            decision.legal,
            self.clock_ms,
            world,
            tensor,
        )
        self._last = line = encode(turn) + b"\n"
        return line
