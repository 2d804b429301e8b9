"""Lock files and folders. When a process ends or is killed, its locks are released."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from arena.base.errors import StoreError

try:
    import fcntl
except ImportError:  # not a Unix: the same run can be started twice
    fcntl = None  # type: ignore[assignment]


def take(file: int) -> None:
    """Lock an open file or folder until it is closed.

    Raise `BlockingIOError` if another process holds the lock.
    """
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def wait(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX)


class Lock:
    """A locked file that contains the id of the process that holds the lock."""

    def __init__(self, path: Path) -> None:
        """Create the file if necessary. Raise `StoreError` if another process holds the lock."""
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
        os.close(self._file)


class ScratchFolder:
    """A locked temporary folder that is deleted at the end of the `with` block."""

    def __init__(self, parent: Path, prefix: str) -> None:
        self._is_first = not parent.is_dir()
        parent.mkdir(parents=True, exist_ok=True)
        for left in parent.glob(f"{prefix}*"):
            delete_unlocked(left)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            try:
                file = os.open(self.path, os.O_RDONLY)
            except FileNotFoundError:  # another process considered the file abandoned
                continue
            with contextlib.suppress(BlockingIOError):
                take(file)
                if self.path.is_dir():  # it was not deleted between the last two lines
                    self._lock: int | None = file
                    return
            os.close(file)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.delete()

    def delete(self) -> None:
        if self._lock is None:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)
        self._lock = None
        if self._is_first:
            with contextlib.suppress(OSError):  # the folder contains something else
                self.path.parent.rmdir()


def delete_unlocked(folder: Path) -> bool:
    """Delete a folder unless a running process has locked it. Return whether the folder is gone."""
    with contextlib.suppress(OSError):  # locked, not ours, or deleted meanwhile
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            take(file)
            shutil.rmtree(folder)
        finally:
            os.close(file)
    return not folder.exists()


def owner_of(path: Path) -> str | None:
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
