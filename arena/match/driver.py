"""A driver for bot processes: many games at a time over one set of processes.

Every process is asked and answers in order, so its clock runs for the first of its unanswered
requests only, from the moment that the bot could begin to think on it: the one before is answered
and this one is written.

Bots share a core. So the number of games under way adapts to them: many while all answer at once,
which spares most of the waking up, and one when somebody thinks. A bot that is not known to be
quick is asked when nobody else is, and until it has answered nobody else is asked.

When a process breaks while several of its games are under way, it is not certain which of them
broke it. So all of them are void, to be played again elsewhere (`arena.match.retries`), and from
then on the bot has one game at a time here. It is certain where a process breaks in its first game,
or in its only one after it has answered there, or before it is ready.

A time-out counts as any other way to break: a bot that has not answered soon has its core for
itself. Where the host stalled meanwhile, which the referee sees by its own delays, it does not
count: the games are void, and the bot is not to blame.
"""

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from arena.contracts import SandboxSettings
from arena.match.answers import read_answer
from arena.match.deadlines import Clocks
from arena.match.host_stalls import BEAT_S, Stalls
from arena.match.in_progress import Cause, Charge, Referee, Request, Table, TableBot
from arena.match.referee import Ask, Ending, Reply, record_of, referee
from arena.match.seat_messages import Turns
from arena.process.bot_process import BYE_GRACE_S, dismiss
from arena.process.pipes import MOST_WAIT_S, Pipes, Stopped
from arena.process.usage import Usage
from arena.protocol import (
    Act,
    Bye,
    End,
    Fault,
    Limits,
    Ready,
    Start,
    write,
)
from arena.record import Entrant, Evidence, Game, GameRecord, Seen

__all__ = ["MOST_STALLS", "TABLES", "Room", "Stopped", "Void"]

TABLES = 16
"""Games under way at a time, while bots answer at once."""
MOST_STALLS = 2
"""So often a game is void because the host stalled; then it counts, whatever the host does."""

WATCH_S = 0.1
"""How often it is looked whether bots keep within their bounds."""


class Void(NamedTuple):
    """A game that has to be played again alone."""

    game: Game
    suspect: str = ""
    """The entrant that is charged if it has no fault when it plays alone, or nobody."""
    charge: Charge | None = None


class Room:
    """The tables and bots of one driver. Use it as a context: at its end all bots are gone."""

    def __init__(
        self,
        entrants: Mapping[str, Entrant],
        limits: Limits,
        tables: int | None = None,
        *,
        charge: bool = False,
        charges: Mapping[tuple[str, str], Charge] | None = None,
        withdrawn: Mapping[str, str] | None = None,
        fresh: Collection[str] = (),
        stalls: Counter[str] | None = None,
        orders: int | None = None,
        people: Mapping[str, Callable[[Ask], Reply]] | None = None,
        sandbox: SandboxSettings | None = None,
        referees: Mapping[str, Referee] | None = None,
        answered: Callable[[str, float], object] | None = None,
    ) -> None:
        """Make a room without processes; they start when they are needed.

        Args:
            entrants: those that may sit at a table, by name.
            limits: what each bot may use.
            tables: games under way at a time; None adapts it to the bots.
            charge: whether a broken process is its bot's fault in any case; else its games are
                void where it is not certain which of them broke it.
            charges: what an entrant, by game and name, is charged with instead of playing.
            withdrawn: entrants that play no more, each with the reason.
            fresh: entrants that get a new process for each game.
            stalls: how often each game was void because the host stalled; this room adds to it.
            orders: a file descriptor that becomes readable when the games are no longer wanted.
            people: those who sit here without a process, by name; they are asked by a call, which
                has all the time it takes.
            walls: those round the bots; None stands for none.
            referees: by the game's key, who referees it if not the usual one.
            answered: called for each answer with who gave it and how many seconds that took.
        """
        self.void: list[Void] = []
        self._limits = limits
        self._sandbox = sandbox
        self._watch_at = 0.0 if sandbox and sandbox.level != "none" else math.inf
        self._tables = tables or TABLES
        self._adapts = tables is None
        self._charge = charge
        self._charges = charges or {}
        self._withdrawn = {
            name: Fault("withdrawn", reason) for name, reason in (withdrawn or {}).items()
        }
        self._fresh = fresh
        self._people = dict(people or {})
        self._referees = referees or {}
        self._when_answered = answered
        self.broke: set[str] = set()
        self.stalls: Counter[str] = Counter() if stalls is None else stalls
        self._bots = {name: TableBot(entrant, limits) for name, entrant in entrants.items()}
        self._open: dict[int, Table] = {}
        self._opened = 0
        self._finished: list[tuple[GameRecord, Seen]] = []
        self._host = Stalls()
        self._pipes = Pipes(orders)
        self._clocks: Clocks[TableBot] = Clocks()
        self._waiting: deque[tuple[TableBot, Request]] = deque()  # to be asked, in order
        self._just_asked: list[TableBot] = []  # their clocks begin when that is sent
        self._unanswered = 0  # requests of all bots
        self._is_thinking = False  # somebody is: then nobody is asked until all have answered

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
            name: bot.ready or (bot.charge.fault if bot.charge else Fault("start", "did not start"))
            for name, bot in self._bots.items()
        }

    def charge_of(self, name: str) -> Charge | None:
        """Return what the last process of an entrant that broke did wrong."""
        return self._bots[name].charge

    def usage_of(self, name: str) -> Usage | None:
        """Return what an entrant's process has used; None without one, or if nobody can say."""
        process = self._bots[name].process
        return process.usage() if process else None

    def part_with(self, name: str, grace_s: float) -> Charge | None:
        """Let an entrant leave that has no game; return its charge if it did not within so long."""
        bot = self._bots[name]
        process = bot.process
        used = self.usage_of(name)
        if process is None or self._dismiss(bot, grace_s):
            return None
        text = f"still ran {grace_s:g} s after `bye`"
        evidence = Evidence(
            seat=0,
            asked=write(Bye())[:-1].decode(),
            stderr=process.last_words,
            wall_ms=int(grace_s * 1000),
            memory_kib=used.memory_kib if used else None,
        )
        return Charge(Fault("stays", text), evidence, "stays")

    def play(self, games: Iterable[Game]) -> Iterator[tuple[GameRecord, Seen]]:
        """Yield each game when it is over; those left out are in `void`, who broke in `broke`.

        Raises:
            Stopped: the games are no longer wanted.
        """
        waiting = iter(games)
        more = True
        while more or self._open:
            while more and self._has_free_table():
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

    def _has_free_table(self) -> bool:
        if len(self._open) >= self._tables:
            return False
        sitting = {name for table in self._open.values() for name in table.game.entrants}
        bots = [self._bots[name] for name in sitting if name in self._bots]
        return not any(map(self._has_to_be_alone, bots))

    def _has_to_be_alone(self, bot: TableBot) -> bool:
        return self._adapts and not bot.is_quick

    def _open_table(self, game: Game) -> None:
        self._opened += 1
        table = Table(self._opened, game, self._referees.get(game.key, referee))
        self._open[table.number] = table
        for seat, name in enumerate(game.entrants):
            if name in self._people:
                table.processes.append(None)
                continue
            bot = self._bots[name]
            charge = self._charges.get((game.key, name))
            if name in self._withdrawn:
                table.broken[name] = self._withdrawn[name]
            elif charge or not self._ensure_process(bot):
                charge = charge or bot.charge
                assert charge is not None, "who has no process has broken"
                self._blame(table, seat, charge)
            table.processes.append(None if name in table.broken else bot.process)
        variant = table.state.variant
        for seat, name in enumerate(game.entrants):
            if name in table.broken or name in self._people:
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
            process = table.processes[seat]
            assert process is not None, "who has none is among the broken"
            self._bots[name].games += 1
            self._pipes.put(process, start)
        self._advance(table, None)

    def _blame(self, table: Table, seat: int, charge: Charge) -> None:
        """Have a seat charged at the turn that it has not answered, or its next one."""
        table.broken[table.game.entrants[seat]] = charge.fault
        table.evidence[seat] = msgspec.structs.replace(charge.evidence, seat=seat)

    def _advance(self, table: Table, answer: Reply | Fault | None) -> None:
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
            if answer is None and name in self._people:
                answer = self._people[name](asked)
            elif answer is None:
                self._waiting.append((self._bots[name], Request(table, asked)))
                return

    def _close_table(self, table: Table, ending: Ending) -> None:
        del self._open[table.number]
        record = record_of(table.game, table.state, ending)
        faulty = [fault.seat for fault in record.faults if fault.seat in table.evidence]
        evidence = tuple([table.evidence[seat] for seat in faulty])
        seen = Seen(evidence, self.stalls[record.key], table.timings)
        self._finished.append((record, seen))
        for seat, name in enumerate(record.entrants):
            own = record.faults_of(seat)
            self._tell_end(table, seat, End(table.number, record.points, record.ranks, own))
            if name in self._fresh:
                self._dismiss(self._bots[name])

    def _make_void(self, table: Table, void: Void) -> None:
        """Stop a game; it is to be played again elsewhere."""
        del self._open[table.number]
        table.is_void = True
        self.void.append(void)
        for seat in range(len(table.processes)):
            self._tell_end(table, seat, End(table.number, (), (), ()))

    def _tell_end(self, table: Table, seat: int, end: End) -> None:
        """Tell a bot, if its process is the one that has heard of this table."""
        bot = self._bots.get(table.game.entrants[seat])
        if bot and bot.process and bot.process is table.processes[seat]:
            self._pipes.put(bot.process, end)

    # -- bots ---------------------------------------------------------------------------------

    def _ensure_process(self, bot: TableBot) -> bool:
        """Start the bot's process unless it runs; if it can't be started, `charge` says why."""
        if bot.process:
            return True
        process = bot.start(self._sandbox)
        if process is None:
            return False
        self._pipes.add(process)
        self._pipes.put(process, bot.hello)
        self._expect(bot, None)
        return True

    def _dismiss(self, bot: TableBot, grace_s: float = BYE_GRACE_S) -> bool:
        """End a process that has done nothing wrong; return whether it has left by itself."""
        if bot.process is None:
            return True
        process, bot.process = bot.process, None
        self._pipes.remove(process)
        return not dismiss([process], grace_s)

    def _fail(self, bot: TableBot, cause: Cause, text: str = "", came: bytes = b"") -> None:
        """End a process that can't be relied on any more; its end says why if `text` does not."""
        process = bot.process
        assert process is not None
        is_late = cause == "timeout"
        stalled = is_late and self._host.excuses(bot.stalled_before, bot.limit_ms / 1000)
        kind = "crash" if cause == "excess" else cause
        if bot.requests and bot.requests[0] is None:
            kind = "start"
            bot.failed_starts += not stalled
        evidence = bot.evidence(came)
        self._pipes.remove(process)
        text = text or process.exit_text()
        process.kill()
        process.check_sandbox()
        evidence = msgspec.structs.replace(evidence, stderr=process.last_words)
        bot.charge = Charge(Fault(kind, text), evidence, cause)
        self.broke.add(bot.entrant.name)
        requests = [request for request in bot.requests if request]
        requests += [request for other, request in self._waiting if other is bot]
        self._waiting = deque([one for one in self._waiting if one[0] is not bot])
        self._answered(len(bot.requests))
        bot.requests.clear()
        bot.process = None
        bot.has_broken()
        here = [table for table in self._open.values() if process in table.processes]
        is_certain = self._charge or kind == "start"
        if len(here) == 1:
            is_certain |= bot.games == 1 or any(request.asked.turn > 1 for request in requests)
        asked_at = requests[0].table if requests else next(iter(here), None)
        for table in here:
            key = table.game.key
            if stalled and self.stalls[key] < MOST_STALLS:
                self.stalls[key] += 1
                self._make_void(table, Void(table.game))
            elif is_certain:
                self._blame(table, table.game.entrants.index(bot.entrant.name), bot.charge)
                if any(request.table is table for request in requests):
                    self._advance(table, bot.charge.fault)
            elif table is asked_at:
                self._make_void(table, Void(table.game, bot.entrant.name, bot.charge))
            else:
                self._make_void(table, Void(table.game))

    # -- asking -------------------------------------------------------------------------------

    def _ask_those_waiting(self) -> None:
        """Ask in order, as far as nobody has to wait for others that think."""
        while self._waiting and not self._is_thinking:
            bot, request = self._waiting[0]
            if not request.table.is_void:
                alone = self._has_to_be_alone(bot)
                if bot.ready is None or (alone and self._unanswered):
                    return
                self._is_thinking = alone
                self._ask(bot, request)
            self._waiting.popleft()

    def _ask(self, bot: TableBot, request: Request) -> None:
        assert bot.process
        assert bot.ready
        table, asked = request.table, request.asked
        turns = table.turns.get(asked.seat)
        if turns is None:
            turns = Turns(table.number, bot.ready.detail, self._limits)
            table.turns[asked.seat] = turns
        self._pipes.put(bot.process, turns.write(asked))
        self._expect(bot, request)

    def _expect(self, bot: TableBot, request: Request | None) -> None:
        bot.requests.append(request)
        self._unanswered += 1
        if len(bot.requests) == 1:
            self._just_asked.append(bot)

    def _answered(self, requests: int) -> None:
        """Note that so many requests need no answer any more."""
        self._unanswered -= requests
        if not self._unanswered:
            self._is_thinking = False

    def _exchange(self) -> None:
        """Wait until a bot says something or a clock runs out, and deal with it."""
        self._ask_those_waiting()
        self._pipes.flush()
        now = time.monotonic()
        for bot in self._just_asked:
            if bot.requests:
                self._start_clock(bot, now)
        self._just_asked.clear()
        wait_s = max(0.0, min(self._clocks.next(now + MOST_WAIT_S), self._watch_at) - now)
        if self._unanswered:
            wait_s = min(wait_s, BEAT_S)
        heard = self._pipes.wait(wait_s)
        if (waited_s := time.monotonic() - now) > wait_s:
            self._host.woke(wait_s, waited_s)
        for process in heard:
            bot = self._bots[process.entrant.name]
            if bot.process is process:  # else it was ended a moment ago
                self._read(bot)
        now = time.monotonic()
        for bot in self._clocks.due(now):
            self._look_at(bot, now)
        if self._watch_at <= now:
            self._watch()

    def _watch(self) -> None:
        """End the bots that take more of the machine than they may."""
        for bot in self._bots.values():
            if bot.process and (excess := bot.process.excess()):
                self._fail(bot, "excess", f"was ended, since it {excess}")
        self._watch_at = time.monotonic() + WATCH_S

    # -- clocks -------------------------------------------------------------------------------

    def _start_clock(self, bot: TableBot, now: float) -> None:
        """Have the clock of a bot's first request run from now on."""
        bot.start_clock(now, self._host.total_s)
        self._clocks.set(bot, bot.next_look)

    def _look_at(self, bot: TableBot, now: float) -> None:
        """Do what its clock demands of a bot, if it still has to answer."""
        if bot.requests and bot.deadline <= now:
            self._read(bot)  # it may have answered while we were busy
        if not bot.requests:
            return
        if bot.deadline <= now:
            assert bot.process is not None
            self._fail(bot, "timeout", bot.too_late, bot.process.half_line)
            return
        if bot.next_look <= now:
            self._is_thinking |= self._adapts
            bot.look()
        self._clocks.set(bot, bot.next_look)

    # -- answers ------------------------------------------------------------------------------

    def _read(self, bot: TableBot) -> None:
        process = bot.process
        assert process is not None
        lines = process.read_lines()
        if lines is None:
            self._fail(bot, "crash", came=process.half_line)
            return
        for line in lines:
            self._hear(bot, line)
            if bot.process is not process:  # it was ended for what it said
                return
        if process.too_long is not None:
            text = f"sent a line of more than {self._limits.line_bytes} bytes"
            self._fail(bot, "flood", text, process.too_long)

    def _hear(self, bot: TableBot, line: bytes) -> None:
        """Take a line of a bot as the answer to the first of its unanswered requests."""
        answer = read_answer(line, bot.requests, self._limits.nesting)
        if isinstance(answer, Act):
            request = bot.requests[0]
            assert request is not None, "else `ready` was asked for"
            self._hear_act(bot, request, answer, line)
        elif isinstance(answer, Ready):
            bot.ready = answer
            bot.failed_starts = 0
            self._is_answered(bot, time.monotonic())
        else:
            self._fail(bot, answer.kind, answer.text, line)

    def _hear_act(self, bot: TableBot, request: Request, act: Act, line: bytes) -> None:
        now = time.monotonic()
        taken_s = now - bot.asked_at
        table, asked = request
        if table.turns[asked.seat].count(taken_s, len(line) + 1):
            text = f"sent more than {self._limits.output_kib} KiB in one game"
            self._fail(bot, "flood", text, line)
            return
        if act.action not in asked.legal:  # as the referee will find; here is what was seen
            evidence = bot.evidence(line)
            table.evidence[asked.seat] = msgspec.structs.replace(evidence, seat=asked.seat)
        bot.took(taken_s)
        if self._when_answered:
            self._when_answered(bot.entrant.name, taken_s)
        self._is_answered(bot, now)
        if not table.is_void:
            self._advance(table, Reply(act.action, act.note))

    def _is_answered(self, bot: TableBot, now: float) -> None:
        """Go over to the next request of a bot."""
        bot.requests.popleft()
        self._answered(1)
        if bot.requests:
            self._start_clock(bot, now)
