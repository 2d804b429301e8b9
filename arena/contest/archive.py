"""Copy the files of a submission into a new folder, and reject invalid files.

A submission is a file, a folder or a zip file. File names in a submission must not point outside
the folder, contain control characters, or differ only in case. Functions that read a submission
must be called through `read_untrusted`, which limits their time and memory.
"""

import io
import os
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from arena.base.errors import SubmissionError
from arena.base.protocol import printable
from arena.contest.untrusted_files import NOT_PLAIN, UntrustedFolder, open_untrusted, refusal

MIB = 1024 * 1024
MAX_FILES = 1_000
# A small neural network fits.
MAX_SIZE = 64 * MIB  # of all unpacked files
MAX_DIRECTORY = MIB
# The maximum ratio of unpacked to packed size. Source code usually shrinks to a tenth of its size,
# and a zip bomb to a thousandth.
MAX_RATIO = 100
MIN_RATIO_BYTES = MIB
MAX_DEPTH = 16
MAX_NAME_BYTES = 200
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED, UTF_8 = 0x1, 0x800
NOISE = ("__pycache__", "__MACOSX", ".git", ".venv", ".DS_Store")
MAX_LISTED = 10
_DRIVE = re.compile("[A-Za-z]:")
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError),
    OSError,
)


class SubmittedFile(NamedTuple):
    name: str
    executable: bool | None
    open: Callable[[], IO[bytes]]


def is_code(path: PurePosixPath | Path) -> bool:
    """Return whether a file belongs to the bot. Hidden files, caches and logs don't."""
    left = ("__pycache__", "__MACOSX")
    hidden = any(part.startswith(".") or part in left for part in path.parts)
    return not hidden and path.suffix != ".log"


def copy_submission(source: Path, folder: Path) -> list[str]:
    """Copy a file, or the contents of a folder or zip file, into a new folder.

    Return a message for each skipped file, except for common editor and system files. Raise
    `SubmissionError` if a file is invalid or a limit is exceeded.
    """
    label = printable(source.name)
    if source.is_symlink():
        raise SubmissionError(f"{label} is a link: submit the file or folder itself")
    if source.is_dir():
        with UntrustedFolder(source) as opened:
            return write_members(_of_folder(opened, label), folder, label)
    if source.exists() and not source.is_file():
        raise SubmissionError(f"{label} {NOT_PLAIN}")
    if source.suffix.lower() == ".zip":
        return _write_zip(source, folder, label)
    if source.suffix.lower() == ".py":
        program = SubmittedFile(source.name, None, partial(open_untrusted, source))
        return write_members(iter([program]), folder, label)
    raise SubmissionError(
        f"{label} is not a submission: expected a .py file, a .zip file or a folder; put "
        "a bot in another language into a folder with its bot.toml"
    )


def copy_build(archive: Path, folder: Path, label: str) -> None:
    """Unpack the bot's files from a tar archive into a new folder. Links are skipped."""
    with tarfile.open(archive, "r:") as packed:
        write_members(_of_tar(packed), folder, label)


# -- reading -----------------------------------------------------------------------------------


def _of_folder(folder: UntrustedFolder, label: str) -> Iterator[SubmittedFile]:
    others: list[str] = []

    def is_wanted(path: PurePosixPath) -> bool:
        if not is_code(path):
            others.append(str(path))
        return is_code(path)

    for name, is_folder in folder.entries(is_wanted):
        if is_folder:
            _parts(plain_name(name), label)  # no deeper than allowed
        else:
            yield SubmittedFile(plain_name(name), None, partial(folder.open, name))
    for name in others:
        yield SubmittedFile(plain_name(name), None, io.BytesIO)


class _BoundedFile(io.FileIO):
    def __init__(self, path: Path) -> None:
        with open_untrusted(path) as file:
            super().__init__(os.dup(file.fileno()))

    def read(self, size: int | None = -1) -> bytes:
        left = os.fstat(self.fileno()).st_size - self.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > MAX_DIRECTORY:
            raise zipfile.BadZipFile("its directory is too long")
        return super().read(wanted) or b""


def _write_zip(source: Path, folder: Path, label: str) -> list[str]:
    try:
        with _BoundedFile(source) as file:
            packed = os.fstat(file.fileno()).st_size
            if packed > MAX_SIZE:
                raise SubmissionError(
                    f"{label} is too large: got {packed:,} bytes, expected at most {MAX_SIZE:,}"
                )
            with zipfile.ZipFile(file) as archive:
                _check_ratio(archive, packed, label)
                return write_members(_of_zip(archive, label), folder, label)
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise SubmissionError(
            f"{label} cannot be unpacked: {printable(str(error)) or 'it is damaged'}; create it "
            "again"
        ) from None


def _check_ratio(archive: zipfile.ZipFile, packed: int, label: str) -> None:
    unpacked = sum([info.file_size for info in archive.infolist()])
    if unpacked > max(MIN_RATIO_BYTES, MAX_RATIO * packed):
        raise SubmissionError(
            f"{label} looks like a zip bomb: it would grow from {packed:,} to {unpacked:,} bytes, "
            f"more than {MAX_RATIO} times its size"
        )


def plain_name(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("\\", "/"))


def name_in_zip(info: zipfile.ZipInfo) -> str:
    name = info.orig_filename  # `filename` is changed already, for example cut at a NUL
    if not info.flag_bits & UTF_8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return plain_name(name)


def _of_zip(archive: zipfile.ZipFile, label: str) -> Iterator[SubmittedFile]:
    for info in archive.infolist():
        name = name_in_zip(info)
        if info.header_offset < 0:
            raise zipfile.BadZipFile("a file starts before the beginning of the archive")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise refusal(label, name, "is a link or a device: replace it with a regular file")
        if info.flag_bits & ENCRYPTED:
            raise refusal(label, name, "is encrypted: create the zip without a password")
        if info.compress_type not in METHODS:
            raise refusal(label, name, "has an unusual compression method: use `deflate`")
        if name.endswith("/"):
            _parts(name[:-1], label)
            continue
        executable = bool(info.external_attr >> 16 & 0o111)
        yield SubmittedFile(name, executable, partial(archive.open, info))


def _of_tar(archive: tarfile.TarFile) -> Iterator[SubmittedFile]:
    for info in archive:
        name = info.name.removeprefix("./")
        if info.isreg() and is_code(PurePosixPath(name)):
            yield SubmittedFile(name, bool(info.mode & 0o111), partial(_content, archive, info))


def _content(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(info)
    assert content, "it is a plain file"
    return content


# -- checking and writing ----------------------------------------------------------------------


def write_members(members: Iterator[SubmittedFile], folder: Path, label: str) -> list[str]:
    """Check all files of a submission, and copy the bot's files into a folder."""
    skipped: list[str] = []
    checked = list(_checked(members, label, skipped))
    left = MAX_SIZE
    for member in checked:
        path = folder.joinpath(*member.name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with member.open() as content, path.open("xb") as file:
            while piece := content.read(64 * 1024):
                left -= len(piece)
                if left < 0:
                    raise SubmissionError(
                        f"{label} is too large: expected at most {MAX_SIZE:,} bytes"
                    )
                file.write(piece)
            is_executable = member.executable
            if is_executable is None:
                is_executable = bool(os.fstat(content.fileno()).st_mode & 0o111)
        _convert_script(path)
        path.chmod(0o755 if is_executable else 0o644)
    more = len(skipped) - MAX_LISTED
    return [*skipped[:MAX_LISTED], *([f"skipped {more} more files"] if more > 0 else [])]


def _convert_script(path: Path) -> None:
    with path.open("r+b") as file:
        if file.read(2) == b"#!" and file.readline(MAX_NAME_BYTES).endswith(b"\r\n"):
            file.seek(0)
            content = file.read().replace(b"\r\n", b"\n")
            file.seek(0)
            file.truncate()
            file.write(content)


def _checked(
    members: Iterator[SubmittedFile], label: str, skipped: list[str]
) -> Iterator[SubmittedFile]:
    spelled: dict[str, str] = {}  # by case-folded name
    files: set[str] = set()
    for member in members:
        parts = _parts(member.name, label)
        if set(NOISE) & {*parts} or parts[-1].startswith("._"):
            continue
        if reason := _no_code(member.name, parts):
            shown = printable(member.name[:MAX_NAME_BYTES])
            skipped.append(f"skipped {shown!r}: {reason}")
            continue
        for end in range(1, len(parts) + 1):
            name = "/".join(parts[:end])
            same = name.casefold()
            is_twice = same in files or (end == len(parts) and same in spelled)
            if is_twice or spelled.setdefault(same, name) != name:
                raise refusal(label, member.name, "appears twice (case is ignored)")
        files.add(same)
        if len(files) > MAX_FILES:
            raise SubmissionError(
                f"{label} has more than {MAX_FILES:,} files: remove environments and build output"
            )
        yield member


def _no_code(name: str, parts: Sequence[str]) -> str:
    if not name.isprintable():
        return "its name contains an unprintable character"
    if ":" in name:
        return "its name contains a colon"
    if any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        return f"its name is longer than {MAX_NAME_BYTES} bytes"
    if is_code(PurePosixPath(name)):
        return ""
    return "it is a log file" if name.endswith(".log") else "it is a hidden file"


def _parts(name: str, label: str) -> list[str]:
    parts = name.split("/")
    if name.startswith("/") or _DRIVE.match(name):
        raise refusal(label, name, "is an absolute path: use a relative path")
    if any(part in ("", ".", "..") for part in parts):
        raise refusal(label, name, "is not a path inside the folder: remove .. and empty parts")
    if len(parts) > MAX_DEPTH:
        raise refusal(label, name, f"is more than {MAX_DEPTH} folders deep")
    return parts
