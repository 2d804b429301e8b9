"""A lock that one process holds, until it releases it or ends in whatever way."""

import os
from pathlib import Path

from arena.errors import StoreError

try:
    import fcntl
except ImportError:  # not a Unix: there, nobody is kept from starting the same run twice
    fcntl = None  # type: ignore[assignment]


def take(file: int) -> None:
    """Lock an open file or folder for as long as it is open, where the system knows such locks.

    Raises:
        BlockingIOError: somebody else has locked it.
    """
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """A locked file, which holds its owner's process id."""

    def __init__(self, path: Path) -> None:
        """Lock a file, which is made if it is not there.

        Raises:
            StoreError: another process has locked it.
            OSError: it cannot be written.
        """
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            take(self._file)
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, str(os.getpid()).encode(), 0)
        except BlockingIOError:
            owner = _read_owner(self._file)
            os.close(self._file)
            raise StoreError(
                f"another process is playing this run (process {owner}): wait until it is done, "
                "stop it, or choose another name with --name"
            ) from None
        except OSError:
            os.close(self._file)
            raise

    def release(self) -> None:
        """Give the lock up. The file stays: who deletes it may delete another's lock."""
        os.close(self._file)


def owner_of(path: Path) -> str | None:
    """Return the process id of whoever holds the lock of this file, or None if nobody does."""
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _read_owner(file)
    finally:
        os.close(file)


def _read_owner(file: int) -> str:
    return os.pread(file, 20, 0).decode(errors="replace") or "unknown"
