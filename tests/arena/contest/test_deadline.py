"""Tests of deadlines and time zones."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from arena.base.errors import SettingsError
from arena.contest.settings import Deadline, read_time

DUE = datetime(2026, 12, 1, 18, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_submission_at_the_deadline_is_on_time() -> None:
    assert Deadline(DUE).judge(DUE) == "on time"
    assert Deadline(DUE).judge(DUE + SECOND) == "late"
    assert Deadline(DUE, refuses=True).judge(DUE + SECOND) == "too late"


def test_time_zone_defaults_to_that_of_the_reader() -> None:
    west = timezone(timedelta(hours=-5))
    assert read_time("2026-12-01 18:00", UTC) == DUE
    assert read_time("2026-12-01 13:00", west) == DUE
    assert read_time("2026-12-01T19:00+01:00", west) == DUE
    assert read_time("2026-12-01", UTC) == datetime(2026, 12, 1, 23, 59, tzinfo=UTC)
    assert read_time("2026-12-01", UTC, starts=True) == datetime(2026, 12, 1, tzinfo=UTC)
    assert read_time("2026-12-01 18:00", None).utcoffset() is not None
    for text in ("2026-03-29 02:30", "2026-10-25 02:30"):  # skipped, and doubled
        with pytest.raises(SettingsError) as refused:
            read_time(text, ZoneInfo("Europe/Berlin"))
        assert f"{text}+01:00" in str(refused.value)
        assert f"{text}+02:00" in str(refused.value)
    with pytest.raises(SettingsError, match="expected one such as '2026-12-01 18:00'"):
        read_time("tomorrow", UTC)
