"""Coordinate simultaneous games. All I/O is left to the driver.

Bots that answer quickly play several games at the same time. A slow bot plays one game at a
time, and all other bot processes are frozen while it computes. A bot that spends most of its
time waiting for a remote server plays each game in a separate process.

The record of a game must not depend on other games played by the same bot process. If a bot
process fails after it has played several games, any of these games may have caused the failure.
All its unfinished games are interrupted and then resumed one at a time. Each resumed game gets a
new bot process. The new bot process receives the game's earlier requests again, but its answers
to them are ignored. If the new process also fails, the bot has committed a fault.
"""

import random
from collections import deque
from collections.abc import Mapping
from functools import partial

from arena.base.errors import ArenaError
from arena.base.protocol import Act, End
from arena.base.record import Game, Observations
from arena.match import events
from arena.match.broken_game import game_error
from arena.match.match_state import (
    NO_HOOKS,
    BotFailure,
    BotSeat,
    FailedSeat,
    MatchHooks,
    RunningBot,
    Session,
    Table,
)
from arena.match.referee import ANSWERS, Ending, record_of, start_message
from arena.match.seats import Answer, Decision, Player, Script, Seat
from arena.match.sessions import Sessions
from arena.match.settings import MAX_GAMES, MatchSettings
from engine import EngineError

MAX_LATE = 3  # a bot gets a fault when it exceeds the wall time limit this often in one game


class Match:
    def __init__(
        self,
        players: Mapping[str, Player],
        settings: MatchSettings,
        rng: random.Random,
        hooks: MatchHooks = NO_HOOKS,
    ) -> None:
        """Create a match without games. Bots must not be able to predict `rng`."""
        self.sessions = Sessions(settings, rng, self._take, self._handle_failure, hooks.on_log)
        self.tables: dict[int, Table] = {}
        self._settings = settings
        self._hooks = hooks
        self._begun = 0
        self._coming: deque[Game] = deque()
        self._interrupted: deque[Table] = deque()
        self._alone: Table | None = None  # the interrupted game that was resumed
        self._may_begin = False  # whether another game may be able to begin
        self._players = players
        self.sessions.set_players(players)

    # -- what the driver calls -----------------------------------------------------------------

    def start(self, game: Game, now: float) -> None:
        self.sessions.now = now
        self._coming.append(game)
        self._begin_games()

    def receive(self, event: events.Event, now: float) -> None:
        """Handle an event.

        Raises:
            ArenaError: A game can't continue, for example because of an exception in its code.
        """
        sessions = self.sessions
        sessions.now = now
        match event:
            case events.Line():
                sessions.receive(event)
            case events.Written():
                sessions.mark_written()
            case events.Tick():
                sessions.tick()
            case events.SetPlayers(players):
                self._players = players
                sessions.set_players(players)
            case events.StartBots():
                sessions.start_bots()
            case events.PauseBots():
                sessions.pause_bots()
            case _:
                sessions.observe(event)
        if self._may_begin:
            self._begin_games()

    def next_command(self) -> events.Command | None:
        """Return the next command for the driver, or None if there are no more commands."""
        commands = self.sessions.commands
        return commands.popleft() if commands else None

    @property
    def deadline(self) -> float:
        """When to check the bots' time limits again."""
        return self.sessions.deadline

    # -- the beginning of games ----------------------------------------------------------------

    def _begin_games(self) -> None:
        while self._interrupted or self._coming:
            if self._interrupted:
                if self.tables:
                    break
                self._resume(self._interrupted.popleft())
            elif self._has_room_for(self._coming[0]):
                self._begin(self._coming.popleft())
            else:
                break
        self._may_begin = False

    def _has_room_for(self, game: Game) -> bool:
        number = len(self.tables)
        if self._settings.tables is not None:
            return number < self._settings.tables
        if not number:
            return True
        seated = [name for table in self.tables.values() for name in table.game.entrants]
        known = self.sessions.bots
        bots = [known[name] for name in {*seated, *game.entrants} if name in known]
        if any(bot.is_long for bot in bots):
            return False
        is_waiting = any(bot.waits for bot in bots)
        return number < (self._settings.waiting_games if is_waiting else MAX_GAMES)

    def _begin(self, game: Game) -> None:
        self._begun += 1
        try:
            table = Table(self._begun, game, self._hooks.sources.get(game.key, ANSWERS))
        except (ArenaError, EngineError):
            raise
        except Exception as error:
            raise game_error(game.title, error) from error
        self.tables[table.number] = table
        for name in game.entrants:
            table.sessions.append(None)
            table.seats.append(self._seat(table, name))
        for seat, session in enumerate(table.sessions):
            if session:
                self._join(session, table, seat)
        self._advance(table, None)

    def _seat(self, table: Table, name: str) -> Seat:
        player = self._players[name]
        if isinstance(player, Script):
            return player
        bot = self.sessions.bots[name]
        table.sessions[-1] = session = self.sessions.session_for(bot)
        return self._bot_seat(table, bot, session)

    def _bot_seat(self, table: Table, bot: RunningBot, session: Session | None) -> Seat:
        if session:
            return BotSeat(self.sessions.request, session, table)
        assert bot.failure, "only bots that failed to start get no process"
        return FailedSeat(bot.failure, table)

    def _join(self, session: Session, table: Table, seat: int) -> None:
        game = table.game
        session.games += 1
        session.latest = game
        session.tables[table.number] = table
        variant = table.state.variant
        self.sessions.notify(session, start_message(variant, seat, game.seeds[seat], table.number))

    # -- decisions -----------------------------------------------------------------------------

    def _advance(self, table: Table, answer: Answer | None) -> None:
        while True:
            try:
                decision = table.next_decision(answer)
            except StopIteration as stop:
                self._close(table, stop.value)
                return
            except Exception as error:
                raise game_error(table.game.title, error) from error
            if table.is_replaying and (answer := table.answer_before(decision)):
                continue
            answer = table.seats[decision.seat].ask(decision)
            if answer is None:
                return

    def _take(self, request: BotSeat, act: Act, spent_s: float) -> None:
        if request.session.bot.answered(spent_s):
            self._may_begin = True
        if self._hooks.on_answer and not request.table.is_replaying:
            self._hooks.on_answer(spent_s)
        self._advance(request.table, act)

    # -- broken processes ----------------------------------------------------------------------

    def _handle_failure(
        self, session: Session, failure: BotFailure, pending: Mapping[int, BotSeat]
    ) -> None:
        self._may_begin = True
        always, was_ready = self._settings.always_charge, session.ready is not None
        is_certain = always or not was_ready or session.games == 1
        is_late = failure.cause == "wall" and was_ready and not always
        for table in list(session.tables.values()):
            seat = table.sessions.index(session)
            table.sessions[seat] = None
            table.late[seat] += is_late
            if is_certain and not (is_late and table.late[seat] < MAX_LATE):
                table.seats[seat] = FailedSeat(failure, table)
            else:
                table.seats[seat] = Script(partial(self._interrupt, table))
            request = pending.get(table.number)
            if request and (answer := table.seats[seat].ask(request.decision)):
                self._advance(table, answer)

    def _interrupt(self, table: Table, decision: Decision) -> None:
        if table is self._alone:
            self._replay(table, decision)
            return
        table.pending = decision
        del self.tables[table.number]
        self._interrupted.append(table)
        self._may_begin = True

    def _resume(self, table: Table) -> None:
        self._alone = self.tables[table.number] = table
        decision, table.pending = table.pending, None
        assert decision, "it was interrupted at a decision"
        if answer := table.seats[decision.seat].ask(decision):
            self._advance(table, answer)

    def _replay(self, table: Table, decision: Decision) -> None:
        seat = decision.seat
        bot = self.sessions.bots[table.game.entrants[seat]]
        session = self.sessions.start(bot)
        table.seats[seat] = self._bot_seat(table, bot, session)
        if session is None:
            self._advance(table, table.seats[seat].ask(decision))
            return
        session.is_own = True
        table.sessions[seat] = session
        table.replay(seat)
        self._join(session, table, seat)
        self._advance(table, None)

    # -- the end of games ----------------------------------------------------------------------

    def _close(self, table: Table, ending: Ending) -> None:
        del self.tables[table.number]
        self._may_begin = True
        try:
            record = record_of(table.game, table.state, ending)
        except Exception as error:
            raise game_error(table.game.title, error) from error
        faulty = [fault.seat for fault in record.faults if fault.seat in table.evidence]
        evidence = tuple([table.evidence[seat] for seat in faulty])
        seen = Observations(evidence, table.timings)
        self.sessions.commands.append(events.Finished(record, seen))
        for seat, session in enumerate(table.sessions):
            if session and session.number in self.sessions.running:
                session.latest = table.game
                del session.tables[table.number]
                end = End(table.number, record.points, record.ranks, record.faults_of(seat))
                self.sessions.notify(session, end)
                if session.is_own:  # kept if it is the bot's only process
                    session.is_own = False
                    if len(session.bot.sessions) > 1:
                        self.sessions.dismiss(session)
        table.seats.clear()  # break reference cycles, so that the game is freed at once
        if table is self._alone:
            self._alone = None
