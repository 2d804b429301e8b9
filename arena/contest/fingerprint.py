"""List, copy and fingerprint a bot's files."""

import ast
import contextlib
import hashlib
import os
import shutil
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from arena.base.atomic_file import os_error_as
from arena.base.errors import BotError, SubmissionError
from arena.base.protocol import printable
from arena.base.record import Entrant
from arena.contest.archive import MAX_FILES, is_code
from arena.contest.untrusted_files import UntrustedFolder

READ_BYTES = 1024 * 1024
PERMISSIONS = 0o777
VERSION = "v2"


def fingerprint(
    command: Iterable[str],
    files: Collection[Path],
    folder: Path,
    origin: Path | None = None,
    untrusted: UntrustedFolder | None = None,
) -> str:
    """Return a hash of a bot's command and files, with a version prefix.

    If the bot's folder was copied, pass the original folder as `origin`, so that both folders have
    the same hash. Pass an `UntrustedFolder` unless the bot's author is trusted.

    Raises:
        BotError: A file can't be read, or a file name isn't UTF-8.
    """
    for path in (folder, *files):
        try:
            str(path).encode()
        except UnicodeEncodeError:
            shown = printable(str(path))
            raise BotError(f"the name of {shown} is not UTF-8: rename it") from None
    digest = hashlib.blake2b(digest_size=16)
    words = [_without_folders(word, {str(folder), str(origin or folder)}) for word in command]
    digest.update(_number(len(words)))
    for pieces in words:
        digest.update(_number(len(pieces)) + b"".join(map(_field, pieces)))
    for path in sorted(files):
        name = path.relative_to(folder).as_posix()
        with (
            os_error_as(BotError, f"cannot read {path}"),
            untrusted.open(name) if untrusted else path.open("rb") as file,
        ):
            left = os.fstat(file.fileno()).st_size
            digest.update(_field(name) + _number(left))
            while piece := file.read(READ_BYTES):
                digest.update(piece)
                left -= len(piece)
        if left:
            raise BotError(f"{path} changed while it was being read: try again")
    return VERSION + digest.hexdigest()


def _without_folders(word: str, folders: Collection[str]) -> list[str]:
    if word == sys.executable:
        return []
    for folder in sorted(folders, key=len, reverse=True):  # the copy may be inside the original
        word = word.replace(folder, "\0")
    return word.split("\0")


def _field(text: str) -> bytes:
    content = text.encode()
    return _number(len(content)) + content


def _number(number: int) -> bytes:
    return number.to_bytes(8, "big")


def code_of(entrant: Entrant) -> list[Path]:
    folder = Path(entrant.folder)
    return [folder / name for name in entrant.files] or files_in(folder)


def opened(entrant: Entrant) -> UntrustedFolder:
    return UntrustedFolder(Path(entrant.folder), (*entrant.files, "")[0])


def fingerprint_now(entrant: Entrant) -> str:
    folder, origin = Path(entrant.folder), Path(entrant.origin)
    with os_error_as(BotError, f"cannot read {folder}"), opened(entrant) as inside:
        return fingerprint(entrant.command, code_of(entrant), folder, origin, inside)


def files_in(folder: Path) -> list[Path]:
    return [folder / name for name, is_folder in entries_in(folder) if not is_folder]


def entries_in(folder: Path) -> Iterator[tuple[str, bool]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if is_code(name) and (path.is_file() or (path.is_dir() and not path.is_symlink())):
            yield name.as_posix(), path.is_dir()


def copy_bot(entrant: Entrant, folder: Path, follow_links: bool) -> None:
    folder.mkdir()
    source = Path(entrant.folder)
    with contextlib.ExitStack() as open_folder:
        with os_error_as(BotError, f"cannot read {source}"):
            inside = None if follow_links else open_folder.enter_context(opened(entrant))
            entries = inside.entries(is_code) if inside else entries_in(source)
            names = [(name, False) for name in entrant.files] or list(entries)
        for name, is_folder in names:
            if is_folder:
                (folder / name).mkdir()
                continue
            with os_error_as(BotError, f"cannot read {source / name}"):
                content = inside.open(name) if inside else (source / name).open("rb")
            _copy(content, folder / name)


def _copy(content: IO[bytes], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with content, path.open("xb") as copy:
        shutil.copyfileobj(content, copy, READ_BYTES)
        os.fchmod(copy.fileno(), os.fstat(content.fileno()).st_mode & PERMISSIONS)


def files_of(program: str, inside: UntrustedFolder) -> list[str]:
    """Return the paths of a Python program and the modules that it imports from its own folder.

    Raises:
        SubmissionError: There are too many files, or a module is not a regular file.
        BotError: A file is too large to be parsed.
    """
    files = [program]
    for file in files:
        beside = inside.files(partial(_is_module, _imports(file, inside)))
        modules = sorted([path for path in beside if path.endswith(".py")])
        files += [path for path in modules if path not in files]
        if len(files) > MAX_FILES:
            raise SubmissionError(
                f"{printable(program)} imports more than {MAX_FILES:,} files next to it: put "
                "the bot into a folder with a bot.toml"
            )
    return files


def _is_module(names: Collection[str], path: PurePosixPath) -> bool:
    return path.suffix in ("", ".py") and path.parts[0].removesuffix(".py") in names


def _imports(file: str, inside: UntrustedFolder) -> set[str]:
    try:
        with warnings.catch_warnings(), inside.open(file) as source:
            warnings.simplefilter("ignore")  # they are for the author of the bot
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return set()  # the bot will fail to start, with a better error
    except (RecursionError, MemoryError):
        raise BotError(
            f"{printable(PurePosixPath(file).name)} is too large or too deeply nested to be "
            "parsed: move large tables into data files"
        ) from None
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update([alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}
