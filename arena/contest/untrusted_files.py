"""Read untrusted files exactly once, so that nobody can replace a file between two reads.

A student could replace a folder with a link to the contest's folder while the folder is being
read. If the arena resolved the same path twice, it could then get two different files. Each
folder is therefore opened only once, and all paths are resolved relative to the open folder:

    submissions/eve          UntrustedFolder(path): opened without following a stranger's link
              |- bot.py      .open("bot.py")        a regular file with the same owner and device
              '- lib/        .open("lib/a.py")      descends from the open folder, part by part
                  '- a.py

Each file is copied while it is read. Afterwards, only the copy is used.
"""

import errno
import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Self

from arena.base.errors import SubmissionError
from arena.base.protocol import printable

NO_LINK = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = NO_LINK | os.O_DIRECTORY
WAY = FOLDER | getattr(os, "O_PATH", 0)
FILE = NO_LINK | os.O_NONBLOCK
MAX_LINKS = 40
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
NOT_PLAIN = "is a link or a device: replace it with a regular file"
_IS_LINK = (errno.ELOOP, errno.ENOTDIR, errno.ENXIO)


class UntrustedFolder:
    """An open, untrusted folder. Use the folder as a context manager."""

    def __init__(self, path: Path, owner_of: str = "") -> None:
        """Open a folder. `UntrustedFolder.open` rejects files that don't belong to the folder's
        owner.

        If `owner_of` names a file in the folder, all files must belong to the owner of that file
        instead. Raise `SubmissionError` if the folder is a link, or if another account has
        created a link in its path.
        """
        with _way_to(path) as (parent, name):
            try:
                self._file = os.open(name, FOLDER, dir_fd=parent)
            except OSError as error:
                if error.errno == errno.ENOENT or not _is_link(name, parent):
                    raise
                raise SubmissionError(f"{printable(path.name)} {NOT_PLAIN}") from None
        self._label = printable(path.name)
        self._about = os.fstat(self._file)
        self._owner = self._about.st_uid
        if owner_of:
            with suppress(OSError):  # `open` reports the problem
                self._owner = os.stat(owner_of, dir_fd=self._file, follow_symlinks=False).st_uid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def entries(self, is_wanted: Callable[[PurePosixPath], bool]) -> Iterator[tuple[str, bool]]:
        """Yield all files and folders for which `is_wanted` returns True, as pairs `(path,
        is_folder)`.

        Raise `SubmissionError` if the folder contains a link or a device file.
        """
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            parts = waiting.pop()
            with self._descended(parts) as folder, os.scandir(folder) as entries:
                here = sorted([(each.name, *_kind(each)) for each in entries])
            for name, is_folder, is_file in here:
                path = "/".join([*parts, name])
                if not is_wanted(PurePosixPath(path)):
                    continue
                if not is_folder and not is_file:
                    raise refusal(self._label, path, NOT_PLAIN)
                yield path, is_folder
                if is_folder:
                    waiting.append((*parts, name))

    def files(self, is_wanted: Callable[[PurePosixPath], bool]) -> list[str]:
        return [path for path, is_folder in self.entries(is_wanted) if not is_folder]

    def open(self, path: str) -> io.BufferedReader:
        """Open a regular file, given its path relative to the folder.

        Raise `SubmissionError` if the path is not a regular file or belongs to another account.
        """
        *folders, name = path.split("/")
        with self._descended(folders) as folder:
            file = _open_plain(name, folder, path)
            try:
                self._check_owner(os.fstat(file), os.fstat(folder), path)
            except SubmissionError:
                os.close(file)
                raise
        return open(file, "rb")

    @contextmanager
    def _descended(self, parts: Sequence[str]) -> Iterator[int]:
        folder = os.dup(self._file)
        try:
            for number, part in enumerate(parts):
                path = "/".join(parts[: number + 1])
                try:
                    inner = os.open(part, FOLDER, dir_fd=folder)
                except OSError as error:
                    if error.errno in _IS_LINK:
                        raise refusal(self._label, path, NOT_PLAIN) from None
                    raise
                outer, folder = folder, inner
                try:
                    self._check_owner(os.fstat(inner), os.fstat(outer), path)
                finally:
                    os.close(outer)
            yield folder
        finally:
            os.close(folder)

    def _check_owner(self, about: os.stat_result, inside: os.stat_result, path: str) -> None:
        is_shared = bool(inside.st_mode & WRITABLE_BY_OTHERS)
        is_ours = self._owner == os.geteuid() and not is_shared
        reason = ""
        if about.st_dev != self._about.st_dev:
            reason = "is on another device"
        elif about.st_uid != self._owner and not is_ours:
            reason = "belongs to another account"
        elif is_shared and _has_other_names(about):
            reason = "is a hard link in a folder that other accounts can write to"
        if reason:
            raise refusal(self._label, path, f"{reason}: replace it with a copy")


def open_untrusted(path: Path) -> io.BufferedReader:
    """Open a regular file of any owner.

    Raises:
        SubmissionError: The file is a link, a device, or a hard link that another account may have
            created.
    """
    with _way_to(path) as (parent, name):
        file = _open_plain(name, parent, path.name)
        is_shared = os.fstat(parent).st_mode & WRITABLE_BY_OTHERS
    if is_shared and _has_other_names(os.fstat(file)):
        os.close(file)
        raise SubmissionError(f"{printable(path.name)} is a hard link: replace it with a copy")
    return open(file, "rb")


def _open_plain(name: str, folder: int, shown: str) -> int:
    not_plain = SubmissionError(f"{printable(shown)} {NOT_PLAIN}")
    try:
        file = os.open(name, FILE, dir_fd=folder)
    except OSError as error:
        if error.errno in _IS_LINK:
            raise not_plain from None
        raise
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise not_plain
    return file


def _kind(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    return entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False)


def _has_other_names(about: os.stat_result) -> bool:
    return stat.S_ISREG(about.st_mode) and about.st_nlink > 1


def _is_link(name: str, folder: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


@contextmanager
def _way_to(path: Path) -> Iterator[tuple[int, str]]:
    path = path.absolute()
    waiting = [*reversed(path.parts[1:])]
    links, folder = 0, os.open("/", WAY)
    try:
        while len(waiting) > 1:
            part = waiting.pop()
            try:
                inner = os.open(part, WAY, dir_fd=folder)
            except OSError as error:
                if error.errno not in _IS_LINK or not _is_link(part, folder):
                    raise
                links += 1
                if links > MAX_LINKS:
                    raise
                target = Path(_target(part, folder, path))
                waiting += reversed(target.parts[target.is_absolute() :])
                inner = os.open("/", WAY) if target.is_absolute() else os.dup(folder)
            os.close(folder)
            folder = inner
        yield folder, (waiting or ["."])[0]
    finally:
        os.close(folder)


def _target(name: str, folder: int, path: Path) -> str:
    about = os.stat(name, dir_fd=folder, follow_symlinks=False)
    inside = os.fstat(folder).st_mode
    reason = ""
    if about.st_uid not in (0, os.geteuid()):
        reason = "belongs to another account"
    elif inside & WRITABLE_BY_OTHERS and not inside & stat.S_ISVTX:
        reason = "is in a folder that other accounts can write to"
    if reason:
        raise SubmissionError(
            f"the link {printable(name)} in the path {printable(str(path))} {reason}: use a path "
            "without it"
        )
    return os.readlink(name, dir_fd=folder)


def refusal(label: str, path: str, reason: str) -> SubmissionError:
    shown = f"{path!a}" if len(path) <= 100 else f"{path[:100]!a}..."
    return SubmissionError(f"{label} is refused: {shown} {reason}")
