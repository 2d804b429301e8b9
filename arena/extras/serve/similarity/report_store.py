"""The last comparison of submissions, from its request to its report, in the database."""

from typing import NamedTuple

from arena.extras.serve.database import Database


class ReportState(NamedTuple):
    """The last comparison: requested, made or failed."""

    asked: float | None
    """When it was requested, in seconds since 1970; None without a request."""
    made: float | None
    report: bytes | None
    """JSON of a `SimilarityReport`, the former one while the next is made."""
    failure: str

    @property
    def is_under_way(self) -> bool:
        """Whether a comparison is requested and not made yet."""
        return self.asked is not None and (self.made is None or self.made < self.asked)


class ReportStore:
    """Stores the request for a comparison, and its report or failure."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_asked_for(self) -> bool:
        """Whether a comparison has to be made."""
        return self.read().is_under_way

    def read(self) -> ReportState:
        """Return the state of the last comparison."""
        query = "SELECT asked, made, report, failure FROM similarity"
        row = self._database.connect().execute(query).fetchone()
        return ReportState(*row) if row else ReportState(None, None, None, "")

    def ask(self, now: float) -> None:
        """Request a comparison, unless one is under way."""
        if not self.is_asked_for:
            with self._database.transaction() as connection:
                connection.execute(
                    "INSERT INTO similarity (number, asked) VALUES (1, ?1) "
                    "ON CONFLICT DO UPDATE SET asked = ?1",
                    [now],
                )

    def keep(self, report: bytes, now: float) -> None:
        """Store the report of the requested comparison, in place of the former one."""
        with self._database.transaction() as connection:
            query = "UPDATE similarity SET made = max(?, asked), report = ?, failure = ''"
            connection.execute(query, [now, report])

    def fail(self, reason: str, now: float) -> None:
        """Store why the requested comparison could not be made."""
        with self._database.transaction() as connection:
            query = "UPDATE similarity SET made = max(?, asked), failure = ?"
            connection.execute(query, [now, reason])
