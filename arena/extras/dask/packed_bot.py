"""Transfer a bot and its files to another machine."""

import io
import sys
import tarfile
from pathlib import Path

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import BotError
from arena.base.record import Entrant, unmarked
from arena.contest.entrants import find_registered, is_registered
from arena.contest.fingerprint import code_of, entries_in


# Dask's `UploadDirectory` would not preserve file permissions.
class PackedBot(msgspec.Struct, frozen=True):
    """A bot packed with its files."""

    entrant: Entrant  # with the paths on the machine that packed the bot
    python: str  # path on the machine that packed the bot
    is_installed: bool
    """Whether the bot comes from an installed package. The files of such a bot are not packed."""
    files: bytes = b""


def pack_bot(entrant: Entrant) -> PackedBot:
    """Pack a bot together with all files that are included in its fingerprint.

    Raise `BotError` if the files cannot be read.
    """
    if is_registered(entrant):
        return PackedBot(entrant, sys.executable, is_installed=True)
    folder, files = Path(entrant.folder), io.BytesIO()
    with (
        os_error_as(BotError, f"cannot read the files of {entrant.name}"),
        tarfile.open(fileobj=files, mode="w", dereference=True) as archive,
    ):
        entries = () if entrant.files else entries_in(folder)
        folders = [folder / name for name, is_folder in entries if is_folder]
        for path in (*folders, *code_of(entrant)):
            archive.add(path, path.relative_to(folder), recursive=False)
    return PackedBot(entrant, sys.executable, False, files.getvalue())


def unpack_bot(packed: PackedBot, folder: Path) -> Entrant:
    """Unpack a bot's files into a new folder.

    Raise `BotError` if the bot comes from an installed package that is missing or has different
    code on this machine. Raise `OSError` if the files cannot be written.
    """
    if packed.is_installed:
        return _installed(packed.entrant)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed.files)) as archive:
        # Python 3.11.0 to 3.11.3 have no filters. The archive comes from our own main process.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    entrant = packed.entrant
    return msgspec.structs.replace(
        entrant,
        folder=str(folder),
        command=tuple([_moved(word, packed, folder) for word in entrant.command]),
        source=entrant.origin,
    )


def _installed(entrant: Entrant) -> Entrant:
    installed = find_registered(unmarked(entrant.name))
    if installed is None:
        raise BotError(f"the bot {entrant.name} is not installed here: install its package")
    if installed.fingerprint != entrant.fingerprint:
        raise BotError(
            f"the installed bot {entrant.name} has other code here: got the fingerprint "
            f"{installed.fingerprint}, expected {entrant.fingerprint}; install the same version of "
            "its package"
        )
    return msgspec.structs.replace(
        entrant, command=installed.command, folder=installed.folder, files=installed.files
    )


def _moved(word: str, packed: PackedBot, folder: Path) -> str:
    if word == packed.python:
        return sys.executable
    before = packed.entrant.folder
    if Path(word).is_relative_to(before):
        return str(folder / Path(word).relative_to(before))
    return word
