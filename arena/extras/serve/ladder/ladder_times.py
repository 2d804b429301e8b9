"""When the public board is frozen, and when the final is due. Pure: the caller gives the time."""

from datetime import datetime, timedelta
from typing import NamedTuple

from arena.contest.settings import Contest


class LadderTimes(NamedTuple):
    """The times of a contest that the ladder depends on."""

    freezes: datetime | None = None
    """When the public board is frozen. None means never."""
    closes: datetime | None = None
    """The end of the deadline's grace. None means no deadline."""
    has_final: bool = True
    """Whether a final is played after the deadline."""

    def is_frozen(self, now: datetime, *, is_final_over: bool) -> bool:
        """Return whether the public board is frozen at a time.

        It stays frozen until the final is over, or without a final until the deadline.
        """
        if self.freezes is None or self.closes is None or now < self.freezes or is_final_over:
            return False
        return self.has_final or now <= self.closes

    def is_final_due(self, now: datetime) -> bool:
        """Return whether the final should have begun by a time."""
        return self.has_final and self.closes is not None and now > self.closes


def times_of(contest: Contest) -> LadderTimes:
    """Return the times of a contest. Raises `SettingsError` if the deadline is not a time."""
    deadline = contest.deadline.deadline()
    if deadline is None or deadline.due is None:
        return LadderTimes(has_final=contest.serve.final)
    minutes = contest.serve.freeze_minutes
    return LadderTimes(
        deadline.due - timedelta(minutes=minutes) if minutes else None,
        deadline.due + deadline.grace,
        contest.serve.final,
    )
