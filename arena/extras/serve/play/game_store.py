"""The games of people against bots in the database."""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from arena.base.errors import ServeError
from arena.extras.serve.play.browser_game import BrowserGame
from arena.extras.serve.server_database import ServerDatabase

MAX_UNFINISHED = 4
"""Games that a person may have under way."""
MAX_FINISHED = 30
"""Finished games of a person that are kept: the newest."""
ID_BYTES = 12

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(BrowserGame)


class Result(NamedTuple):
    """The result of a finished game for the person."""

    points: int
    rank: int


class StoredBrowserGame(NamedTuple):
    """A game in the database."""

    id: str
    person: str
    """The id of the person who plays it."""
    game: BrowserGame
    played: float
    """The time at which its last action was stored, in seconds since 1970."""
    result: Result | None
    """None until the game is over."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.result is not None


class GameStore:
    """Reads and writes the games of all people."""

    def __init__(
        self,
        database: ServerDatabase,
        clock: Callable[[], float],
        random_bytes: Callable[[int], bytes],
    ) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes

    def begin(self, person: str, game: BrowserGame) -> str:
        """Store a new game of a person, and return its id.

        Raises:
            ServeError: the person has `MAX_UNFINISHED` games under way.
        """
        game_id = self._random_bytes(ID_BYTES).hex()
        with self._database.transaction() as connection:
            (unfinished,) = connection.execute(
                "SELECT count(*) FROM browser_games WHERE person = ? AND rank IS NULL", [person]
            ).fetchone()
            if unfinished >= MAX_UNFINISHED:
                raise ServeError(
                    f"you have {unfinished} games under way, and may have {MAX_UNFINISHED}: finish "
                    "or leave one of them first"
                )
            connection.execute(
                "INSERT INTO browser_games (id, person, game, moves, played) "
                "VALUES (?, ?, ?, ?, ?)",
                [game_id, person, _encoder.encode(game), len(game.actions), self._clock()],
            )
        return game_id

    def get(self, game_id: str) -> StoredBrowserGame | None:
        """Return a game, or None."""
        row = self._database.row("SELECT * FROM browser_games WHERE id = ?", game_id)
        return _stored(row) if row else None

    def of_person(self, person: str) -> list[StoredBrowserGame]:
        """Return the games of a person: those under way first, the newest before older ones."""
        rows = self._database.rows(
            "SELECT * FROM browser_games WHERE person = ? "
            "ORDER BY rank IS NOT NULL, played DESC, id",
            person,
        )
        return list(map(_stored, rows))

    def extend(
        self,
        game_id: str,
        before: BrowserGame,
        now: BrowserGame,
        result: Result | None = None,
    ) -> bool:
        """Store how a game goes on from `before`. Return False if the stored game is another one.

        It is another one if a second page was quicker, or the person has left the game. `result` is
        the result of a game that is over.
        """
        with self._database.transaction() as connection:
            changed = connection.execute(
                "UPDATE browser_games SET game = ?, moves = ?, played = ?, points = ?, rank = ? "
                "WHERE id = ? AND moves = ? AND rank IS NULL",
                [
                    _encoder.encode(now),
                    len(now.actions),
                    self._clock(),
                    *(result or (None, None)),
                    game_id,
                    len(before.actions),
                ],
            ).rowcount
            if changed and result:
                self._forget_old(connection, game_id)
        return bool(changed)

    def leave(self, game_id: str) -> None:
        """Delete a game."""
        self._database.write("DELETE FROM browser_games WHERE id = ?", game_id)

    def _forget_old(self, connection: sqlite3.Connection, game_id: str) -> None:
        """Delete all but the newest finished games of the person who plays this one."""
        connection.execute(
            "DELETE FROM browser_games WHERE id IN (SELECT id FROM browser_games "
            "WHERE rank IS NOT NULL AND person = (SELECT person FROM browser_games WHERE id = ?) "
            "ORDER BY played DESC, id LIMIT -1 OFFSET ?)",
            [game_id, MAX_FINISHED],
        )


def _stored(row: sqlite3.Row) -> StoredBrowserGame:
    game = _decoder.decode(row["game"])
    result = None if row["rank"] is None else Result(row["points"], row["rank"])
    return StoredBrowserGame(row["id"], row["person"], game, row["played"], result)
