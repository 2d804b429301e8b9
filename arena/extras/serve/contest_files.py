"""The files in the folder of a contest that belong in a backup."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from arena.atomic_file import INCOMPLETE as NEW
from arena.atomic_file import atomic_file
from arena.contest.packages import ENVIRONMENTS
from arena.contest.reader_process import INCOMING_PREFIX
from arena.contest.reading_jobs import UNPACKED
from arena.contest.snapshots import STAGING_PREFIX
from arena.errors import StoreError

INCOMPLETE = (INCOMING_PREFIX, STAGING_PREFIX, UNPACKED)
"""Prefixes of the names of files that are incomplete, or are made again when needed."""
TEMPORARY = (NEW, ".lock")


def contest_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder at any depth, in order, and folders that are empty.

    Installed packages are left out, since they are made again from the wheels.
    """
    try:
        with os.scandir(folder) as entries:
            children = sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:  # deleted since then: a temporary folder, or an old copy of a bot
        return
    kept = [one for one in children if _is_kept(one.name)]
    if not kept:
        yield folder
    for one in kept:
        if one.is_dir(follow_symlinks=False) and one.name != ENVIRONMENTS:
            yield from contest_files(Path(one.path))
        else:
            yield Path(one.path)


def _is_kept(name: str) -> bool:
    """Return whether a file or folder of this name belongs into a backup."""
    return not (name.startswith(INCOMPLETE) or name.endswith(TEMPORARY) or name == "__pycache__")


# -- the file of a backup or an export, which is readable by its owner only --------------------


OWNER_ONLY = 0o600


@contextmanager
def archive_file(target: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets the name `target` when the context ends without an exception.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(target, OWNER_ONLY) as file:
            yield file
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from None
