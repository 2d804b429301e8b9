"""The games under way: their tables, and the threads in which bots decide."""

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
"""The time after which the actions of bots are stored while other bots still think."""

SeatBot = Callable[[str], Agent]
"""Returns the bot with an id as an agent of its own."""
Act = Callable[[Ask], str]
"""Returns the action of a bot."""


class Stopping(BaseException):
    """Raised when the server stops. It is not an `Exception`, since these are faults of bots."""


class LiveTable:
    """The bots of a game, and the course of the game with them."""

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
        """Return whether a stored game is this one, or this one with another action."""
        known = self._course.game
        return game.actions[: len(known.actions)] == known.actions and (
            len(game.actions) - len(known.actions) <= 1
        )

    def go_on(self, game: BrowserGame) -> bool:
        """Let the bots decide, and return whether the person is to act then.

        `game` is the stored game, usually with one more action of the person. The result is stored.
        The person is not to act if the game is over, or if they have left it.
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
        """End the bots."""
        for agent in self._agents:
            agent.close()

    @property
    def _processes(self) -> list[ProcessAgent]:
        return [agent for agent in self._agents if isinstance(agent, ProcessAgent)]

    def _result(self) -> Result | None:
        record, seat = self._course.record, self._course.game.seat
        return Result(record.points[seat], record.ranks[seat]) if record else None

    def _seat(self, game: BrowserGame, seat: int, seat_bot: SeatBot) -> Act:
        """Seat a bot, and return what lets it act. If it does not start, that raises why."""
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
        """Return what lets a bot act until the server stops."""

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
"""Games in which bots decide at the same time; most of these bots are other processes."""
MAX_TABLES = 24
"""Tables that keep their bots. The bots of other games are started again, and asked once more what
they were asked before."""


class LiveTables:
    """Lets the bots of games decide, for each person in one game at a time."""

    def __init__(self, games: GameStore, seat_bot: SeatBot, max_tables: int = MAX_TABLES) -> None:
        self._games = games
        self._seat_bot = seat_bot
        self._max_tables = max_tables
        self._lock = threading.Lock()
        # Its threads live on: the sandbox of a bot ends with the thread that started it.
        self._threads = ThreadPoolExecutor(THREADS, "browser-game")
        self._under_way: dict[str, Future[None]] = {}
        """By game, what `go_on` has returned."""
        self._again: set[str] = set()
        """Games under way that were asked to go on once more."""
        self._queues: dict[str, deque[str]] = {}
        """By person, the games that a thread of theirs plays next, one by one."""
        self._waiting: OrderedDict[str, LiveTable] = OrderedDict()
        """The tables whose bots wait for the person, those used last at the end."""
        self._is_stopping = threading.Event()

    @property
    def is_open(self) -> bool:
        """Whether bots are still asked."""
        return not self._is_stopping.is_set()

    def go_on(self, game_id: str, person: str) -> Future[None]:
        """Let the bots of a game of a person decide until the person is to act or it is over.

        The result raises `ArenaError` if bots cannot be started on this machine.
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
        """End all bots. Games in which one decides go on later, from what is stored."""
        self._is_stopping.set()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for table in self._waiting.values():
            table.close()
        self._waiting.clear()

    def _play_all(self, person: str) -> None:
        """Let the games of a person go on, one by one."""
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
        """Let the bots of a table wait, unless its game was asked to go on once more.

        Return whether the bots wait. If there are too many tables, that used longest ago is closed.
        """
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
        """Let the bots of a game decide. Return its table, or None if the table is closed.

        `table` is the table of the game, if it has one already.
        """
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
