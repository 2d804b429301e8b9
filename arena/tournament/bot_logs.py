"""The logs of a run: what its bots wrote to stderr, in a folder for each bot.

Each worker has a file of its own for each bot, a JSON object a line. When a file is full it becomes
the old one, and the old one before it is deleted. So a bot that prints much keeps its last lines.
"""

import contextlib
import os
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import StoreError
from arena.match.bot_log import LogLine

LOGS = "logs"
"""The folder in the folder of a run."""
MAX_FILE_BYTES = 256 * 1024
"""Each worker keeps at most two such files of a bot."""
VERSION = 1


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a bot, as it is stored."""

    version: int = msgspec.field(name="v")
    text: str
    game: str = ""
    """The key of the game; empty before the first game of the process."""
    seat: int | None = None
    move: int | None = None
    """From 0; None if it was not the bot's turn."""


class LogWriter:
    """Writes the lines of bots for one worker. No file stays open between two lines."""

    def __init__(self, folder: Path, worker: int) -> None:
        """Write to `folder`, the logs of a run, in the files of the worker with this number."""
        self._folder = folder
        self._worker = worker

    def write(self, line: LogLine) -> None:
        """Add a line of a bot. A full disk loses logs and does not end the run."""
        key = line.game.key if line.game else ""
        stored = StoredLine(VERSION, line.text, key, line.seat, line.move)
        self._add(line.bot, msgspec.json.encode(stored) + b"\n")

    def append(self, bot: str, stored: str) -> None:
        """Add lines of a bot that another machine has stored, whole lines as they are stored."""
        for line in stored.encode().splitlines(keepends=True):
            self._add(bot, line)

    def _add(self, bot: str, data: bytes) -> None:
        with contextlib.suppress(OSError):
            path = folder_of(self._folder, bot) / f"{self._worker}.jsonl"
            if _size_with(path, data) >= MAX_FILE_BYTES:
                path.replace(path.with_suffix(".old.jsonl"))


def _size_with(path: Path, data: bytes) -> int:
    """Add `data` to a file, and return its size. Only who plays the run may read its folder."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except FileNotFoundError:
        for folder in (path.parent.parent, path.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        return _size_with(path, data)
    try:
        os.write(file, data)
        return os.fstat(file).st_size
    finally:
        os.close(file)


def folder_of(logs: Path, bot: str) -> Path:
    """Return the folder of a bot's logs; its name is that of the bot, with `%` for odd letters."""
    name = urllib.parse.quote(bot, safe="+()")
    return logs / (f"%2E{name[1:]}" if name.startswith(".") else name)


def read_logs(logs: Path, bot: str) -> Iterator[StoredLine]:
    """Yield the lines of a bot, each worker's in the order in which they were written.

    Raises:
        StoreError: a file was not written by this version of the arena, or cannot be read.
    """
    for file in sorted(folder_of(logs, bot).glob("*.jsonl"), key=age_of):
        with os_error_as(StoreError, f"cannot read {file}"):
            lines = file.read_bytes().split(b"\n")
        for number, line in enumerate(lines[:-1], 1):  # the last one is empty, or half written
            try:
                stored = msgspec.json.decode(line, type=StoredLine)
            except (msgspec.DecodeError, UnicodeDecodeError):
                if b"\0" in line:  # the machine went down while it was written
                    continue
                raise StoreError(f"{file}, line {number} is no line of a log: delete it") from None
            if stored.version != VERSION:
                raise StoreError(
                    f"{file} has version {stored.version} of logs, this arena reads {VERSION}: "
                    "read it with the arena that wrote it"
                )
            yield stored


def age_of(file: Path) -> tuple[str, bool]:
    """Return a key that sorts the old file of a worker before its present one."""
    worker, _, rest = file.name.partition(".")
    return worker, not rest.startswith("old")
