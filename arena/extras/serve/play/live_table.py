"""A game under way with its bots, which wait frozen while the person thinks."""

import threading
import time
from collections.abc import Callable

from arena.agents import Agent, ProcessAgent, Seated
from arena.errors import BotError
from arena.extras.serve.play.browser_game import BrowserGame
from arena.extras.serve.play.course import Course
from arena.extras.serve.play.game_store import GameStore, Result, StoredBrowserGame
from arena.match.seats import Ask
from engine import get_variant

STORE_S = 1.0
"""The time after which the actions of bots are stored while other bots still think."""

SeatBot = Callable[[str], Agent]
"""Returns the bot with an id as an agent of its own."""


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
            seated = {
                seat: _UntilStopped(bot, is_stopping)
                for seat, bot in self._seated(stored.game, seat_bot).items()
            }
            self._course = Course(stored.game, seated, self._store_sometimes)
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

    def _seated(self, game: BrowserGame, seat_bot: SeatBot) -> dict[int, Seated]:
        variant = get_variant(game.variant)
        seated: dict[int, Seated] = {}
        for seat, bot in enumerate(game.bots):
            if bot:
                try:
                    agent = seat_bot(bot)
                    self._agents.append(agent)
                    seated[seat] = agent.sit(game.start_of(variant, seat))
                except BotError as error:
                    seated[seat] = _Absent(error)
        return seated

    def _store_sometimes(self, game: BrowserGame) -> None:
        if time.monotonic() - self._stored_at > STORE_S:
            self._store(game)

    def _store(self, game: BrowserGame, result: Result | None = None) -> None:
        if not self._games.extend(self._game_id, self._stored, game, result):
            raise _LeftGame
        self._stored, self._stored_at = game, time.monotonic()


class _LeftGame(Exception):
    """The person has left the game."""


class _UntilStopped:
    """The seat of a bot that is not asked any more once the server stops."""

    def __init__(self, seated: Seated, is_stopping: threading.Event) -> None:
        self._seated = seated
        self._is_stopping = is_stopping

    def act(self, asked: Ask) -> str:
        if self._is_stopping.is_set():
            raise Stopping
        action = self._seated.act(asked)
        if self._is_stopping.is_set():  # it may have been ended with the server
            raise Stopping
        return action

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._seated.end(points, ranks)


class _Absent:
    """The seat of a bot that could not be started."""

    def __init__(self, error: BotError) -> None:
        self._error = error

    def act(self, asked: Ask) -> str:
        raise self._error

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        pass
