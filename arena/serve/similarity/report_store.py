"""The comparison of submissions that the teacher asked for last, in the database of the server."""

from typing import NamedTuple

from arena.serve.database import Database


class Comparing(NamedTuple):
    """What is known of the comparison."""

    asked: float | None
    """In seconds since 1970; None if none was asked for."""
    made: float | None
    report: bytes | None
    """JSON of a `SimilarityReport`, the former one while the next is made."""
    failure: str

    @property
    def is_under_way(self) -> bool:
        """Whether it was asked for and is not there yet."""
        return self.asked is not None and (self.made is None or self.made < self.asked)


class SimilarityStore:
    """Keeps what was asked for and what came of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_asked_for(self) -> bool:
        """Whether a comparison has to be made."""
        return self.read().is_under_way

    def read(self) -> Comparing:
        """Return what is known of the comparison."""
        query = "SELECT asked, made, report, failure FROM similarity"
        row = self._database.connect().execute(query).fetchone()
        return Comparing(*row) if row else Comparing(None, None, None, "")

    def ask(self, now: float) -> None:
        """Ask for a comparison, unless one is under way."""
        if not self.is_asked_for:
            with self._database.transaction() as connection:
                connection.execute(
                    "INSERT INTO similarity (number, asked) VALUES (1, ?1) "
                    "ON CONFLICT DO UPDATE SET asked = ?1",
                    [now],
                )

    def keep(self, report: bytes, now: float) -> None:
        """Keep the comparison that was asked for, in place of the former one."""
        with self._database.transaction() as connection:
            query = "UPDATE similarity SET made = max(?, asked), report = ?, failure = ''"
            connection.execute(query, [now, report])

    def fail(self, reason: str, now: float) -> None:
        """Keep why the comparison that was asked for could not be made."""
        with self._database.transaction() as connection:
            query = "UPDATE similarity SET made = max(?, asked), failure = ?"
            connection.execute(query, [now, reason])
