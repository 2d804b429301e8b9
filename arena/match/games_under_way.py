"""The games of a match that are under way, from the start to the record.

The number of games under way adapts to the bots. While all of them answer at once it is large,
which saves most of the switching between processes. While one thinks it is one. Games of bots that
wait for another machine run side by side, each by a process of its own.

Where a process breaks in the company of other games, its bot gets a process of its own in each game
in which it has to decide again. That process hears the game from its start. The answers that were
given stand, so no other bot notices. One game at a time has such processes.
"""

from collections import deque
from collections.abc import Mapping
from functools import partial

from arena.base.errors import ArenaError
from arena.base.protocol import End, Start
from arena.base.record import Game, Observations
from arena.match.bots import Bots
from arena.match.broken_game import game_error
from arena.match.commands import RecordGame
from arena.match.match_state import (
    ChargedSeat,
    Conversation,
    GameInProgress,
    ProcessSeat,
    RefereeOf,
    RunningBot,
)
from arena.match.referee import Ending, record_of, referee, start_message
from arena.match.request_queue import RequestQueue
from arena.match.seats import Answer, Ask, Player, Script, Seat
from arena.match.settings import MAX_GAMES, MatchSettings
from engine import EngineError


class GamesUnderWay:
    """The games under way, with the seats of their bots."""

    def __init__(
        self,
        players: Mapping[str, Player],
        settings: MatchSettings,
        requests: RequestQueue,
        referees: Mapping[str, RefereeOf],
    ) -> None:
        """Begin without games; `referees` has those that are not the usual one, by key of game."""
        self.by_table: dict[int, GameInProgress] = {}
        self.bots = Bots(players, settings, requests)
        self._players = players
        self._settings = settings
        self._requests = requests
        self._outbox = requests.outbox
        self._referees = referees
        self._seated: list[RunningBot] | None = None
        """The bots in these games; None when games have begun or ended since they were found."""
        self._tables = settings.tables
        self._begun = 0  # counted
        self._replayed: GameInProgress | None = None
        self._to_replay: deque[tuple[GameInProgress, Ask]] = deque()

    @property
    def has_free_table(self) -> bool:
        """Whether another game may begin now."""
        if self._tables is not None:
            return len(self.by_table) < self._tables
        if not self.by_table:
            return True
        if len(self.by_table) >= max(MAX_GAMES, self._settings.waiting_games):
            return False
        if self._seated is None:
            names = {name for game in self.by_table.values() for name in game.game.entrants}
            self._seated = list(self.bots.among(names))
        if any(map(self._requests.must_be_alone, self._seated)):
            return False
        is_waiting = any(bot.waits for bot in self._seated)
        return len(self.by_table) < (self._settings.waiting_games if is_waiting else MAX_GAMES)

    def enter(self, players: Mapping[str, Player]) -> list[int]:
        """Take the players of the next games. Return the processes that have to leave."""
        self._players = players
        return self.bots.enter(players)

    def _referee_of(self, game: Game) -> RefereeOf:
        return self._referees.get(game.key) or partial(referee, worlds=game.worlds)

    def begin(self, game: Game) -> None:
        """Begin a game, with processes for its bots."""
        self._begun += 1
        try:
            begun = GameInProgress(self._begun, game, self._referee_of(game))
        except (ArenaError, EngineError):
            raise
        except Exception as error:
            raise game_error(game, (), error) from error
        self.by_table[begun.table] = begun
        self._seated = None
        for seat, name in enumerate(game.entrants):
            begun.processes.append(None)
            begun.seats.append(self._seat(begun, seat, name))
        for seat, process in enumerate(begun.processes):
            if process:
                process.games += 1
                process.latest = game
                self._requests.tell(process, _start_message(begun, seat))
        self.advance(begun, None)

    def _seat(self, game: GameInProgress, seat: int, name: str) -> Seat:
        player = self._players[name]
        if isinstance(player, Script):
            return player
        bot = self.bots[name]
        game.processes[seat] = process = self.bots.process_for(bot, self.by_table.values())
        return self._bot_seat(game, bot, process)

    def _bot_seat(
        self, game: GameInProgress, bot: RunningBot, process: Conversation | None
    ) -> Seat:
        if process:
            return ProcessSeat(self._requests.add, process, game)
        assert bot.charge, "a bot that is not started any more has failed to start"
        return ChargedSeat(bot.charge, game)

    def advance(self, game: GameInProgress, answer: Answer | None) -> None:
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
        del self.by_table[game.table]
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
        self._outbox.append(RecordGame(record, seen))
        for seat, process in enumerate(game.processes):
            if process and process.number in self.bots.running:
                process.latest = game.game
                end = End(game.table, record.points, record.ranks, record.faults_of(seat))
                self._requests.tell(process, end)
                if process.is_own:
                    self.bots.end_own(process)
        game.seats.clear()  # they refer to the game, which would wait for the garbage collector
        if game is self._replayed:
            self._replayed = None
            if self._to_replay:
                self.replay(*self._to_replay.popleft())

    def replay(self, game: GameInProgress, asked: Ask) -> None:
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
            self.advance(game, game.seats[seat].ask(asked))
            return
        process.is_own = True
        process.games = 1
        process.latest = game.game
        game.processes[seat] = process
        game.replay(seat)
        self._requests.tell(process, _start_message(game, seat))
        self.advance(game, None)


def _start_message(game: GameInProgress, seat: int) -> Start:
    return start_message(game.state.variant, seat, game.game.seeds[seat], game.table)
