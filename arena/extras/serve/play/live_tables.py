"""Games between people and bots that are in progress, and the threads that run the bots."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from arena.base.errors import BotError
from arena.extras.serve.play.browser_game import BrowserGame, Course
from arena.extras.serve.play.game_store import GameStore, Result, StoredBrowserGame
from arena.extras.shared.process_agent import ProcessAgent
from arena.match.referee import start_message
from arena.match.seats import Ask
from arena.tournament.agents import Agent
from engine import get_variant

STORE_S = 1.0

SeatBot = Callable[[str], Agent]
Act = Callable[[Ask], str]


class Stopping(BaseException):
    """Raised when the server stops.

    The class does not derive from `Exception`, because any `Exception` counts as a fault of a
    bot.
    """


class LiveTable:
    def __init__(
        self,
        games: GameStore,
        stored: StoredBrowserGame,
        seat_bot: SeatBot,
        is_stopping: threading.Event,
    ) -> None:
        self._games = games
        self._game_id = stored.id
        self._agents: list[Agent] = []
        self._stored = stored.game
        self._stored_at = 0.0
        self._has_begun = False
        try:
            bots = {
                seat: self._until_stopped(self._seat(stored.game, seat, seat_bot), is_stopping)
                for seat, bot in enumerate(stored.game.bots)
                if bot
            }
            self._course = Course(stored.game, bots, self._store_sometimes)
        except BaseException:
            self.close()
            raise

    def fits(self, game: BrowserGame) -> bool:
        known = self._course.game
        return game.actions[: len(known.actions)] == known.actions and (
            len(game.actions) - len(known.actions) <= 1
        )

    def go_on(self, game: BrowserGame) -> bool:
        """Let the bots play and store their actions. Return whether it is now the person's turn.

        `game` is the stored game, which usually ends with a new action of the person.
        """
        self._stored, self._stored_at = game, time.monotonic()
        for process in self._processes:
            process.thaw()
        try:
            if not self._has_begun:
                self._has_begun = True
                self._course.begin()
            elif len(game.actions) > len(self._course.game.actions):
                self._course.act(game.actions[-1])
            result = self._result()
            if result or self._course.game != self._stored:
                self._store(self._course.game, result)
        except _LeftGame:
            return False
        for process in self._processes:
            process.freeze()
        return result is None

    def close(self) -> None:
        for agent in self._agents:
            agent.close()

    @property
    def _processes(self) -> list[ProcessAgent]:
        return [agent for agent in self._agents if isinstance(agent, ProcessAgent)]

    def _result(self) -> Result | None:
        record, seat = self._course.record, self._course.game.seat
        return Result(record.points[seat], record.ranks[seat]) if record else None

    def _seat(self, game: BrowserGame, seat: int, seat_bot: SeatBot) -> Act:
        try:
            agent = seat_bot(game.bots[seat])
            self._agents.append(agent)
            start = start_message(get_variant(game.variant), seat, game.seeds[seat])
            return agent.sit(start).act
        except BotError as error:
            absent = error

        def fail(_: Ask) -> str:
            raise absent

        return fail

    @staticmethod
    def _until_stopped(act: Act, is_stopping: threading.Event) -> Act:
        def act_or_stop(asked: Ask) -> str:
            action = "" if is_stopping.is_set() else act(asked)
            if is_stopping.is_set():  # it may have been ended with the server
                raise Stopping
            return action

        return act_or_stop

    def _store_sometimes(self, game: BrowserGame) -> None:
        if time.monotonic() - self._stored_at > STORE_S:
            self._store(game)

    def _store(self, game: BrowserGame, result: Result | None = None) -> None:
        if not self._games.extend(self._game_id, self._stored, game, result):
            raise _LeftGame
        self._stored, self._stored_at = game, time.monotonic()


class _LeftGame(Exception):
    """The person has left the game."""


# -- all games under way -----------------------------------------------------------------------


THREADS = 4
MAX_TABLES = 24
"""Maximum number of games whose bots keep running between turns. In all other games, bots are
restarted for each turn and receive all earlier requests again."""


class LiveTables:
    """Runs bots in many games concurrently, but in only one game per person."""

    def __init__(self, games: GameStore, seat_bot: SeatBot, max_tables: int = MAX_TABLES) -> None:
        self._games = games
        self._seat_bot = seat_bot
        self._max_tables = max_tables
        self._lock = threading.Lock()
        # Its threads live on: the sandbox of a bot ends with the thread that started it.
        self._threads = ThreadPoolExecutor(THREADS, "browser-game")
        self._under_way: dict[str, Future[None]] = {}
        self._again: set[str] = set()
        self._queues: dict[str, deque[str]] = {}
        self._waiting: OrderedDict[str, LiveTable] = OrderedDict()
        self._is_stopping = threading.Event()

    @property
    def is_open(self) -> bool:
        return not self._is_stopping.is_set()

    def go_on(self, game_id: str, person: str) -> Future[None]:
        """Let the bots of a game play until it is the person's turn or the game is finished.

        The returned future raises `ArenaError` if bots can't be started on this machine.
        """
        with self._lock:
            if under_way := self._under_way.get(game_id):
                self._again.add(game_id)  # its thread may have read the stored game already
                return under_way
            under_way = self._under_way[game_id] = Future()
            if person in self._queues:
                self._queues[person].append(game_id)
            else:
                self._queues[person] = deque([game_id])
                self._threads.submit(self._play_all, person)
        return under_way

    def stop(self) -> None:
        """Stop all bots. Interrupted games continue later from their stored state."""
        self._is_stopping.set()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for table in self._waiting.values():
            table.close()
        self._waiting.clear()

    def _play_all(self, person: str) -> None:
        while True:
            with self._lock:
                queue = self._queues[person]
                if not queue:
                    del self._queues[person]
                    return
                game_id = queue.popleft()
            self._play(game_id)

    def _play(self, game_id: str) -> None:
        with self._lock:
            table = self._waiting.pop(game_id, None)
        error: BaseException | None = None
        is_done = False
        while not is_done:
            try:
                table = self._advanced(game_id, table)
            except BaseException as raised:  # `go_on` has promised it to its callers
                table, error = None, raised
            is_done = self._is_done(game_id, table, error)

    def _is_done(self, game_id: str, table: LiveTable | None, error: BaseException | None) -> bool:
        longest = None
        with self._lock:
            if game_id in self._again and error is None:
                self._again.remove(game_id)
                return False
            self._again.discard(game_id)
            under_way = self._under_way.pop(game_id)
            if table:
                self._waiting[game_id] = table
            if len(self._waiting) > self._max_tables:
                _, longest = self._waiting.popitem(last=False)
        if longest:
            longest.close()
        if error:
            under_way.set_exception(error)
        else:
            under_way.set_result(None)
        return True

    def _advanced(self, game_id: str, table: LiveTable | None) -> LiveTable | None:
        stored = self._games.get(game_id)
        if table and not (stored and table.fits(stored.game)):
            table.close()
            table = None
        if stored is None or stored.is_over:
            return None
        table = table or LiveTable(self._games, stored, self._seat_bot, self._is_stopping)
        try:
            goes_on = table.go_on(stored.game)
        except Stopping:
            goes_on = False
        except BaseException:
            table.close()
            raise
        if not goes_on:
            table.close()
        return table if goes_on else None
