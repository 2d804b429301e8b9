"""Uploaded files of submissions, kept until after their check.

submissions/.handed-in/           only its owner may read it
    0f3c.../my_bot.py             a submission, in a folder with a random name
    .new-0f3c.../                 an incomplete one
"""

import os
import shutil
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from arena.base.errors import SubmissionError
from arena.base.protocol import printable
from arena.contest.bot_files import PACKED
from arena.contest.roster import safe_id
from arena.contest.submission_log import SubmissionLog

FOLDER = ".handed-in"
"""The folder in the folder of submissions."""
INCOMPLETE = ".new-"
"""The prefix of the folder of a file that is being written."""
KEY_BYTES = 12
"""Random bytes in the name of a folder."""
COPY_BYTES = 256 * 1024
"""Bytes that are copied at a time."""
MAX_NAME_CHARS = 100
"""Characters of the name of a file that are shown."""


class UploadedFiles:
    """Stores the uploaded files of a contest."""

    def __init__(self, submissions: Path, random_bytes: Callable[[int], bytes]) -> None:
        """Take the folder of submissions. Names of folders in it are made from `random_bytes`."""
        self._folder = submissions / FOLDER
        self._random_bytes = random_bytes

    def keep(self, content: IO[bytes], name: str) -> str:
        """Write a file to the disk, and return its key. It is stored whole or not at all.

        Args:
            content: is read to its end.
            name: what the student calls the file.

        Raises:
            SubmissionError: the name is not that of a .py or .zip file.
            OSError: it cannot be written.
        """
        safe = safe_file_name(name)
        key = self._random_bytes(KEY_BYTES).hex()
        self._folder.mkdir(mode=0o700, exist_ok=True)
        new = self._folder / f"{INCOMPLETE}{key}"
        try:
            new.mkdir(mode=0o700)
            with (new / safe).open("xb") as file:
                shutil.copyfileobj(content, file, COPY_BYTES)
                file.flush()
                os.fsync(file.fileno())
            _flush(new)
            new.rename(self._folder / key)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        _flush(self._folder)
        return key

    def path(self, key: str) -> Path:
        """Return the path of a file by its key. Raises `SubmissionError` if it is gone."""
        with suppress(OSError, StopIteration):
            return next((self._folder / key).iterdir())
        raise SubmissionError("its file is not there any more: submit it again")

    def delete(self, keys: Collection[str]) -> None:
        """Delete files by their keys, but not while others settle the submissions.

        Missing files are ignored.
        """
        with SubmissionLog(self._folder.parent).settled():
            for key in keys:
                shutil.rmtree(self._folder / key, ignore_errors=True)

    def delete_others(self, keys: Collection[str]) -> None:
        """Delete all files but these: uploads that a killed server did not acknowledge.

        No file may be written at the same time.
        """
        with suppress(FileNotFoundError):
            for folder in self._folder.iterdir():
                if folder.name not in keys:
                    shutil.rmtree(folder, ignore_errors=True)


def safe_file_name(name: str) -> str:
    """Return a name for the file that a student calls `name`, without any part of a path.

    Raises:
        SubmissionError: it is not the name of a .py or .zip file.
    """
    last = PurePosixPath(name.replace("\\", "/")).name
    stem, dot, ending = last.rpartition(".")
    if not stem or f"{dot}{ending.lower()}" not in PACKED:
        raise SubmissionError(
            f"got the file {shown_name(name)!r}, expected a .py file or a .zip file; put a bot of "
            "several files, or in another language with its bot.toml, into a zip"
        )
    return f"{safe_id(stem)}.{ending.lower()}"


def shown_name(name: str) -> str:
    """Return the name of a file as it is shown: printable and not too long."""
    shown = printable(name)
    return shown if len(shown) <= MAX_NAME_CHARS else f"{shown[: MAX_NAME_CHARS - 3]}..."


def _flush(folder: Path) -> None:
    """Write the names in a folder to the disk."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
