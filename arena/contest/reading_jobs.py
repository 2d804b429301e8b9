"""The jobs of a `Reader`: to find the bot in one place, or to read or copy files of a bot.

They are plain data that can run itself. What they return is plain data with bounds.

A job that unpacks or copies gets a scratch folder, whose owner deletes it with all that is left.
"""

import hashlib
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.contest.archive import SUBMISSION_LIMITS, copy_build, copy_submission, open_plain
from arena.contest.bot_files import BOT_FILE, FoundBot, bot_in, code_in, from_file, from_folder
from arena.contest.fingerprint import copy_bot, fingerprint_now
from arena.contest.passages import passages
from arena.contest.requirements import requirements_in
from arena.errors import BotError, SubmissionError
from arena.protocol import printable
from arena.record import Entrant

UNPACKED = ".unpacked"
"""The folder in the folder of submissions with the contents of files and zips."""
BUILT = ".built"
"""The folder in the folder of submissions with bots that were put there and had to be built."""
MADE = "made"
"""The folder in the scratch folder with the result of a build."""
COPIED = "copied"
"""The folder in the scratch folder with a submission that is not accepted yet."""
PACKED = (".py", ".zip")
MAX_PROGRAM_BYTES = 256 * 1024
"""Python files of a bot that are compared with those of others. Larger ones have generated tables.
"""
MAX_CHILDREN = 10_000
"""Of a student's folder with versions."""
_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)

Scratch = Callable[[], Path]
"""Returns the scratch folder, which is made when it is needed."""


class NamedBot(msgspec.Struct, frozen=True, tag="named"):
    """The bot in a Python file, or in a folder with `bot.toml`, which a person has named."""

    path: str
    name: str | None
    interpreters: tuple[str, ...]

    def find(self, scratch: Scratch) -> FoundBot:
        """Return the bot. Raises `BotError`."""
        path = Path(self.path)
        if path.is_dir():
            return from_folder(path, self.name, self.interpreters, is_limited=False)
        return from_file(path, self.name)


class StudentsBot(msgspec.Struct, frozen=True, tag="student"):
    """The newest bot of a student, in a child of the folder of submissions."""

    path: str
    name: str
    interpreters: tuple[str, ...]

    def find(self, scratch: Scratch) -> FoundBot:
        """Return the bot. A file or zip is unpacked. Raises `BotError`.

        Only a bot that `arena submit` has not built has a `build` left.
        """
        path = Path(self.path)
        unpacked = path.parent / UNPACKED
        if not path.is_dir() or path.is_symlink():
            return self._bot_in(_unpack(path, unpacked, scratch), path)
        if numbers := versions(path):
            newest = path / str(numbers[-1])
            return msgspec.structs.replace(bot_in(newest, self.name, self.interpreters), build="")
        inside = code_in(path)
        # Some teaching platforms export a folder for each student with the submitted file in it.
        if len(inside) == 1 and inside[0].suffix.lower() == ".zip":
            return self._bot_in(_unpack(inside[0], unpacked, scratch), inside[0])
        return self._bot_in(path)

    def _bot_in(self, folder: Path, source: Path | None = None) -> FoundBot:
        return bot_in(folder, self.name, self.interpreters, source, may_be_unbuilt=True)


class IncomingBot(msgspec.Struct, frozen=True, tag="incoming"):
    """The bot in a submission, which is copied into `COPIED` of the scratch folder."""

    source: str
    name: str
    interpreters: tuple[str, ...]

    def find(self, scratch: Scratch) -> FoundBot:
        """Copy the submission and return its bot. Raises `BotError`."""
        source, folder = Path(self.source), scratch() / COPIED
        folder.mkdir()  # with the usual mode, since the scratch folder is private
        copy_submission(source, folder)
        return bot_in(folder, self.name, self.interpreters, source, may_be_unbuilt=True)


class StoredBot(msgspec.Struct, frozen=True, tag="stored"):
    """The bot in a folder that `arena submit` has written."""

    folder: str
    name: str
    interpreters: tuple[str, ...]

    def find(self, scratch: Scratch) -> FoundBot:
        """Return the bot. Raises `BotError`."""
        return bot_in(Path(self.folder), self.name, self.interpreters)


class BuiltBot(msgspec.Struct, frozen=True, tag="built"):
    """The bot in a submission after its build, whose result is an archive."""

    archive: str
    place: str
    """The folder of the `bot.toml`, which gets the result in place of what it has."""
    folder: str
    """The submission, in which `place` is."""
    name: str
    interpreters: tuple[str, ...]

    def find(self, scratch: Scratch) -> FoundBot:
        """Unpack the result and return the bot. Raises `BotError`."""
        made = scratch() / MADE
        made.mkdir()
        label = f"the build of {self.name}"
        try:
            copy_build(Path(self.archive), made, label)
        except tarfile.TarError as error:
            raise SubmissionError(f"{label} cannot be unpacked: {printable(str(error))}") from None
        shutil.rmtree(self.place)
        made.rename(self.place)
        return bot_in(Path(self.folder), self.name, self.interpreters)


Job = NamedBot | StudentsBot | IncomingBot | StoredBot | BuiltBot


class RequiredPackages(msgspec.Struct, frozen=True, tag="packages"):
    """The packages that a bot requires."""

    folder: str
    program: str
    """Its Python program in the folder, or an empty text."""

    def texts(self) -> tuple[str, ...]:
        """Return the requirements. Raises `SubmissionError`."""
        return requirements_in(Path(self.folder), self.program)


class Fingerprint(msgspec.Struct, frozen=True, tag="fingerprint"):
    """The fingerprint of a bot with its files of now."""

    bot: Entrant

    def texts(self) -> tuple[str, ...]:
        """Return it. Raises `BotError`."""
        return (fingerprint_now(self.bot),)


class Copy(msgspec.Struct, frozen=True, tag="copy"):
    """A new folder with a copy of the files of a bot."""

    bot: Entrant
    folder: str

    def texts(self) -> tuple[str, ...]:
        """Copy them, and return nothing. Raises `BotError`."""
        copy_bot(self.bot, Path(self.folder), follow_links=False)
        return ()


Question = RequiredPackages | Fingerprint | Copy
"""A job that returns texts."""


class Program(msgspec.Struct, frozen=True, tag="program"):
    """The Python files of a bot, of which the passages are read."""

    folder: str
    files: tuple[str, ...]

    def passages(self) -> frozenset[int]:
        """Return the passages of the files. Raises `BotError`."""
        texts = []
        left = MAX_PROGRAM_BYTES
        for file in self.files:
            with open_plain(Path(self.folder, file)) as content:
                text = content.read(left + 1)
            left -= len(text)
            if left < 0:
                raise BotError(f"its Python files have more than {MAX_PROGRAM_BYTES:,} bytes")
            texts.append(text)
        try:
            return passages([text.decode() for text in texts])
        except (SyntaxError, UnicodeDecodeError):
            raise BotError("its Python files cannot be divided into tokens") from None


def versions(folder: Path) -> list[int]:
    """Return the version numbers in a student's folder, with the newest last.

    A link has none, nor has a folder that cannot be read.
    """
    found: list[int] = []
    try:
        if folder.is_symlink():
            return []
        with os.scandir(folder) as children:
            for number, child in enumerate(children):
                if child.name.startswith("."):
                    continue
                is_own = child.name == BOT_FILE or child.name.lower().endswith(".py")
                if is_own or number == MAX_CHILDREN:  # a bot with folders of its own
                    return []
                if _NUMBER.fullmatch(child.name) and child.is_dir(follow_symlinks=False):
                    found.append(int(child.name))
    except OSError:
        return []
    return sorted(found)


def _unpack(source: Path, unpacked: Path, scratch: Scratch) -> Path:
    """Return the folder with the contents of a file or zip, and nothing else.

    Its name depends on the name and content of `source`, so runs that look for it at the same time
    share it.
    """
    try:
        with open_plain(source) as file:  # refuses a link
            if os.fstat(file.fileno()).st_size > SUBMISSION_LIMITS.size:
                raise SubmissionError(
                    f"{printable(source.name)} is too large: at most "
                    f"{SUBMISSION_LIMITS.size:,} bytes are allowed"
                )
            content = hashlib.file_digest(file, "blake2b").digest()
    except OSError as error:
        raise SubmissionError(f"cannot unpack {source}: {error.strerror}") from None
    key = hashlib.blake2b(source.name.encode() + b"\0" + content)
    place = unpacked / key.hexdigest()[:32]
    if not place.is_dir():
        with tempfile.TemporaryDirectory(dir=scratch()) as outer:
            folder = Path(outer, COPIED)
            folder.mkdir()
            copy_submission(source, folder)
            move(folder, place)  # another process may have unpacked the same file
    return place


def move(folder: Path, place: Path) -> bool:
    """Move a folder to `place`. Return False if there is a folder already.

    Raises:
        SubmissionError: it cannot be moved there.
    """
    try:
        folder.rename(place)
    except OSError as error:
        if not place.is_dir():
            raise SubmissionError(f"cannot write {place}: {error.strerror}") from None
        return False
    return True
