"""`arena backup`: copy a contest's folder consistently, even while the contest is in use.

A backup is a `.tar.gz` file of the contest's folder. Databases are copied before other files, so
that the backup contains every file that a database refers to.
"""

import os
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.base.atomic_file import INCOMPLETE, atomic_file, os_error_as
from arena.base.errors import SettingsError, StoreError
from arena.commands.common import contest_argument, required_contest
from arena.contest.contest_file import read_contest
from arena.contest.inbox import CHECKING_PREFIX, Inbox
from arena.contest.reader import INCOMING_PREFIX
from arena.contest.snapshots import STAGING_PREFIX
from arena.extras.serve.server_database import DATABASE as SERVER_DATABASE
from arena.terminal.console import say, warning
from arena.tournament.store import DATABASE

OWNER_ONLY = 0o600
TEMPORARY = (INCOMING_PREFIX, STAGING_PREFIX, CHECKING_PREFIX, "__pycache__")
BESIDE = ("", "-wal", "-shm", "-journal")


@click.command("backup")
@contest_argument
@click.option(
    "--to",
    "target",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The backup file to write, such as spring.tar.gz. It must be outside the contest's "
    "folder. An existing file is replaced.",
)
def backup_command(place: Path | None, target: Path) -> None:
    """Back up a contest, even while it is in use.

    To restore a backup, unpack the file with `tar xzf`, and then run `arena serve` or `arena
    run` on the unpacked folder. A backup contains all of the contest's secrets, so only the user
    who creates the file can read it.
    """
    for path in back_up(required_contest(place), target):
        warning(f"not in the backup, because it is outside the contest's folder: {path}")
    say(str(target))


def back_up(contest_file: Path, target: Path) -> list[str]:
    """Back up a contest's folder.

    Return the paths of files that the contest uses from outside its folder. These files are not
    backed up. Raise `StoreError` if a file can't be read or written. Raise `SettingsError` if
    the backup would be written to the contest's folder.
    """
    folder = contest_file.resolve().parent
    if target.resolve().is_relative_to(folder):
        raise SettingsError(
            f"got {target}, expected a file outside {folder}: otherwise each backup would "
            "contain the previous ones"
        )
    contest = read_contest(contest_file)
    databases = sorted(Path(contest.results).resolve().glob(f"*/{DATABASE}"))
    inbox = Inbox(Path(contest.entrants.inbox or folder)).path
    with os_error_as(StoreError, f"cannot back up {folder} to {target}"):
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            atomic_file(target, OWNER_ONLY) as file,
            TemporaryDirectory(dir=target.parent, prefix=".") as scratch,
            tarfile.open(fileobj=file, mode="w:gz", compresslevel=5) as archive,
        ):
            done: set[Path] = set()
            for path in [*databases, folder / SERVER_DATABASE, inbox]:
                if path.is_file() and path.is_relative_to(folder):
                    copy = _snapshot(path, Path(scratch, f"{len(done)}.db"))
                    archive.add(copy, path.relative_to(folder.parent), filter=_for_owner)
                    done |= {path.with_name(path.name + ending) for ending in BESIDE}
            for path in _lasting(folder):
                if path not in done:
                    name = path.relative_to(folder.parent)
                    with suppress(FileNotFoundError):  # it was removed meanwhile
                        archive.add(path, name, recursive=False, filter=_for_owner)
    named = [contest.results, contest.secret, contest.entrants.inbox, contest.entrants.roster]
    named += [program.folder for program in contest.programs]
    bots = (*contest.entrants.bots, *contest.entrants.challengers)
    named += [bot for bot in bots if os.path.exists(bot)]
    return [path for path in named if path and not Path(path).resolve().is_relative_to(folder)]


def _snapshot(path: Path, copy: Path) -> Path:
    """Copy a database that may be in use."""
    try:
        with (
            closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database,
            closing(sqlite3.connect(copy)) as copied,
        ):
            database.backup(copied)
            (found,) = copied.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        raise StoreError(f"{path} is damaged: {found}; the previous backup was kept")
    return copy


def _lasting(folder: Path) -> Iterator[Path]:
    yield folder
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith(TEMPORARY)]
        for name in (*folders, *sorted(files)):
            if not name.startswith(TEMPORARY) and not name.endswith((INCOMPLETE, ".lock")):
                yield Path(place, name)


def _for_owner(about: tarfile.TarInfo) -> tarfile.TarInfo:
    about.mode &= 0o700
    return about
