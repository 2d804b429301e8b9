"""The contest file of a server: read again when it changes, and changed by the teacher."""

import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import ArenaError, SettingsError
from arena.base.text_file import decode_text
from arena.contest.contest_file import read_contest
from arena.contest.settings import Contest

Stamp = tuple[int, ...]


def file_stamp(file: Path) -> Stamp:
    """Return a value that changes with a file; an empty one if there is no file."""
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_served(file: Path) -> Contest:
    """Return the contest of a file as it is served: its people are those of the server.

    Raises:
        SettingsError: the file cannot be read.
    """
    contest = read_contest(file)
    return replace(contest, entrants=replace(contest.entrants, roster=None))


class CurrentContest:
    """Returns the contest as its file says now. Any thread may call it."""

    def __init__(self, file: Path) -> None:
        """Read the contest. Raises `SettingsError` if its file cannot be read."""
        self.file = file
        self.problem = ""
        """Why the file cannot be read any more; empty if it can. The contest is then as before."""
        self._lock = threading.Lock()
        self._stamp = file_stamp(file)
        self._contest = read_served(file)

    def __call__(self) -> Contest:
        """Return the contest, from its file if that has changed."""
        with self._lock:
            if (stamp := file_stamp(self.file)) != self._stamp:
                try:
                    self._contest, self.problem = read_served(self.file), ""
                except ArenaError as error:
                    self.problem = str(error)
                self._stamp = stamp
            return self._contest


Values = Mapping[tuple[str, str], object]
"""Settings by table and name."""


def dates_of(contest: Contest) -> Values:
    """Return the settings that a teacher changes in the browser; texts that are not set are empty.

    Their names are those of the fields of the form.
    """
    table = contest.deadline
    return {
        ("site", "title"): contest.stage.title,
        ("deadline", "opens"): table.opens or "",
        ("deadline", "due"): table.due or "",
        ("deadline", "grace_minutes"): table.grace_minutes,
        ("deadline", "late"): table.late,
        ("serve", "freeze_minutes"): contest.serve.freeze_minutes,
    }


def with_settings(text: str, values: Values) -> str:
    """Return the text of a contest file with other settings. Comments and all else stay.

    Settings that are empty are left out.

    Raises:
        SettingsError: the text is not TOML.
    """
    import tomlkit  # of the extra; commands about people work without it

    try:
        document: Any = tomlkit.parse(text)
    except ValueError as error:
        raise SettingsError(f"the contest file cannot be read: {error}") from None
    for (table, name), value in values.items():
        if value in ("", 0) and name not in document.get(table, {}):
            continue
        if value == "":
            del document[table][name]
        else:
            document.setdefault(table, tomlkit.table())[name] = value
    return tomlkit.dumps(document)


def contest_with(file: Path, values: Values) -> Contest:
    """Return the contest of a file as it would be with other settings.

    Raises as `change_settings` does.
    """
    return _read(file, with_settings(_text_of(file), values))


def change_settings(file: Path, values: Values) -> None:
    """Write other settings into a contest file, which is replaced whole.

    Raises:
        SettingsError: one is wrong, or the file cannot be read or written; it stays as it was.
    """
    replace_text(file, with_settings(_text_of(file), values))


def replace_text(file: Path, text: str) -> None:
    """Replace the text of a contest file. Raises as `change_settings` does."""
    _read(file, text)
    with os_error_as(SettingsError, f"cannot write {file}"):
        mode = file.stat().st_mode & 0o777
        with atomic_file(file, mode) as replaced:
            replaced.write(text.encode())


def _text_of(file: Path) -> str:
    with os_error_as(SettingsError, f"cannot read {file}"):
        content = file.read_bytes()
    try:
        return decode_text(content)
    except ValueError as error:
        raise SettingsError(f"{file} {error}") from None


def _read(file: Path, text: str) -> Contest:
    """Return the contest of a text that is to take the place of a file."""
    trial = file.with_name(f".dates-{file.name}")
    with os_error_as(SettingsError, f"cannot write {trial}"):
        try:
            trial.write_text(text, "utf-8")
            contest = read_contest(trial)
        except SettingsError as error:
            raise SettingsError(str(error).replace(trial.name, file.name)) from None
        finally:
            trial.unlink(missing_ok=True)
    contest.deadline.deadline()
    return contest


def time_left(now: datetime, then: datetime) -> str:
    """Return the time from now to another moment in words: `3 days 4 h`, or `12 min`."""
    minutes = max(0, round((then - now).total_seconds() / 60))
    days, hours = divmod(minutes // 60, 24)
    if days:
        return f"{days} day{'' if days == 1 else 's'} {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def time_until(now: datetime, then: datetime | None) -> str:
    """Return when another moment is, such as `in 3 days 4 h` or `2 h 5 min ago`, or no text."""
    if then is None:
        return ""
    return f"in {time_left(now, then)}" if then > now else f"{time_left(then, now)} ago"
