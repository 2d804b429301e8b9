"""A lock file, held by one process until it releases the lock or ends in any way."""

import os
from pathlib import Path

from arena.errors import StoreError

try:
    import fcntl
except ImportError:  # not a Unix: there the same run can be started twice
    fcntl = None  # type: ignore[assignment]


def take(file: int) -> None:
    """Lock an open file or folder until it is closed, if the system has such locks.

    Raises:
        BlockingIOError: another process has locked it.
    """
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def wait(file: int) -> None:
    """Lock an open file or folder until it is closed, once no other process has locked it."""
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX)


def share(file: int) -> None:
    """Lock an open file or folder with others that share it, once no process has it for itself.

    `take` turns the lock into one for this process alone.
    """
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_SH)


class Lock:
    """A locked file with the process id of its owner."""

    def __init__(self, path: Path) -> None:
        """Lock a file, which is created if necessary.

        Raises:
            StoreError: another process has locked it.
            OSError: the file cannot be written.
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
        """Release the lock. The file stays, since another process may have locked it by then."""
        os.close(self._file)


def owner_of(path: Path) -> str | None:
    """Return the id of the process that holds the lock of a file, or None."""
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
