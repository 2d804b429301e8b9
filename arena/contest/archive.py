"""Submitted files, folders, zips and results of builds, copied into a new folder or refused.

Submissions come from strangers. No name in them may lead outside that folder, hide another file or
control a terminal. Their unpacked size is limited. A `Reader` limits the time and memory that all
of this takes.
"""

import io
import os
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from arena.base.atomic_file import os_error_as
from arena.base.errors import SubmissionError
from arena.base.protocol import printable
from arena.contest.untrusted_files import NOT_PLAIN, UntrustedFolder, open_untrusted, refusal

MIB = 1024 * 1024
MAX_RATIO = 100
"""Unpacked to packed bytes. Program text reaches 10, a zip bomb 1,000."""
MIN_RATIO_BYTES = MIB
"""Unpacked bytes up to which any ratio is allowed: a table of zeros is not a bomb."""
MAX_DEPTH = 16
"""Nested folders."""
MAX_NAME_BYTES = 200
"""The name of a file or folder. Usual file systems take at most 255."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The usual compression methods. Others are rare and may need gigabytes of memory to unpack."""
ENCRYPTED = 0x1
"""The bit in the flags of a zip member."""
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError),
    OSError,
)
"""The errors of `zipfile` for a file that is not a complete zip."""


class SubmissionLimits(NamedTuple):
    """The bounds of a submission."""

    files: int = 1_000
    """Enough for a bot with its tables, but not for an environment or a version history."""
    size: int = 64 * MIB
    """Bytes of all files, unpacked. The weights of a small network fit, for thirty students."""
    read_size: int = MIB
    """Bytes of one read. The directory of a zip with that many files is far shorter."""


SUBMISSION_LIMITS = SubmissionLimits()


class SubmittedFile(NamedTuple):
    """A submitted file."""

    name: str
    """Its path in the submission, with `/` between the parts."""
    executable: bool | None
    """None: as the mode of the opened file says."""
    open: Callable[[], IO[bytes]]


def is_code(path: PurePosixPath | Path) -> bool:
    """Return whether a file is part of the bot, by its `path` in the bot's folder.

    Files of editors, version control and earlier runs are not.
    """
    left = ("__pycache__", "__MACOSX")
    hidden = any(part.startswith(".") or part in left for part in path.parts)
    return not hidden and path.suffix != ".log"


def copy_submission(
    source: Path, folder: Path, limits: SubmissionLimits = SUBMISSION_LIMITS
) -> None:
    """Copy a submission into a new folder: a file, or the contents of a folder or zip.

    Only files that are code are copied, with the modes 644 and 755.

    Raises:
        SubmissionError: the submission is refused. The folder may have a part of it.
    """
    label = printable(source.name)
    with os_error_as(SubmissionError, f"cannot read {label}"):
        if source.is_symlink():
            raise SubmissionError(f"{label} is a link: submit the file or folder itself")
        if source.is_dir():
            with UntrustedFolder(source) as opened:
                write_members(_of_folder(opened, label), folder, label, limits)
        elif source.exists() and not source.is_file():
            raise SubmissionError(f"{label} {NOT_PLAIN}")
        elif source.suffix.lower() == ".zip":
            _write_zip(source, folder, label, limits)
        elif source.suffix.lower() == ".py":
            program = SubmittedFile(source.name, None, partial(open_untrusted, source))
            write_members(iter([program]), folder, label, limits)
        else:
            raise SubmissionError(
                f"{label} is not a submission: expected a .py file, a .zip file or a folder; put "
                "a bot in another language into a folder with its bot.toml"
            )


def copy_build(archive: Path, folder: Path, label: str) -> None:
    """Copy what a build has made into a new folder, from the tar `archive`.

    Only plain files that are code are copied: builds also make links and caches, which no bot of a
    run has.

    Raises:
        SubmissionError: the result is refused. The folder may have a part of it.
        TarError: it is no archive.
    """
    with tarfile.open(archive, "r:") as packed:
        write_members(_of_tar(packed), folder, label, SUBMISSION_LIMITS)


def plain_files(folder: Path, limits: SubmissionLimits | None) -> list[Path]:
    """Return the code files in a folder, as `plain_names` does."""
    with UntrustedFolder(folder) as opened:
        names = plain_names(opened, printable(folder.name), limits)
        return [folder / name for name in names]


def plain_names(
    folder: UntrustedFolder, label: str, limits: SubmissionLimits | None = None
) -> list[str]:
    """Return the paths of the code files in the folder of a bot.

    Args:
        folder: the folder of a bot.
        label: its name, for errors.
        limits: those of the number and size of the files. Names are limited too. None for no
            limits.

    Raises:
        SubmissionError: one of them is a link or a device, or exceeds a limit.
        OSError: the folder cannot be read.
    """
    members = _of_folder(folder, label)
    names = [member.name for member in (_checked(members, label, limits) if limits else members)]
    if limits and sum(map(folder.size_of, names)) > limits.size:
        raise _too_large(label, limits)
    return names


# -- reading -----------------------------------------------------------------------------------


def _of_folder(folder: UntrustedFolder, label: str) -> Iterator[SubmittedFile]:
    """Yield the code files of a folder. Refuse links and devices among them."""
    for name, is_folder in folder.entries(is_code):
        if is_folder:
            _parts(name, label)  # no deeper than allowed
        else:
            yield SubmittedFile(name, None, partial(folder.open, name))


class _BoundedFile(io.FileIO):
    """A file that refuses to read more than `read_size` bytes at a time."""

    def __init__(self, path: Path, read_size: int) -> None:
        with open_untrusted(path) as file:
            super().__init__(os.dup(file.fileno()))
        self._read_size = read_size

    def read(self, size: int | None = -1) -> bytes:
        left = os.fstat(self.fileno()).st_size - self.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > self._read_size:
            raise zipfile.BadZipFile("its directory is too long")
        return super().read(wanted) or b""


def _write_zip(source: Path, folder: Path, label: str, limits: SubmissionLimits) -> None:
    try:
        with _BoundedFile(source, limits.read_size) as file:
            packed = os.fstat(file.fileno()).st_size
            if packed > limits.size:
                raise SubmissionError(
                    f"{label} has {packed:,} bytes, at most {limits.size:,} are allowed"
                )
            with zipfile.ZipFile(file) as archive:
                _check_ratio(archive, packed, label)
                write_members(_of_zip(archive, label), folder, label, limits)
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise SubmissionError(
            f"{label} cannot be unpacked: {printable(str(error)) or 'it is damaged'}; pack it again"
        ) from None


def _check_ratio(archive: zipfile.ZipFile, packed: int, label: str) -> None:
    unpacked = sum([info.file_size for info in archive.infolist()])
    if unpacked > max(MIN_RATIO_BYTES, MAX_RATIO * packed):
        raise SubmissionError(
            f"{label} has {packed:,} bytes and would unpack to {unpacked:,}, more than "
            f"{MAX_RATIO} times as many"
        )


def _of_zip(archive: zipfile.ZipFile, label: str) -> Iterator[SubmittedFile]:
    for info in archive.infolist():
        name = info.orig_filename  # `filename` is changed already, for example cut at a NUL
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise refusal(label, name, "is a link or a device: put a plain file there")
        if info.flag_bits & ENCRYPTED:
            raise refusal(label, name, "is encrypted: make the zip without a password")
        if info.compress_type not in METHODS:
            raise refusal(label, name, "has a rare compression method: zip it with `deflate`")
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


def write_members(
    members: Iterator[SubmittedFile], folder: Path, label: str, limits: SubmissionLimits
) -> None:
    """Check all members, then write the code among them. Errors name what they are in by `label`.

    Raises:
        SubmissionError: a member is refused. The folder may have a part of them.
    """
    checked = list(_checked(members, label, limits))
    left = limits.size
    for member in checked:
        path = folder.joinpath(*member.name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with member.open() as content, path.open("xb") as file:
            while piece := content.read(64 * 1024):
                left -= len(piece)
                if left < 0:
                    raise _too_large(label, limits)
                file.write(piece)
            is_executable = member.executable
            if is_executable is None:
                is_executable = bool(os.fstat(content.fileno()).st_mode & 0o111)
        path.chmod(0o755 if is_executable else 0o644)


def _too_large(label: str, limits: SubmissionLimits) -> SubmissionError:
    return SubmissionError(f"{label} is too large: at most {limits.size:,} bytes are allowed")


def _checked(
    members: Iterator[SubmittedFile], label: str, limits: SubmissionLimits
) -> Iterator[SubmittedFile]:
    """Yield the members that are code. Refuse too many of them and names that cannot be written."""
    spelled: dict[str, str] = {}  # folders and files by their name on file systems that fold it
    files: set[str] = set()
    for number, member in enumerate(members, 1):
        if number > limits.files:
            raise SubmissionError(
                f"{label} has more than {limits.files:,} files: leave out environments, builds and "
                "version histories"
            )
        parts = _parts(member.name, label)
        for end in range(1, len(parts) + 1):
            name = "/".join(parts[:end])
            same = unicodedata.normalize("NFC", name).casefold()
            is_twice = same in files or (end == len(parts) and same in spelled)
            if is_twice or spelled.setdefault(same, name) != name:
                raise refusal(
                    label, member.name, "is there twice (upper and lower case are the same)"
                )
        files.add(same)
        if is_code(PurePosixPath(member.name)):
            yield member


def _parts(name: str, label: str) -> list[str]:
    """Return the parts of a name. Refuse a name that is not a plain path below the folder."""
    parts = name.split("/")
    if not name.isprintable():
        raise refusal(label, name, "has a character in its name that cannot be printed")
    if name.startswith("/") or "\\" in name or ":" in name:
        raise refusal(label, name, "is not a path below the folder: no / in front, no \\, no :")
    if any(part in ("", ".", "..") for part in parts):
        raise refusal(label, name, "is not a path below the folder: no .., no empty part")
    if len(parts) > MAX_DEPTH:
        raise refusal(label, name, f"is more than {MAX_DEPTH} folders deep")
    if any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise refusal(label, name, f"has a name of more than {MAX_NAME_BYTES} bytes")
    return parts
