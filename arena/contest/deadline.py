"""The opening time and the deadline of a contest, and what they say of a submission's time."""

from datetime import datetime, timedelta, tzinfo
from typing import Literal, NamedTuple

from arena.errors import SettingsError

LATE_RULES = ("accept", "refuse")
"""What becomes of a late submission: it is accepted and marked, or refused."""

Timeliness = Literal["too early", "on time", "late", "too late"]


class Deadline(NamedTuple):
    """When submissions open, and when they are due."""

    due: datetime | None
    """With its zone. None means no deadline."""
    grace: timedelta = timedelta()
    """How long after `due` a submission still counts as on time."""
    refuses: bool = False
    """Whether what comes after that is refused."""
    opens: datetime | None = None
    """What comes before is refused. With its zone. None means that submissions are open."""

    def judge(self, at: datetime) -> Timeliness:
        """Return what a submission at this time is. The moment of the opening and the last one of
        the grace are on time."""
        if self.opens and at < self.opens:
            return "too early"
        if self.due is None or at <= self.due + self.grace:
            return "on time"
        return "too late" if self.refuses else "late"


def read_time(text: str, zone: tzinfo | None, *, starts: bool = False) -> datetime:
    """Return a time that a person has typed, such as `2026-12-01 18:00` or with `+01:00`.

    Args:
        text: the time, as ISO 8601 has it; a day alone stands for its last minute.
        zone: the zone of a time without one.
        starts: whether something starts then, so that a day alone stands for its first minute.

    Raises:
        SettingsError: it is no time.
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise SettingsError(
            f"got the time {text[:40]!r}, expected one such as '2026-12-01 18:00', or with a zone "
            "'2026-12-01 18:00+01:00'"
        ) from None
    if not starts and len(text.strip()) == len("2026-12-01"):
        time = time.replace(hour=23, minute=59)
    return time if time.tzinfo else _in_zone(time, zone)


def _in_zone(time: datetime, zone: tzinfo | None) -> datetime:
    return time.replace(tzinfo=zone) if zone else time.astimezone()


def check_time(text: str) -> None:
    """Refuse what is no time. Raises `SettingsError`."""
    read_time(text, None)


def check_late_rule(rule: str) -> None:
    """Refuse an unknown rule for late submissions. Raises `SettingsError`."""
    if rule not in LATE_RULES:
        raise SettingsError(f"got {rule!r}, expected {' or '.join(LATE_RULES)}")
