"""The files of a bot and their fingerprint, which changes when the code does."""

import ast
import hashlib
import os
import sys
import warnings
from collections.abc import Collection, Iterable
from pathlib import Path

from arena.contest.archive import is_code
from arena.errors import BotError
from arena.protocol import printable


def fingerprint(command: Iterable[str], files: Collection[Path], folder: Path) -> str:
    """Return a digest of the command and the files of a bot.

    It does not depend on the place of `folder`.

    Raises:
        BotError: a file cannot be read, or its name cannot be stored in the settings of a run.
    """
    for path in (folder, *files):
        if not _is_utf8(str(path)):
            raise BotError(f"the name of {printable(str(path))} is not UTF-8: rename it")
    digest = hashlib.blake2b(digest_size=16)
    for part in command:
        name = "python" if part == sys.executable else part.replace(str(folder), ".")
        digest.update(name.encode() + b"\0")
    for file in sorted(files):
        try:
            content = file.read_bytes()
        except OSError as error:
            raise BotError(f"cannot read {file}: {error.strerror}") from None
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def command_from(origin: Path, command: Iterable[str]) -> list[str]:
    """Return a command whose words lead to the folder `origin` in the form of a fingerprint.

    A copy of a bot may still be started by a program that only its original folder has.
    """
    return [part if part == sys.executable else part.replace(str(origin), ".") for part in command]


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def files_in(folder: Path) -> list[Path]:
    """Return the code files in a bot's folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if is_code(path.relative_to(folder))]


def folders_in(folder: Path) -> list[Path]:
    """Return the folders in a bot's folder that may have code, also those that have none."""
    found = [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]
    return [path for path in found if is_code(path.relative_to(folder))]


def files_of(program: Path) -> list[Path]:
    """Return a Python file and the modules beside it that it imports, directly or indirectly."""
    found = [program]
    for file in found:
        for name in sorted(_imports(file)):
            module = program.parent / name
            inside = module.rglob("*.py") if os.path.isdir(module) else ()
            beside = [module.with_suffix(".py"), *inside]
            found += [one for one in beside if os.path.isfile(one) and one not in found]
    return found


def _imports(file: Path) -> set[str]:
    """Return the top-level names of the modules that a Python file imports."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are for the author of the bot
            tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # the last: too nested
        return set()  # the bot will fail to start, with a better error
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update([alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}
