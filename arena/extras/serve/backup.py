"""`arena backup`: a consistent copy of a contest's folder, even while a server or run writes to it.

A backup is a `.tar.gz` file of the folder. Unpack it with `tar xzf`, then serve or play it.
Databases are copied first, each as a snapshot. Files are written before the rows that refer to
them and never change afterwards, so the backup has every file that a copied row needs.
"""

import os
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.base.atomic_file import INCOMPLETE, atomic_file, os_error_as
from arena.base.errors import SettingsError, StoreError
from arena.commands.common import contest_argument, required_contest
from arena.contest.contest_file import read_contest
from arena.contest.inbox import CHECKING_PREFIX, Inbox
from arena.contest.reader_process import INCOMING_PREFIX
from arena.contest.settings import Contest
from arena.contest.snapshots import STAGING_PREFIX
from arena.extras.serve.server_database import DATABASE as SERVER_DATABASE
from arena.terminal.console import say, warning
from arena.tournament.store import DATABASE

OWNER_ONLY = 0o600
TEMPORARY = (INCOMING_PREFIX, STAGING_PREFIX, CHECKING_PREFIX, "__pycache__")
"""Name prefixes of files that are incomplete or can be created again."""
BESIDE = ("", "-wal", "-shm", "-journal")


@click.command("backup")
@contest_argument
@click.option(
    "--to",
    "target",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the backup, such as spring.tar.gz, outside the contest's folder. An existing "
    "file is replaced.",
)
def backup_command(place: Path | None, target: Path) -> None:
    """Copy a contest folder to a file, even while it is in use.

    To restore it, unpack the file with `tar xzf`; `arena serve` and `arena run` continue from
    the time of the backup. The file contains all secrets of the contest, so only you can read
    it.
    """
    for path in back_up(required_contest(place), target):
        warning(f"not in the backup, because it is outside the contest's folder: {path}")
    say(str(target))


def back_up(contest_file: Path, target: Path) -> list[str]:
    """Back up a contest's folder. Return the paths outside the folder that are not included.

    Only the owner can read the backup. `target` is replaced when the backup is complete. Raise
    `StoreError` if a file can't be read or written, and `SettingsError` if `target` is in the
    folder.
    """
    folder = contest_file.resolve().parent
    if target.resolve().is_relative_to(folder):
        raise SettingsError(
            f"got {target}, expected a file outside {folder}: otherwise each backup would "
            "contain the previous ones"
        )
    contest = read_contest(contest_file)
    with (
        os_error_as(StoreError, f"cannot back up {folder} to {target}"),
        atomic_file(_with_parents(target), OWNER_ONLY) as file,
        TemporaryDirectory(dir=target.parent, prefix=".") as scratch,
        tarfile.open(fileobj=file, mode="w:gz", compresslevel=5) as archive,
    ):
        backup = _Backup(archive, folder, Path(scratch, "copy.db"))
        for database in sorted(Path(contest.results).resolve().glob(f"*/{DATABASE}")):
            backup.add_database(database)
        backup.add_database(folder / SERVER_DATABASE)
        backup.add_database(Inbox(Path(contest.entrants.inbox or folder)).path)
        backup.add_all(folder)
    return list(_outside(contest, folder))


class _Backup:
    def __init__(self, archive: tarfile.TarFile, folder: Path, copy: Path) -> None:
        self._archive = archive
        self._folder = folder
        self._copy = copy
        self._added: set[Path] = set()

    def add_database(self, path: Path) -> None:
        if not (path.is_file() and path.is_relative_to(self._folder)):
            return
        try:
            with (
                closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database,
                closing(sqlite3.connect(self._copy)) as copied,
            ):
                database.backup(copied)
                (said,) = copied.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as error:
            said = str(error)
        if said != "ok":
            raise StoreError(f"{path} is damaged: {said}; the previous backup was kept")
        self._copy.chmod(path.stat().st_mode)
        self._add(self._copy, path)
        self._copy.unlink()
        self._added |= {path.with_name(path.name + ending) for ending in BESIDE}

    def add_all(self, top: Path) -> None:
        for place, folders, files in os.walk(top):
            folders[:] = [name for name in sorted(folders) if not name.startswith(TEMPORARY)]
            for name in ("", *folders, *sorted(files)):
                if not (name.startswith(TEMPORARY) or name.endswith((INCOMPLETE, ".lock"))):
                    self._add(Path(place, name), Path(place, name))

    def _add(self, source: Path, path: Path) -> None:
        if path in self._added:
            return
        self._added.add(path)
        try:
            about = self._archive.gettarinfo(source, str(path.relative_to(self._folder.parent)))
            if about is None:  # a socket
                return
            about.mode &= 0o700
            if about.isreg():
                with source.open("rb") as file:
                    self._archive.addfile(about, file)
            else:
                self._archive.addfile(about)
        except FileNotFoundError:
            pass


def _with_parents(target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _outside(contest: Contest, folder: Path) -> Iterator[str]:
    entrants = contest.entrants
    named = [contest.results, contest.secret, entrants.inbox, entrants.roster]
    named += [program.folder for program in contest.programs]
    named += [bot for bot in (*entrants.bots, *entrants.challengers) if os.path.exists(bot)]
    for path in filter(None, named):
        if not Path(path).resolve().is_relative_to(folder):
            yield path
