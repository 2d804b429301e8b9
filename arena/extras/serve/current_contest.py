"""Read the server's contest file, and reload the file when it changes."""

import threading
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
_changing = threading.Lock()


def file_stamp(file: Path) -> Stamp:
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_served(file: Path) -> Contest:
    contest = read_contest(file)
    return replace(contest, entrants=replace(contest.entrants, roster=None))


class CurrentContest:
    def __init__(self, file: Path) -> None:
        self.file = file
        self.problem = ""
        self._lock = threading.Lock()
        self._stamp = file_stamp(file)
        self._contest = read_served(file)

    def __call__(self) -> Contest:
        with self._lock:
            if (stamp := file_stamp(self.file)) != self._stamp:
                try:
                    self._contest, self.problem = read_served(self.file), ""
                except ArenaError as error:
                    self.problem = str(error)
                self._stamp = stamp
            return self._contest


def text_of(file: Path) -> str:
    with os_error_as(SettingsError, f"cannot read {file}"):
        content = file.read_bytes()
    try:
        return decode_text(content)
    except ValueError as error:
        raise SettingsError(f"{file} {error}") from None


def change_setting(file: Path, text: str, table: str, key: str, value: str | int | None) -> None:
    """Change a setting in a contest file, but keep the comments in the file.

    `text` is the content that was read. If `value` is None, the setting is removed. Raise
    `SettingsError` if the file has changed since it was read, is not valid TOML, or can't be
    written.
    """
    import tomlkit  # part of the extra; commands about people work without it

    try:
        document: Any = tomlkit.parse(text)
    except ValueError as error:
        raise SettingsError(f"cannot read {file}: {error}") from None
    settings = document.setdefault(table, tomlkit.table())
    if value is not None:
        settings[key] = value
    else:
        settings.pop(key, None)
    with _changing:
        if text_of(file) != text:
            raise SettingsError(f"{file.name} was changed at the same time: try again")
        with (
            os_error_as(SettingsError, f"cannot write {file}"),
            atomic_file(file, file.stat().st_mode & 0o777) as replaced,
        ):
            replaced.write(tomlkit.dumps(document).encode())


def time_left(now: datetime, then: datetime) -> str:
    minutes = max(0, round((then - now).total_seconds() / 60))
    days, hours = divmod(minutes // 60, 24)
    if days:
        return f"{days} day{'' if days == 1 else 's'} {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def time_until(now: datetime, then: datetime | None) -> str:
    """Return text such as "in 3 days 4 h" or "2 h 5 min ago". The text is empty if `then` is
    None.
    """
    if then is None:
        return ""
    return f"in {time_left(now, then)}" if then > now else f"{time_left(then, now)} ago"
