"""Run bots in games against people in the browser."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from arena.base.errors import BotError
from arena.bot import Start
from arena.extras.serve.play.browser_game import BrowserGame, BrowserGameRunner
from arena.extras.serve.play.game_store import GameStore, Result
from arena.extras.shared.process_agent import ProcessAgent
from arena.match.referee import start_message
from arena.match.seats import Decision
from arena.tournament.agents import Agent
from engine import get_variant

MAX_TABLES = 24  # games whose bots stay running between moves
MAX_PLAYING = 4  # games in which bots play at the same time

SeatBot = Callable[[str], Agent]


class ServerStopping(BaseException):  # every `Exception` is treated as a fault of the bot
    """Raised when the server stops."""


class LiveTables:
    def __init__(self, games: GameStore, seat_bot: SeatBot, max_tables: int = MAX_TABLES) -> None:
        self._games = games
        self._seat_bot = seat_bot
        self._max_tables = max_tables
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, _Table] = OrderedDict()
        self._playing = threading.BoundedSemaphore(MAX_PLAYING)
        self._is_stopping = threading.Event()

    @property
    def is_open(self) -> bool:
        return not self._is_stopping.is_set()

    def go_on(self, game_id: str, person: str) -> Future[None]:
        """Play the bots' moves until the person has to move or the game is over.

        If bots can't be started on this machine, the returned future fails with `ArenaError`.
        """
        with self._lock:
            table = self._tables.pop(person, None) or _Table(
                self._games, self._seat_bot, self._playing, self._is_stopping
            )
            self._tables[person] = table
            if len(self._tables) > self._max_tables:
                self._tables.popitem(last=False)[1].leave(wait=False)
            return table.thread.submit(table.go_on, game_id)

    def stop(self) -> None:
        """Stop all bots."""
        self._is_stopping.set()
        for table in self._tables.values():
            table.leave(wait=True)
        self._tables.clear()


# A thread for each table, because a bot's sandbox ends when the thread that started the bot exits.
class _Table:
    def __init__(
        self,
        games: GameStore,
        seat_bot: SeatBot,
        playing: threading.BoundedSemaphore,
        is_stopping: threading.Event,
    ) -> None:
        self.thread = ThreadPoolExecutor(1, "browser-game")
        self._games = games
        self._seat_bot = seat_bot
        self._playing = playing
        self._is_stopping = is_stopping
        self._agents: list[Agent] = []
        self._runner: BrowserGameRunner | None = None

    def leave(self, *, wait: bool) -> None:
        self.thread.submit(self._close)
        self.thread.shutdown(wait=wait)

    def go_on(self, game_id: str) -> None:
        stored = self._games.get(game_id)
        if stored is None or stored.is_over or self._is_stopping.is_set():
            self._close()
            return
        try:
            with self._playing:
                runner = self._play(stored.game)
            result = None
            if record := runner.record:
                result = Result(record.points[stored.game.seat], record.ranks[stored.game.seat])
            if runner.game != stored.game or result:
                is_stored = self._games.extend(game_id, stored.game, runner.game, result)
                if result or not is_stored:
                    self._close()
        except ServerStopping:
            self._close()
        except BaseException:
            self._close()
            raise

    def _play(self, game: BrowserGame) -> BrowserGameRunner:
        runner = self._runner
        known = runner.game.actions if runner and runner.game.key == game.key else None
        if runner and game.actions == known:
            return runner
        if runner and game.actions[:-1] == known:
            for process in self._processes():
                process.thaw()
            runner.act(game.actions[-1])
        else:
            self._close()
            variant = get_variant(game.variant)
            bots = {
                seat: self._seated(bot, start_message(variant, seat, game.seeds[seat]))
                for seat, bot in enumerate(game.bots)
                if bot
            }
            self._runner = runner = BrowserGameRunner(game, bots)
            runner.begin()
        for process in self._processes():
            process.freeze()
        return runner

    def _seated(self, bot: str, start: Start) -> Callable[[Decision], str]:
        absent = None
        try:
            agent = self._seat_bot(bot)
            self._agents.append(agent)
            seated = agent.sit(start)
        except BotError as error:
            absent = error

        def act(decision: Decision) -> str:
            if self._is_stopping.is_set():
                raise ServerStopping
            if absent:
                raise absent
            return seated.act(decision)

        return act

    def _processes(self) -> list[ProcessAgent]:
        return [agent for agent in self._agents if isinstance(agent, ProcessAgent)]

    def _close(self) -> None:
        self._runner = None
        while self._agents:
            self._agents.pop().close()
