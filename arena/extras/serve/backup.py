"""Backups of a contest's folder, consistent while a server or a run writes to it.

A backup is a `.tar.gz` of the folder, which is unpacked with `tar xzf` and served or played on. The
databases are copied first, each as it is at one moment. Files are written before the rows that name
them, and do not change after that. So every file that a copied row needs is in the backup. Only
uploaded files are deleted, after their check; none is while the submissions are settled.
"""

import gzip
import os
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from arena.base.atomic_file import INCOMPLETE as NEW
from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import SettingsError, StoreError
from arena.contest.bot_files import UNPACKED
from arena.contest.contest_file import read_contest
from arena.contest.reader_process import INCOMING_PREFIX
from arena.contest.settings import Contest
from arena.contest.snapshots import STAGING_PREFIX
from arena.contest.submission_log import SubmissionLog
from arena.extras.serve.server_database import DATABASE as SERVER_DATABASE
from arena.extras.serve.submissions.uploaded_files import FOLDER
from arena.tournament.store import DATABASE

INCOMPLETE = (INCOMING_PREFIX, STAGING_PREFIX, UNPACKED)
"""Prefixes of the names of files that are incomplete, or are made again when needed."""
TEMPORARY = (NEW, ".lock")


def contest_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder at any depth, in order, and folders that are empty."""
    try:
        with os.scandir(folder) as entries:
            children = sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:  # deleted since then: a temporary folder, or an old copy of a bot
        return
    kept = [child for child in children if _is_kept(child.name)]
    if not kept:
        yield folder
    for child in kept:
        if child.is_dir(follow_symlinks=False):
            yield from contest_files(Path(child.path))
        else:
            yield Path(child.path)


def _is_kept(name: str) -> bool:
    """Return whether a file or folder of this name belongs into a backup."""
    return not (name.startswith(INCOMPLETE) or name.endswith(TEMPORARY) or name == "__pycache__")


OWNER_ONLY = 0o600
BESIDE_DATABASES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database. A copy does not need them."""
COMPRESSION_LEVEL = 5
COPY = "copy.db"
"""The name of the copy of a database, beside the backup."""


class BackUp(NamedTuple):
    """Numbers of what a backup contains."""

    databases: int
    files: int
    outside: tuple[str, ...]
    """Paths of the contest's settings that are outside of its folder, and not in the backup."""


def back_up(contest_file: Path, target: Path) -> BackUp:
    """Write a backup of the folder of a contest to `target`, which only its owner may read.

    `target` is replaced when the backup is complete.

    Raises:
        StoreError: a file cannot be read or written, or a database is damaged.
        SettingsError: the contest file cannot be read, or `target` is in its folder.
    """
    folder = contest_file.resolve().parent
    if target.resolve().is_relative_to(folder):
        raise SettingsError(
            f"got {target}, expected a file outside of {folder}: otherwise each backup would "
            "contain the former ones"
        )
    contest = read_contest(contest_file)
    server = [path for path in [folder / SERVER_DATABASE] if path.is_file()]
    runs, results = [], Path(contest.results).resolve()
    if results.is_relative_to(folder):  # databases in submissions are copied as files
        runs = sorted(results.glob(f"*/{DATABASE}"))
    submissions = Path(contest.entrants.submissions or folder).resolve()
    is_within = submissions.is_dir() and folder in submissions.parents
    log = SubmissionLog(submissions)
    if is_within:
        with log.settled():  # which makes it
            server.append(log.path)
    databases = frozenset([*server, *runs])
    with os_error_as(StoreError, f"cannot write {target}"):
        target.parent.mkdir(parents=True, exist_ok=True)
    with (
        os_error_as(StoreError, f"cannot write {target}"),
        atomic_file(target, OWNER_ONLY) as file,
        TemporaryDirectory(dir=target.parent, prefix=".") as scratch,
        gzip.GzipFile("", "wb", COMPRESSION_LEVEL, file) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in {
            log.path.parent,
            submissions,
            submissions / FOLDER,
            *[run.parent for run in runs],
        }:
            if path.is_dir() and folder in path.parents:
                archive.add(path, _name(path, folder), recursive=False, filter=_private)
        for database in runs:
            _add_database(archive, database, folder, Path(scratch, COPY))
        with log.settled() if is_within else nullcontext():
            for database in server:
                _add_database(archive, database, folder, Path(scratch, COPY))
            files = _add_files(archive, submissions, folder, databases) if is_within else 0
        files += _add_files(archive, folder, folder, databases, submissions if is_within else None)
    return BackUp(len(databases), files, tuple(_outside(contest, folder)))


def _name(path: Path, folder: Path) -> str:
    """Return the name of a file in the archive, whose root has the name of the folder."""
    return path.relative_to(folder.parent).as_posix()


def _add_database(archive: tarfile.TarFile, source: Path, folder: Path, copy: Path) -> None:
    """Add a database of the folder by a `copy`, which is deleted then."""
    _copy_database(source, copy)
    archive.add(copy, _name(source, folder), filter=_private)
    copy.unlink()


def _copy_database(source: Path, copy: Path) -> None:
    """Copy a database as it is at one moment, while others write to it. Raises `StoreError`."""
    try:
        with (
            closing(sqlite3.connect(f"{source.as_uri()}?mode=rw", uri=True)) as database,
            closing(sqlite3.connect(copy)) as copied,
        ):
            copy.chmod(source.stat().st_mode & 0o777)
            database.backup(copied)
            (said,) = copied.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"cannot copy {source}: {error}") from None
    if said != "ok":
        raise StoreError(
            f"{source} is damaged: {said}; the former backup was kept, and nothing was changed"
        )


def _add_files(
    archive: tarfile.TarFile,
    top: Path,
    folder: Path,
    databases: frozenset[Path],
    left_out: Path | None = None,
) -> int:
    """Add all below `top` but databases and what is `left_out`, and return the number of files."""
    others = [
        path
        for path in _others(top, databases)
        if left_out is None or not path.is_relative_to(left_out)
    ]
    return sum([_add(archive, path, _name(path, folder)) for path in others])


def _others(folder: Path, databases: frozenset[Path]) -> Iterator[Path]:
    """Yield what a backup has besides databases: files, links and empty folders."""
    for path in contest_files(folder):
        is_of_database = path.name.endswith(BESIDE_DATABASES) and any(
            path.name.startswith(each.name) for each in databases if each.parent == path.parent
        )
        if path not in databases and not is_of_database:
            yield path


def _add(archive: tarfile.TarFile, path: Path, name: str) -> bool:
    """Add a file, as long as it was when it was opened. Return False if it is gone.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        if path.is_symlink() or path.is_dir():
            archive.add(path, name, recursive=False, filter=_private)
            return not path.is_dir()
        if not path.is_file():  # a socket or a pipe
            return False
        with path.open("rb") as file:
            about = archive.gettarinfo(arcname=name, fileobj=file)
            archive.addfile(_private(about), file)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"cannot add {path} to the backup: {error.strerror or error}") from None
    return True


def _private(about: tarfile.TarInfo) -> tarfile.TarInfo:
    """Let only the owner use a restored file."""
    about.mode &= 0o700
    return about


def _outside(contest: Contest, folder: Path) -> Iterator[str]:
    """Yield the paths of a contest's settings that are not in its folder."""
    entrants = contest.entrants
    named = [contest.results, contest.secret, entrants.submissions, entrants.roster]
    named += [program.folder for program in contest.programs]
    named += [bot for bot in (*entrants.bots, *entrants.challengers) if os.path.exists(bot)]
    for path in filter(None, named):
        if not Path(path).resolve().is_relative_to(folder):
            yield path
