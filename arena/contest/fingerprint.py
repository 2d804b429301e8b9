"""The files of a bot and their fingerprint, which changes when the code does."""

import ast
import hashlib
import os
import stat
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from arena.contest.archive import SUBMISSION_LIMITS, is_code, open_plain
from arena.errors import BotError, SubmissionError
from arena.protocol import printable

READ_BYTES = 1024 * 1024


def fingerprint(command: Iterable[str], files: Collection[Path], folder: Path) -> str:
    """Return a digest of the command and the files of a bot.

    It does not depend on the place of `folder`.

    Raises:
        BotError: a file cannot be read, or its name cannot be stored in the settings of a run.
    """
    for path in (folder, *files):
        if not is_utf8(str(path)):
            raise BotError(f"the name of {printable(str(path))} is not UTF-8: rename it")
    digest = hashlib.blake2b(digest_size=16)
    for part in command:
        name = "python" if part == sys.executable else part.replace(str(folder), ".")
        digest.update(name.encode() + b"\0")
    for path in sorted(files):
        try:
            with path.open("rb") as file:
                left = os.fstat(file.fileno()).st_size
                digest.update(f"{path.relative_to(folder).as_posix()}\0{left}\0".encode())
                while piece := file.read(READ_BYTES):
                    digest.update(piece)
                    left -= len(piece)
        except OSError as error:
            raise BotError(f"cannot read {path}: {error.strerror}") from None
        if left:
            raise BotError(f"{path} was changed while it was read: try again")
    return digest.hexdigest()


def command_from(origin: Path, command: Iterable[str]) -> list[str]:
    """Return a command whose words lead to the folder `origin` in the form of a fingerprint.

    A copy of a bot may still be started by a program that only its original folder has.
    """
    return [part if part == sys.executable else part.replace(str(origin), ".") for part in command]


def is_utf8(name: str) -> bool:
    """Return whether the name of a file is UTF-8, so that JSON can hold it."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def files_in(folder: Path) -> list[Path]:
    """Return the code files in the folder of a trusted bot. Links to files are followed."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if is_code(path.relative_to(folder))]


def folders_in(folder: Path) -> list[Path]:
    """Return the folders in a bot's folder that may have code, also those that have none."""
    found = [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]
    return [path for path in found if is_code(path.relative_to(folder))]


def files_of(program: Path) -> list[Path]:
    """Return a Python file and the modules beside it that it imports, directly or indirectly.

    Raises:
        SubmissionError: one of them is a link or a device, or there are too many.
        BotError: one of them cannot be parsed with the memory that is there.
    """
    found = [program]
    for file in found:
        for name in sorted(_imports(file)):
            module = program.parent / name
            beside = [*_plain_module(module.with_suffix(".py")), *_plain_package(module)]
            found += [one for one in beside if one not in found]
            if len(found) > SUBMISSION_LIMITS.files:
                raise SubmissionError(
                    f"{printable(program.name)} imports more than {SUBMISSION_LIMITS.files:,} "
                    "files beside it: put the bot into a folder with a bot.toml"
                )
    return found


def _plain_module(path: Path) -> Iterator[Path]:
    """Yield the path of a module if there is one. Refuse a link or a device."""
    mode = _mode_of(path)
    if stat.S_ISREG(mode):
        yield path
    elif mode and not stat.S_ISDIR(mode):
        raise SubmissionError(
            f"{printable(path.name)} is imported and is a link or a device: put a plain file there"
        )


def _plain_package(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder if there is one. Refuse links and devices."""
    mode = _mode_of(folder)
    if stat.S_ISLNK(mode):
        raise SubmissionError(
            f"{printable(folder.name)} is imported and is a link: put a folder there"
        )
    if stat.S_ISDIR(mode):
        for child in sorted(folder.iterdir()):
            if child.suffix == ".py":
                yield from _plain_module(child)
            yield from _plain_package(child)


def _mode_of(path: Path) -> int:
    """Return the type and mode of what is at `path`, or 0 if there is nothing."""
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):  # for example a name that is too long
        return 0


def _imports(file: Path) -> set[str]:
    """Return the top-level names of the modules that a Python file imports."""
    try:
        with warnings.catch_warnings(), open_plain(file) as source:
            warnings.simplefilter("ignore")  # they are for the author of the bot
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return set()  # the bot will fail to start, with a better error
    except (RecursionError, MemoryError):
        raise BotError(
            f"{printable(file.name)} is nested too deeply or is too large to be parsed: put large "
            "tables into files that are no Python"
        ) from None
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update([alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}
