"""Write a site's folder. Old files are replaced only after all new files are written.

Files are moved into place one by one, so readers never see a partial file. Pages are moved after
the files they link to, the index after all pages, and last the state file, which open pages poll.
A marker file lists all files of the site. Other files in the folder are never changed.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Self

import msgspec

from arena.base.errors import StoreError
from arena.base.lock import take
from arena.publish.layout import INDEX, STATE

MARKER = "site.json"
WHOLE = ""
STAGING = ".new"


class Marker(msgspec.Struct, frozen=True):
    made_by: str
    files: tuple[str, ...]
    """Paths of written files, relative to the folder. A path is added before its file is written.
    """
    sources: Mapping[str, str] = {}
    """For each page, a digest of the data from which it was built. The key `WHOLE` stands for the
    whole site.
    """


class Site:
    """A context manager that writes a site, and moves its new files into place on exit.

    If an error is raised, the folder isn't changed. An `OSError`, such as a full disk, is raised
    as a `StoreError`.
    """

    def __init__(
        self,
        folder: Path,
        replace: Callable[[Path, Path], object] = os.replace,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Lock the folder, and create it if necessary.

        Raises `StoreError` if the folder contains other files, if it can't be written, or if
        another process is publishing to it.
        """
        self.folder = folder
        self._replace = replace
        self.now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock()))
        self._staging = folder / STAGING
        self._files: list[str] = []
        self._kept: set[str] = set()
        self._sources: dict[str, str] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise _cannot_write(folder, error) from None
        try:
            take(self._lock)
            marker = _marker_of(folder)
            self._before, self._sources_before = frozenset(marker.files), marker.sources
            shutil.rmtree(self._staging, ignore_errors=True)  # left by a killed process
            self._staging.mkdir()
        except BlockingIOError:
            os.close(self._lock)
            raise StoreError(
                f"another process is publishing to {folder}; wait until it has finished"
            ) from None
        except OSError as error:
            os.close(self._lock)
            raise _cannot_write(folder, error) from None
        except StoreError:
            os.close(self._lock)
            raise

    def path(self, name: str) -> Path:
        path = self._staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._files.append(name)
        return path

    def write(self, name: str, content: str | bytes) -> None:
        self.path(name).write_bytes(content.encode() if isinstance(content, str) else content)

    def keeps(self, page: str, names: Collection[str], source: str) -> bool:
        """Keep a page's files if an earlier site built them from the same `source`.

        Return whether the files were kept. If the result is False, the caller has to write the
        files.
        """
        self._sources[page] = source
        is_same = self._sources_before.get(page) == source and self._before.issuperset(names)
        if not is_same or not all((self.folder / name).is_file() for name in names):
            return False
        self._kept.update(names)
        return True

    def keeps_all(self, source: str) -> bool:
        if not self.keeps(WHOLE, self._before, source) or not self._before:
            return False
        self._sources = dict(self._sources_before)
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, *_: object
    ) -> None:
        try:
            if isinstance(error, OSError):  # raised while writing to a `path`
                raise error
            if kind is None:
                self._put_in_place()
        except OSError as wrong:
            raise _cannot_write(self.folder, wrong) from None
        finally:
            shutil.rmtree(self._staging, ignore_errors=True)
            os.close(self._lock)

    def _put_in_place(self) -> None:
        if foreign := [
            name
            for name in self._files
            if name not in self._before and os.path.lexists(self.folder / name)
        ]:
            raise StoreError(
                f"{self.folder / foreign[0]} would be overwritten, but was not written by `arena "
                "publish`; move it, or publish to another folder"
            )
        gone = self._before.difference(self._files, self._kept)
        self._mark(self._before.union(self._files))  # before moving, in case it is interrupted
        for name in sorted(self._files, key=_order):
            old, new = self.folder / name, self._staging / name
            if not _is_same(old, new):
                old.parent.mkdir(parents=True, exist_ok=True)
                self._replace(new, old)
        for name in sorted(gone):
            (self.folder / name).unlink(missing_ok=True)
        for parent in {(self.folder / name).parent for name in gone}:
            if parent != self.folder and parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()
        self._mark(self._kept.union(self._files), self._sources)

    def _mark(self, files: Iterable[str], sources: Mapping[str, str] = {}) -> None:
        ordered = dict(sorted(sources.items()))
        marker = msgspec.json.encode(Marker("bribe-arena", tuple(sorted(files)), ordered))
        new, old = self._staging / MARKER, self.folder / MARKER
        new.write_bytes(msgspec.json.format(marker) + b"\n")
        self._replace(new, old)


def digest_of_parts(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def check_folder(folder: Path) -> None:
    """Raise `StoreError` if a folder contains anything but a site."""
    try:
        if folder.exists():
            _marker_of(folder)
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot write the site to {folder}: {error.strerror or error}; choose another folder"
    )


def _marker_of(folder: Path) -> Marker:
    try:
        marker = msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
        ours = marker.made_by == "bribe-arena"
        ours = ours and all(_is_inside(name) for name in marker.files)
    except FileNotFoundError:
        if all(path.name.startswith(".") for path in folder.iterdir()):  # such as .git
            return Marker("bribe-arena", ())
        ours = False
    except (ValueError, RecursionError):
        ours = False
    if not ours:
        raise StoreError(
            f"{folder} holds files but no site (it has no {MARKER} of `arena publish`); publish to "
            "a new or empty folder"
        )
    return marker


def _is_inside(name: str) -> bool:
    return not Path(name).is_absolute() and ".." not in Path(name).parts and name != MARKER


def _order(name: str) -> tuple[bool, bool, bool, str]:
    return name == STATE, name == INDEX, name.endswith(".html"), name


def _is_same(old: Path, new: Path) -> bool:
    """Return whether two files are equal. Files whose content hasn't changed keep their time
    stamps.
    """
    try:
        return old.stat().st_size == new.stat().st_size and old.read_bytes() == new.read_bytes()
    except FileNotFoundError:
        return False
