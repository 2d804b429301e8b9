"""The folder of a site: files are written aside, then put in place one by one.

A reader never sees half a file, and pages that link to others come after them, the index last. What
we have written is listed in a file of the folder, the marker; nothing else there is ever touched.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from arena.errors import StoreError
from arena.lock import take
from arena.publish.layout import INDEX

MARKER = "site.json"
UNNAMED = ".new"
"""The folder inside that of the site where the next one is made."""


class Marker(msgspec.Struct, frozen=True):
    """What tells that a folder is a site of ours."""

    made_by: str
    files: tuple[str, ...]
    """All that we have written, or are about to, as paths from the folder."""


class Site:
    """A site that is made. Use it as a context: at its end the new files take their places.

    If the context ends with an error, the folder stays as it was. One of the system, as when the
    disk is full, becomes a `StoreError`.
    """

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is made if it is not there.

        Raises:
            StoreError: it holds what is no site of ours, cannot be written, or somebody else is
                publishing to it.
        """
        self.folder = folder
        self._unnamed = folder / UNNAMED
        self._files: list[str] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise _cannot_write(folder, error) from None
        try:
            take(self._lock)
            self._before = _files_of(folder)
            shutil.rmtree(self._unnamed, ignore_errors=True)  # of somebody who was killed
            self._unnamed.mkdir()
        except BlockingIOError:
            os.close(self._lock)
            raise StoreError(
                f"somebody is publishing to {folder} just now: wait until that is done"
            ) from None
        except OSError as error:
            os.close(self._lock)
            raise _cannot_write(folder, error) from None
        except StoreError:
            os.close(self._lock)
            raise

    def path(self, name: str) -> Path:
        """Return where a file of the site is written until it takes its place."""
        path = self._unnamed / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._files.append(name)
        return path

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the site."""
        self.path(name).write_bytes(content.encode() if isinstance(content, str) else content)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if isinstance(error, OSError):  # of whoever wrote to a `path`
                raise error
            if kind is None:
                self._put_in_place()
        except OSError as wrong:
            raise _cannot_write(self.folder, wrong) from None
        finally:
            shutil.rmtree(self._unnamed, ignore_errors=True)
            os.close(self._lock)

    def _put_in_place(self) -> None:
        if foreign := [
            name
            for name in self._files
            if name not in self._before and os.path.lexists(self.folder / name)
        ]:
            raise StoreError(
                f"{self.folder / foreign[0]} is no file of ours and would be overwritten: move it "
                "away, or publish to another folder"
            )
        gone = self._before.difference(self._files)
        self._mark(self._before.union(self._files))  # so all is known to be ours, come what may
        for name in sorted(self._files, key=_order):
            old, new = self.folder / name, self._unnamed / name
            if not _is_same(old, new):
                old.parent.mkdir(parents=True, exist_ok=True)
                os.replace(new, old)
        for name in sorted(gone):
            (self.folder / name).unlink(missing_ok=True)
        for parent in {(self.folder / name).parent for name in gone}:
            if parent != self.folder and parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()
        self._mark(self._files)

    def _mark(self, files: Iterable[str]) -> None:
        marker = msgspec.json.encode(Marker("bribe-arena", tuple(sorted(files))))
        new, old = self._unnamed / MARKER, self.folder / MARKER
        new.write_bytes(msgspec.json.format(marker) + b"\n")
        os.replace(new, old)


def check_folder(folder: Path) -> None:
    """Raise `StoreError` if there is something in a folder that is no site of ours."""
    try:
        if folder.exists():
            _files_of(folder)
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot write the site to {folder}: {error.strerror or error}; choose another folder"
    )


def _files_of(folder: Path) -> frozenset[str]:
    """Return what we have written to a folder; raises `StoreError` if it is not ours to write."""
    try:
        marker = msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
        ours = marker.made_by == "bribe-arena"
        ours = ours and all(_is_inside(name) for name in marker.files)
    except FileNotFoundError:
        if all(one.name.startswith(".") for one in folder.iterdir()):  # .git of a site's branch
            return frozenset()
        ours = False
    except (ValueError, RecursionError):
        ours = False
    if not ours:
        raise StoreError(
            f"{folder} holds files and is no site of ours (it has no {MARKER} that we have made): "
            "publish to a folder that is empty, or not there yet"
        )
    return frozenset(marker.files)


def _is_inside(name: str) -> bool:
    return not Path(name).is_absolute() and ".." not in Path(name).parts and name != MARKER


def _order(name: str) -> tuple[bool, bool, str]:
    return name == INDEX, name.endswith(".html"), name


def _is_same(old: Path, new: Path) -> bool:
    """Whether the files have the same bytes; then the old one keeps its time."""
    try:
        return old.stat().st_size == new.stat().st_size and old.read_bytes() == new.read_bytes()
    except FileNotFoundError:
        return False
