"""Store the stderr output of bots in JSON Lines files, one for each worker and bot."""

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
MAX_FILE_BYTES = 256 * 1024
"""Size in bytes at which a worker starts a new log file."""
VERSION = 1


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True):
    version: int = msgspec.field(name="v")
    text: str
    game: str = ""
    """Key of the game that the bot was playing when it wrote the text, or an empty string before
    its first game."""
    seat: int | None = None
    move: int | None = None
    """Index of the bot's current move in the game, starting at 0, or None outside the bot's
    turns."""


class LogWriter:
    def __init__(self, folder: Path, worker: int) -> None:
        self._folder = folder
        self._worker = worker

    def write(self, line: LogLine) -> None:
        key = line.game.key if line.game else ""
        stored = StoredLine(VERSION, line.text, key, line.seat, line.move)
        path = folder_of(self._folder, line.bot) / f"{self._worker}.jsonl"
        with contextlib.suppress(OSError):
            if _size_with(path, msgspec.json.encode(stored) + b"\n") >= MAX_FILE_BYTES:
                path.replace(path.with_suffix(".old.jsonl"))


def _size_with(path: Path, data: bytes) -> int:
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
    name = urllib.parse.quote(bot, safe="+()")
    return logs / (f"%2E{name[1:]}" if name.startswith(".") else name)


def read_logs(logs: Path, bot: str) -> Iterator[StoredLine]:
    """Yield a bot's log lines, worker by worker. Raise `StoreError` if a log file can't be read."""
    for file in sorted(folder_of(logs, bot).glob("*.jsonl"), key=age_of):
        with os_error_as(StoreError, f"cannot read {file}"):
            lines = file.read_bytes().split(b"\n")
        for number, line in enumerate(lines[:-1], 1):  # the last line may be incomplete
            try:
                stored = msgspec.json.decode(line, type=StoredLine)
            except (msgspec.DecodeError, UnicodeDecodeError):
                if b"\0" in line:  # the machine crashed while writing
                    continue
                raise StoreError(
                    f"{file}, line {number} is not a line of a log: delete the line"
                ) from None
            if stored.version != VERSION:
                raise StoreError(
                    f"{file} has version {stored.version} of logs, this arena reads {VERSION}: "
                    "read it with the arena that wrote it"
                )
            yield stored


def age_of(file: Path) -> tuple[str, bool]:
    worker, _, rest = file.name.partition(".")
    return worker, not rest.startswith("old")
