"""Store people's games against bots in the server's database."""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from arena.extras.serve.play.browser_game import BrowserGame
from arena.extras.serve.server_database import ServerDatabase

MAX_FINISHED = 30
ID_BYTES = 12

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(BrowserGame)


class Result(NamedTuple):
    points: int
    rank: int


class StoredBrowserGame(NamedTuple):
    id: str
    person: str
    game: BrowserGame
    played: float
    """Unix time when the last action was stored."""
    result: Result | None

    @property
    def is_over(self) -> bool:
        return self.result is not None


class GameStore:
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
        """Replace a person's unfinished game with a new game, and return the new game's id."""
        game_id = self._random_bytes(ID_BYTES).hex()
        with self._database.transaction() as connection:
            connection.execute(
                "DELETE FROM browser_games WHERE person = ?1 AND id NOT IN (SELECT id FROM "
                "browser_games WHERE person = ?1 AND rank IS NOT NULL "
                "ORDER BY played DESC, id LIMIT ?2)",
                [person, MAX_FINISHED],
            )
            connection.execute(
                "INSERT INTO browser_games (id, person, game, moves, played) "
                "VALUES (?, ?, ?, ?, ?)",
                [game_id, person, _encoder.encode(game), len(game.actions), self._clock()],
            )
        return game_id

    def get(self, game_id: str) -> StoredBrowserGame | None:
        row = self._database.row("SELECT * FROM browser_games WHERE id = ?", game_id)
        return _stored(row) if row else None

    def of_person(self, person: str) -> list[StoredBrowserGame]:
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
        """Save the new state of a game. Return False if another request has already added moves to
        the game.
        """
        changed = self._database.write(
            "UPDATE browser_games SET game = ?, moves = ?, played = ?, points = ?, rank = ? "
            "WHERE id = ? AND moves = ? AND rank IS NULL",
            *(_encoder.encode(now), len(now.actions), self._clock()),
            *(result or (None, None)),
            *(game_id, len(before.actions)),
        )
        return bool(changed.rowcount)


def _stored(row: sqlite3.Row) -> StoredBrowserGame:
    game = _decoder.decode(row["game"])
    result = None if row["rank"] is None else Result(row["points"], row["rank"])
    return StoredBrowserGame(row["id"], row["person"], game, row["played"], result)
