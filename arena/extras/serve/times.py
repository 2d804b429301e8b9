"""Times in seconds since 1970, in other forms."""

from datetime import UTC, datetime


def local_time(seconds: float) -> datetime:
    """Return a time in the zone of this machine."""
    return datetime.fromtimestamp(seconds).astimezone()


def iso_time(seconds: float) -> str:
    """Return a time as ISO 8601 in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
