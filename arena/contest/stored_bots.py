"""Store the files of submitted bots.

    bots/<fingerprint>/         a bot's files, never changed afterwards
    bots/<fingerprint>.source/  source files, until the bot is built

Bots with the same fingerprint share a folder.
"""

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from arena.base.atomic_file import flush, os_error_as
from arena.base.errors import BotError, HostError, StoreError
from arena.base.lock import ScratchFolder
from arena.base.record import Entrant
from arena.contest.bot_files import FoundBot, started_program
from arena.contest.reader import INCOMING_PREFIX

READ_ONLY = 0o555


class BotDescription(msgspec.Struct, frozen=True):
    """The build and start commands of a stored bot, without machine-specific paths."""

    command: tuple[str, ...]
    files: tuple[str, ...]
    waits: bool
    build: str
    notes: tuple[str, ...]


class StoredBots:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def incoming(self) -> ScratchFolder:
        return self.scratch(INCOMING_PREFIX)

    def scratch(self, prefix: str) -> ScratchFolder:
        with os_error_as(StoreError, f"cannot write {self.folder}"):
            self.folder.mkdir(0o700, exist_ok=True)
            return ScratchFolder(self.folder, prefix)

    def place(self, bot: FoundBot) -> BotDescription:
        """Move a bot into its permanent folder, and flush its files to disk."""
        description, folder = _describe(bot), Path(bot.entrant.folder)
        built = self.folder / bot.entrant.fingerprint
        place = source_of(built) if bot.build else built
        if place.is_dir() or built.is_dir():
            return description
        with os_error_as(HostError, f"cannot store a bot in {self.folder}"):
            for path in (folder, *folder.rglob("*")):
                flush(path)
            if not bot.build:
                make_read_only(folder)
            move_bot(folder, place)
            flush(self.folder)
        return description

    def find(self, name: str, fingerprint: str, description: BotDescription | None) -> FoundBot:
        """Return a stored bot under the given name.

        Raises:
            BotError: The bot's files are missing.
        """
        folder = self.folder / fingerprint
        if description is None or not (folder.is_dir() or source_of(folder).is_dir()):
            raise BotError(f"the files of {name}'s bot are missing from {self.folder}")
        program, *arguments = description.command
        entrant = Entrant(
            name,
            (started_program(program, folder), *arguments),
            str(folder),
            fingerprint,
            files=description.files,
            waits=description.waits,
        )
        return FoundBot(entrant, description.build, description.notes)

    def delete(self, fingerprints: Iterable[str]) -> None:
        for fingerprint in fingerprints:
            folder = self.folder / fingerprint
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(source_of(folder), ignore_errors=True)


def _describe(bot: FoundBot) -> BotDescription:
    entrant, command = bot.entrant, []
    for word in entrant.command:
        if word == sys.executable:
            command.append("python")
        elif Path(word).is_relative_to(entrant.folder):
            command.append(str(Path(word).relative_to(entrant.folder)))
        else:
            command.append(word)
    return BotDescription(tuple(command), entrant.files, entrant.waits, bot.build, bot.notes)


def source_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.source")


def make_read_only(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(path.stat().st_mode & READ_ONLY)


def move_bot(folder: Path, place: Path) -> None:
    try:
        folder.rename(place)
    except OSError:
        if not place.is_dir():
            raise
