"""The dispatcher of a match: it is told what happened, and says what to do.

It decides which games are under way, which bot is asked, to which bot a game is replayed and which
is charged, without I/O and without a clock. A driver carries out the commands in `outbox` after
each call and reports what came of them. Processes are known by number.

The number of games under way adapts to the bots. While all of them answer at once it is large,
which saves most of the switching between processes. While one thinks it is one. Games of bots that
wait for another machine run side by side, each by a process of its own.

Where a process breaks in the company of other games, its bot gets a process of its own in each game
in which it has to decide again. That process hears the game from its start. The answers that were
given stand, so no other bot notices. One game at a time has such processes.
"""

from collections import deque
from collections.abc import Callable, Mapping

import msgspec

from arena.errors import ArenaError
from arena.match.answers import read_answer
from arena.match.bots import Bots
from arena.match.broken_game import game_error
from arena.match.commands import (
    Breakage,
    Command,
    Inspect,
    Kill,
    Measure,
    ProcessFacts,
    Record,
)
from arena.match.decision import Ask, Reply
from arena.match.game_seats import ChargedSeat, LostSeat, PersonSeat
from arena.match.in_progress import Bot, Conversation, GameInProgress, ProcessSeat, RefereeOf
from arena.match.processor_time import Reading
from arena.match.referee import Ending, record_of, referee
from arena.match.request_queue import RequestQueue
from arena.match.seats import Person, Player, Script, Seat
from arena.match.settings import MAX_GAMES, MatchSettings
from arena.match.verdict import Cause, Charge, Facts, Ruling, judge
from arena.protocol import Act, End, Fault, Ready, Start
from arena.record import Evidence, Game, Observations
from engine import EngineError


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
        self.bots = Bots(players, settings, self.requests)
        self.on_answer: Callable[[float], object] | None = None
        """Called with the time that a bot took for an answer."""
        self._players = players
        self._nesting = settings.limits.nesting
        self._referees = referees or {}
        self.games: dict[int, GameInProgress] = {}
        """The games under way, by table."""
        self._seated: list[Bot] | None = None
        """The bots in these games; None when games have begun or ended since they were found."""
        self._tables = 0  # counted
        self._replayed: GameInProgress | None = None
        self._to_replay: deque[tuple[GameInProgress, Ask]] = deque()

    # -- what it knows ------------------------------------------------------------------------

    @property
    def has_free_table(self) -> bool:
        """Whether another game may begin now."""
        tables = self.settings.tables
        if tables is not None or not self.games:
            return len(self.games) < (tables or 1)
        if len(self.games) >= max(MAX_GAMES, self.settings.waiting_games):
            return False
        if self._seated is None:
            names = {name for one in self.games.values() for name in one.game.entrants}
            self._seated = list(self.bots.among(names))
        if any(map(self.requests.must_be_alone, self._seated)):
            return False
        is_waiting = any(bot.waits for bot in self._seated)
        return len(self.games) < (self.settings.waiting_games if is_waiting else MAX_GAMES)

    # -- rows of games ------------------------------------------------------------------------

    def enter(self, players: Mapping[str, Player]) -> list[int]:
        """Take the players of the next games. Return the processes that have to leave."""
        self._players = players
        leaving = self.bots.enter(players)
        if self.requests.freezer.is_on:  # did they compute while they were frozen?
            self.outbox.extend([Measure(number) for number in self.bots.running])
        return leaving

    # -- games --------------------------------------------------------------------------------

    def begin(self, game: Game) -> None:
        """Begin a game, with processes for its bots."""
        self._tables += 1
        try:
            begun = GameInProgress(self._tables, game, self._referees.get(game.key, referee))
        except (ArenaError, EngineError):
            raise
        except Exception as error:
            raise game_error(game, (), error) from error
        self.games[begun.table] = begun
        self._seated = None
        for seat, name in enumerate(game.entrants):
            begun.processes.append(None)
            begun.seats.append(self._seat(begun, seat, name))
        for seat, process in enumerate(begun.processes):
            if process:
                process.games += 1
                process.latest = game
                self.requests.tell(process, _start_message(begun, seat))
        self._advance(begun, None)

    def _seat(self, game: GameInProgress, seat: int, name: str) -> Seat:
        player = self._players[name]
        if isinstance(player, Script):
            return player
        if isinstance(player, Person):
            return PersonSeat(self.outbox, player, game)
        bot = self.bots[name]
        game.processes[seat] = process = self.bots.process_for(bot, self.games.values())
        return self._bot_seat(game, bot, process)

    def _bot_seat(self, game: GameInProgress, bot: Bot, process: Conversation | None) -> Seat:
        if process:
            return ProcessSeat(self.requests.add, process, game)
        assert bot.charge, "a bot that is not started any more has failed to start"
        return ChargedSeat(bot.charge, game)

    def _advance(self, game: GameInProgress, answer: Reply | Fault | None) -> None:
        """Give the referee an answer, and ask for the next decision."""
        while True:
            try:
                asked = game.next_ask(answer)
            except StopIteration as stop:
                self._close(game, stop.value)
                return
            except Exception as error:
                raise game_error(game.game, game.answers, error) from error
            if game.is_replaying and (answer := game.answer_before(asked)):
                continue
            answer = game.seats[asked.seat].ask(asked)
            if answer is None:
                return

    def _close(self, game: GameInProgress, ending: Ending) -> None:
        del self.games[game.table]
        self._seated = None
        try:
            record = record_of(game.game, game.state, ending)
        except Exception as error:
            raise game_error(game.game, game.answers, error) from error
        faulty = [fault.seat for fault in record.faults if fault.seat in game.evidence]
        evidence = tuple([game.evidence[seat] for seat in faulty])
        may_be_charged = bool(self._to_replay) or self._replayed not in (None, game)
        restarts = () if may_be_charged else self.bots.restarts_in(game, record)
        seen = Observations(evidence, game.stalls, game.timings, restarts)
        self.outbox.append(Record(record, seen))
        for seat, process in enumerate(game.processes):
            if process and process.number in self.bots.running:
                process.latest = game.game
                end = End(game.table, record.points, record.ranks, record.faults_of(seat))
                self.requests.tell(process, end)
                if process.is_own:
                    self.bots.end_own(process)
        game.seats.clear()  # they refer to the game, which would wait for the garbage collector
        if game is self._replayed:
            self._replayed = None
            if self._to_replay:
                self._replay(*self._to_replay.popleft())

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
        games = [game for game in self.games.values() if process in game.processes]
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
            game.seats[seat] = LostSeat(self._replay, game)
        game.processes[seat] = None
        if request:
            answer = game.seats[seat].ask(request.asked)
            if answer:
                self._advance(game, answer)

    # -- replays ------------------------------------------------------------------------------

    def _replay(self, game: GameInProgress, asked: Ask) -> None:
        """Replay a game to a new process of the bot that is asked, once no other is replayed."""
        if self._replayed not in (None, game):
            self._to_replay.append((game, asked))
            return
        self._replayed = game
        seat = asked.seat
        bot = self.bots[game.game.entrants[seat]]
        process = self.bots.start(bot)
        game.seats[seat] = self._bot_seat(game, bot, process)
        if process is None:
            self._advance(game, game.seats[seat].ask(asked))
            return
        process.is_own = True
        process.games = 1
        process.latest = game.game
        game.processes[seat] = process
        game.replay(seat)
        self.requests.tell(process, _start_message(game, seat))
        self._advance(game, None)

    # -- answers ------------------------------------------------------------------------------

    def heard(self, number: int, line: bytes, now: float) -> None:
        """Take a line of a process as the answer to its first pending request."""
        process = self.bots.running[number]
        answer = read_answer(line, process.requests, self._nesting)
        if isinstance(answer, Act):
            request = process.requests[0]
            assert request is not None, "else `ready` was asked for"
            messages = request.messages
            assert messages is not None, "the request was sent"
            if messages.count(now - process.asked_at - process.granted_s, len(line) + 1):
                text = f"sent more than {self.settings.limits.output_kib} KiB in one game"
                self.outbox.append(Kill(number, "flood", text, line))
            elif not process.account.is_sampled and (
                answer.action in request.asked.legal or request.game.is_replaying
            ):
                self._accept(process, request, answer, now)
            else:  # the referee will find it too; this is to see the process at this moment
                self.outbox.append(Inspect(number, answer, line, now))
        elif isinstance(answer, Ready):
            process.ready = process.bot.ready = answer
            process.bot.failed_starts = 0
            self.requests.answered(process, now)
        else:
            self.outbox.append(Kill(number, answer.kind, answer.text, line))

    def inspected(self, given: Inspect, facts: ProcessFacts) -> None:
        """Go on with an act, of which this was seen."""
        process = self.bots.running[given.process]
        request = process.requests[0]
        assert request is not None, "it was answered by the act"
        if excess := process.account.excess_of_answer(facts.cpu_ms):
            self.outbox.append(Kill(process.number, "burned", excess, given.line))
            return
        is_legal = given.act.action in request.asked.legal
        if not (is_legal or request.game.is_replaying):
            seat = request.asked.seat
            evidence = process.evidence(facts, given.line, given.now)
            request.game.evidence[seat] = msgspec.structs.replace(evidence, seat=seat)
        self._accept(process, request, given.act, given.now)

    def _accept(self, process: Conversation, request: ProcessSeat, act: Act, now: float) -> None:
        taken_s = now - process.asked_at
        process.bot.took(taken_s)
        if self.on_answer is not None and not request.game.is_replaying:
            self.on_answer(taken_s)
        self.requests.answered(process, now)
        self._advance(request.game, Reply(act.action, act.note))

    def replied(self, table: int, reply: Reply) -> None:
        """Take the answer of a person, unless the game is over."""
        if game := self.games.get(table):
            self._advance(game, reply)

    # -- processor time -----------------------------------------------------------------------

    def measured(self, number: int, reading: Reading) -> None:
        """Note what a process has used by now, and end it if that is too much."""
        process = self.bots.running[number]
        if excess := process.measure(reading):
            self.requests.take_time(process)
            self.outbox.append(Kill(number, "burned", excess))

    def too_late(self, number: int, came: bytes) -> None:
        """Decide on a process whose time is over, which was measured; `came` is what it sent."""
        self.requests.too_late(self.bots.running[number], came)

    def froze(self, number: int, reading: Reading, has_stopped: bool) -> None:
        """Note what a process had used when it was frozen, and whether all of it has stopped."""
        self.bots.running[number].freeze(reading, has_stopped)


def _start_message(game: GameInProgress, seat: int) -> Start:
    variant = game.state.variant
    return Start(
        table=game.table,
        game=variant.game,
        variant=variant.id,
        seat=seat,
        seats=variant.seats,
        teams=variant.teams,
        seed=game.game.seeds[seat],
    )
