"""What a student hands in, a file, a folder or a zip, written into a folder of its own, or refused.

It comes from a stranger: no name in it may lead outside that folder, hide another one or steer a
terminal, and there is an end to how much it unpacks to. Links and devices are never followed.
"""

import io
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from arena.errors import SubmissionError
from arena.protocol import printable

MIB = 1024 * 1024
MOST_FILES = 1_000
"""A bot with its tables; who hands in more has packed an environment or a history with it."""
MOST_BYTES = 64 * MIB
"""All files together, unpacked: weights of a small network, times thirty students."""
MOST_RATIO = 100
"""Unpacked to packed bytes; program text comes to 10, a bomb to 1,000."""
SMALL = MIB
"""So much may be unpacked whatever the ratio: a table of zeros is no bomb."""
MOST_DEPTH = 16
"""Folders inside one another."""
MOST_NAME_BYTES = 200
"""Of a file or folder; no usual file system takes more than 255."""
MOST_READ = MIB
"""Bytes that are read at a time; the directory of a zip with MOST_FILES is far shorter."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The usual ways to pack. Others are rare, and may want gigabytes of memory to unpack."""
ENCRYPTED = 0x1
"""The bit of a zip's flags."""
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError),
    OSError,
)
"""What `zipfile` raises for a file that is no zip or not a whole one."""


class _Member(NamedTuple):
    """A file that is handed in."""

    name: str
    """Its path in what is handed in, with `/` between the parts."""
    executable: bool
    open: Callable[[], IO[bytes]]


def is_code(path: PurePosixPath | Path) -> bool:
    """Return whether a file, by its path in a bot's folder, is part of the bot.

    What editors, version control and running it leave there is not.
    """
    left = ("__pycache__", "__MACOSX")
    hidden = any(part.startswith(".") or part in left for part in path.parts)
    return not hidden and path.suffix != ".log"


def take(source: Path, folder: Path) -> None:
    """Write what is handed in into a new folder: the file, or what a folder or a zip holds.

    Only what `is_code` is written, with the modes 644 and 755.

    Raises:
        SubmissionError: it is none of these, or is refused; the folder may hold part of it.
    """
    label = printable(source.name)
    try:
        if source.is_dir():
            _write(_of_folder(source, label), folder, label)
        elif source.exists() and not source.is_file():
            raise SubmissionError(f"{label} is no plain file")
        elif source.suffix.lower() == ".zip":
            _write_zip(source, folder, label)
        elif source.suffix.lower() == ".py":
            _write(iter([_of_file(source, source.name)]), folder, label)
        else:
            raise SubmissionError(
                f"{label} is no submission: expected a .py file, a .zip file or a folder; put a "
                "bot in another language into a folder with its bot.toml"
            )
    except OSError as error:
        raise SubmissionError(f"cannot take {label}: {error.strerror or error}") from None


# -- what is there -----------------------------------------------------------------------------


def _of_file(path: Path, name: str) -> _Member:
    return _Member(name, bool(path.stat().st_mode & 0o111), lambda: path.open("rb"))


def _of_folder(folder: Path, label: str) -> Iterator[_Member]:
    """Yield the files of a folder that are code; refuse links and devices among them."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            here = sorted(entries, key=lambda entry: entry.name)
        for entry in here:
            path = Path(entry.path)
            name = path.relative_to(folder).as_posix()
            if not is_code(PurePosixPath(name)):
                continue
            if entry.is_dir(follow_symlinks=False):
                _parts(name, label)  # no deeper than allowed
                waiting.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield _of_file(path, name)
            else:
                raise _refusal(label, name, "is a link or a device: put a plain file there")


class _InPieces(io.FileIO):
    """A file of which no more is read at a time than MOST_READ bytes."""

    def read(self, size: int | None = -1) -> bytes:
        left = os.fstat(self.fileno()).st_size - self.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > MOST_READ:
            raise zipfile.BadZipFile("its directory is too long")
        return super().read(wanted) or b""


def _write_zip(source: Path, folder: Path, label: str) -> None:
    packed = source.stat().st_size
    if packed > MOST_BYTES:
        raise SubmissionError(f"{label} has {packed:,} bytes, at most {MOST_BYTES:,} are allowed")
    try:
        with _InPieces(source) as file, zipfile.ZipFile(file) as archive:
            _check_ratio(archive, packed, label)
            _write(_of_zip(archive, label), folder, label)
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise SubmissionError(
            f"{label} cannot be unpacked: {printable(str(error)) or 'it is damaged'}; make it anew"
        ) from None


def _check_ratio(archive: zipfile.ZipFile, packed: int, label: str) -> None:
    unpacked = sum([info.file_size for info in archive.infolist()])
    if unpacked > max(SMALL, MOST_RATIO * packed):
        raise SubmissionError(
            f"{label} has {packed:,} bytes and would unpack to {unpacked:,}, more than "
            f"{MOST_RATIO} times as many"
        )


def _of_zip(archive: zipfile.ZipFile, label: str) -> Iterator[_Member]:
    for info in archive.infolist():
        name = info.orig_filename  # `filename` is mended already: cut off at a NUL, for one
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise _refusal(label, name, "is a link or a device: put a plain file there")
        if info.flag_bits & ENCRYPTED:
            raise _refusal(label, name, "is encrypted: make the zip without a password")
        if info.compress_type not in METHODS:
            raise _refusal(label, name, "is packed in a rare way: make the zip with `deflate`")
        if name.endswith("/"):
            _parts(name[:-1], label)
            continue
        executable = bool(info.external_attr >> 16 & 0o111)
        yield _Member(name, executable, partial(archive.open, info))


# -- what is taken of it -----------------------------------------------------------------------


def _write(members: Iterator[_Member], folder: Path, label: str) -> None:
    """Check all members, then write those that are code."""
    checked = list(_checked(members, label))
    left = MOST_BYTES
    for member in checked:
        path = folder.joinpath(*member.name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with member.open() as content, path.open("xb") as file:
            while piece := content.read(64 * 1024):
                left -= len(piece)
                if left < 0:
                    raise SubmissionError(
                        f"{label} is too large: at most {MOST_BYTES:,} bytes are allowed"
                    )
                file.write(piece)
        path.chmod(0o755 if member.executable else 0o644)


def _checked(members: Iterator[_Member], label: str) -> Iterator[_Member]:
    """Yield those that are code; refuse what is too much, or not to be written."""
    spelled: dict[str, str] = {}  # each folder and file, by what is the same name somewhere
    files: set[str] = set()
    for number, member in enumerate(members, 1):
        if number > MOST_FILES:
            raise SubmissionError(
                f"{label} has more than {MOST_FILES:,} files: leave out environments, builds and "
                "histories"
            )
        parts = _parts(member.name, label)
        for end in range(1, len(parts) + 1):
            name = "/".join(parts[:end])
            same = unicodedata.normalize("NFC", name).casefold()
            is_twice = same in files or (end == len(parts) and same in spelled)
            if is_twice or spelled.setdefault(same, name) != name:
                raise _refusal(
                    label, member.name, "is there twice, or but for upper and lower case"
                )
        files.add(same)
        if is_code(PurePosixPath(member.name)):
            yield member


def _parts(name: str, label: str) -> list[str]:
    """Return the parts of a name; refuse one that is not a plain path below the folder."""
    parts = name.split("/")
    if not name.isprintable():
        raise _refusal(label, name, "has a character in its name that cannot be printed")
    if name.startswith("/") or "\\" in name or ":" in name:
        raise _refusal(label, name, "is not a path below the folder: no / in front, no \\, no :")
    if any(part in ("", ".", "..") for part in parts):
        raise _refusal(label, name, "is not a path below the folder: no .., no empty part")
    if len(parts) > MOST_DEPTH:
        raise _refusal(label, name, f"is more than {MOST_DEPTH} folders deep")
    if any(len(part.encode()) > MOST_NAME_BYTES for part in parts):
        raise _refusal(label, name, f"has a name of more than {MOST_NAME_BYTES} bytes")
    return parts


def _refusal(label: str, name: str, reason: str) -> SubmissionError:
    shown = f"{name!a}" if len(name) <= 100 else f"{name[:100]!a}..."
    return SubmissionError(f"{label} is refused: {shown} in it {reason}")
