"""Bots on the way to another machine: packed with their files, and unpacked into a folder."""

import sys
from pathlib import Path

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import Limits
from arena.base.record import Entrant, unmarked
from arena.contest.archive import is_code
from arena.contest.entrants import find_registered, is_registered
from arena.contest.fingerprint import code_of, entries_in, fingerprint_now
from arena.extras.dask.messages import BotFile, PackedBot

PERMISSIONS = 0o777


def pack_bot(session: str, entrant: Entrant, limits: Limits) -> PackedBot:
    """Return a bot with the files that its fingerprint covers. Registered bots have none.

    Raises:
        BotError: a file cannot be read.
    """
    packed = PackedBot(session, entrant, sys.executable, limits)
    if is_registered(entrant):
        return msgspec.structs.replace(packed, is_installed=True)
    folder = Path(entrant.folder)
    files = []
    try:
        for path in sorted(code_of(entrant)):
            name = path.relative_to(folder).as_posix()
            files.append(BotFile(name, path.stat().st_mode & PERMISSIONS, path.read_bytes()))
        found = () if entrant.files else entries_in(folder)
        folders = tuple([name for name, is_folder in found if is_folder])
    except OSError as error:
        raise BotError(f"cannot read the files of {entrant.name}: {error}") from None
    return msgspec.structs.replace(packed, files=tuple(files), folders=folders)


def unpack_bot(packed: PackedBot, folder: Path) -> Entrant:
    """Return the bot as it is started on this machine, with its files in the new `folder`.

    Raises:
        BotError: the bot is not installed here, a file leads out of the folder, or the files do
            not have the fingerprint of the bot.
        OSError: the folder cannot be written.
    """
    if packed.is_installed:
        return _installed(packed.entrant)
    entrant = packed.entrant
    folder.mkdir(parents=True)
    for name in packed.folders:
        _inside(folder, name).mkdir(parents=True, exist_ok=True)
    for file in packed.files:
        path = _inside(folder, file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        path.chmod(file.mode)
    command = [_moved(part, packed, folder) for part in entrant.command]
    moved = msgspec.structs.replace(
        entrant, folder=str(folder), command=tuple(command), source=entrant.origin
    )
    if (got := fingerprint_now(moved)) != entrant.fingerprint:
        raise BotError(
            f"the files of {entrant.name} have the fingerprint {got}, expected "
            f"{entrant.fingerprint}: they were changed on the way or in the run's folder"
        )
    return moved


def needs_trial(packed: PackedBot) -> bool:
    """Return whether the bot needs more than its files and Python, so that it is started once."""
    return not packed.is_installed and packed.entrant.command[0] != packed.python


def _installed(entrant: Entrant) -> Entrant:
    found = find_registered(unmarked(entrant.name))
    if found is None:
        raise BotError(f"the bot {entrant.name} is not installed here: install its package")
    if found.fingerprint != entrant.fingerprint:
        raise BotError(
            f"the installed bot {entrant.name} has other code here: got the fingerprint "
            f"{found.fingerprint}, expected {entrant.fingerprint}; install the same version of "
            "its package"
        )
    return msgspec.structs.replace(
        entrant, command=found.command, folder=found.folder, files=found.files
    )


def _inside(folder: Path, name: str) -> Path:
    path = Path(name)
    if path.is_absolute() or ".." in path.parts or not is_code(path):
        raise BotError(f"the file {name!r} of a bot leads out of its folder")
    return folder / path


def _moved(part: str, packed: PackedBot, folder: Path) -> str:
    """Return a word of a command with the Python and the folder of this machine."""
    if part == packed.python:
        return sys.executable
    before = packed.entrant.folder
    if Path(part).is_relative_to(before):
        return str(folder / Path(part).relative_to(before))
    return part
