"""Update a website's folder so that readers never see a partially written file.

All new files are written to a staging folder and then moved into the website's folder. Every
page is moved after the files that it links to. A marker file lists all files of the site. Other
files in the folder are never changed.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import msgspec

from arena.base.errors import StoreError
from arena.base.lock import take
from arena.publish.layout import INDEX

MARKER = "site.json"
STAGING = ".new"


class Marker(msgspec.Struct, frozen=True):
    made_by: str
    files: tuple[str, ...]
    """Paths of the site's files, relative to the site's folder."""
    source: str = ""  # digest of the data; empty while files are being replaced


class Site:
    """A context manager that replaces a site's files with new ones on exit, unless there was an
    error.

    Raises:
        StoreError: A file can't be written.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """Create the site's folder if necessary, and lock it.

        Raise `StoreError` if the folder can't be written, contains other files, or is in use by
        another process.
        """
        self.folder = folder
        self.now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock()))
        self._staging = folder / STAGING
        self._files: list[str] = []
        self._source = ""
        with ExitStack() as opened:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = os.open(folder, os.O_RDONLY)
                opened.callback(os.close, self._lock)
                take(self._lock)
                self._before = _marker_of(folder)
                shutil.rmtree(self._staging, ignore_errors=True)  # left by a killed process
                self._staging.mkdir()
            except BlockingIOError:
                raise StoreError(
                    f"another process is publishing to {folder}; wait until it has finished"
                ) from None
            except OSError as error:
                raise _cannot_write(folder, error) from None
            opened.pop_all()

    def path(self, name: str) -> Path:
        path = self._staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._files.append(name)
        return path

    def write(self, name: str, content: str | bytes) -> None:
        self.path(name).write_bytes(content.encode() if isinstance(content, str) else content)

    def is_made_from(self, source: str) -> bool:
        """Return whether the site is complete and was built from data with the given digest.

        If the result is False, the caller must write all of the site's files.
        """
        self._source, before = source, self._before
        is_whole = all((self.folder / name).is_file() for name in before.files)
        return before.source == source and is_whole

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, *_: object
    ) -> None:
        try:
            if isinstance(error, OSError):  # raised while writing to a `path`
                raise error
            if kind is None and self._files:
                self._put_in_place()
        except OSError as wrong:
            raise _cannot_write(self.folder, wrong) from None
        finally:
            shutil.rmtree(self._staging, ignore_errors=True)
            os.close(self._lock)

    def _put_in_place(self) -> None:
        before = frozenset(self._before.files)
        if foreign := [
            name
            for name in self._files
            if name not in before and os.path.lexists(self.folder / name)
        ]:
            raise StoreError(
                f"{self.folder / foreign[0]} would be overwritten, but was not written by `arena "
                "publish`; move it, or publish to another folder"
            )
        gone = before.difference(self._files)
        self._mark(before.union(self._files))  # before moving, in case it is interrupted
        for name in sorted(self._files, key=_order):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(self._staging / name, path)
        for name in sorted(gone):
            (self.folder / name).unlink(missing_ok=True)
        for parent in {(self.folder / name).parent for name in gone}:
            if parent != self.folder and parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()
        self._mark(self._files, self._source)

    def _mark(self, files: Iterable[str], source: str = "") -> None:
        marker = msgspec.json.encode(Marker("bribe-arena", tuple(sorted(files)), source))
        new = self._staging / MARKER
        new.write_bytes(msgspec.json.format(marker) + b"\n")
        os.replace(new, self.folder / MARKER)


def digest_of_parts(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


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
            f"{folder} contains files, but not a site made by `arena publish` (no {MARKER}); "
            "publish to a new or empty folder"
        )
    return marker


def _is_inside(name: str) -> bool:
    return not Path(name).is_absolute() and ".." not in Path(name).parts and name != MARKER


def _order(name: str) -> tuple[bool, bool, str]:
    return name == INDEX, name.endswith(".html"), name
