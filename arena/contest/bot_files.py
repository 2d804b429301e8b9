"""Bots in files and folders: which one is the bot, its `bot.toml`, and how it is started.

The files are those of strangers. A `Reader` runs these functions with limits of time and memory.
"""

import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import msgspec

from arena.contest.archive import MAX_DEPTH, SUBMISSION_LIMITS, is_code, open_plain, plain_files
from arena.contest.fingerprint import files_of, fingerprint
from arena.contest.settings import checked_bot_name
from arena.errors import BotError, SubmissionError
from arena.protocol import printable

BOT_FILE = "bot.toml"
BOT_PROGRAM = "bot.py"
MAX_BOT_FILE_BYTES = 16 * 1024
MAX_ARGUMENTS = 100
MAX_SHOWN_CHARS = 300
"""The shown part of what is wrong in a `bot.toml`, which may quote it."""
PYTHON = ("python", "python3")
"""The names of the Python that runs the arena, which has the SDK. Every command may start it."""
Text = Annotated[str, msgspec.Meta(max_length=16 * 1024)]
"""A text in what a `Reader` returns."""
_EXPECTED = 'name = "my-bot" and command = ["python", "bot.py"], or another program'


class FoundBot(msgspec.Struct, frozen=True):
    """A bot that was found, with the fields of an `Entrant`."""

    name: Text
    command: Annotated[tuple[Text, ...], msgspec.Meta(max_length=2 * MAX_ARGUMENTS)]
    folder: Text
    fingerprint: Text
    files: Annotated[tuple[Text, ...], msgspec.Meta(max_length=SUBMISSION_LIMITS.files)] = ()
    waits: bool = False
    build: Text = ""
    """The shell command that makes its program when it is submitted, if it needs one."""


class _BotToml(msgspec.Struct, forbid_unknown_fields=True):
    """The file `bot.toml` in a bot's folder."""

    name: str
    command: tuple[str, ...]
    waits: bool = False
    """Whether it waits for another machine or a GPU, and does not compute here."""
    build: str = ""
    """The shell command that makes its program when it is submitted."""


def from_file(path: Path, name: str | None = None) -> FoundBot:
    """Return the bot in a Python file, named `name` or like the file. Raises `BotError`."""
    command = (sys.executable, "-P", "-m", "arena.bot", path.name)
    folder, code = path.parent, files_of(path)
    return FoundBot(
        checked_bot_name(name or path.stem),
        command,
        str(folder),
        fingerprint(command, code, folder),
        files=tuple([file.relative_to(folder).as_posix() for file in code]),
    )


def from_folder(
    folder: Path,
    name: str | None,
    interpreters: Collection[str],
    *,
    is_limited: bool,
    may_be_unbuilt: bool = False,
) -> FoundBot:
    """Return the bot in a folder with `bot.toml`. Its name is `name` or the one in the file.

    Args:
        folder: the folder of the bot.
        name: the name of the bot.
        interpreters: the programs that its command may start in addition to its own files.
        is_limited: whether its files are limited like those of a submission.
        may_be_unbuilt: whether a bot with a `build` may lack the program of its command.

    Raises:
        BotError: there is no such file, it does not describe a bot, or the bot is not built yet.
    """
    described = _read_bot_toml(folder)
    code = plain_files(folder, SUBMISSION_LIMITS if is_limited else None)
    if may_be_unbuilt and described.build and described.command:
        code_to_be = [*code, folder / described.command[0]]
    else:
        code_to_be = code
        _check_built(described, folder)
    command = _command(described.command, folder, code_to_be, interpreters)
    return FoundBot(
        checked_bot_name(name or described.name),
        command,
        str(folder),
        fingerprint(command, code, folder),
        waits=described.waits,
        build=described.build,
    )


def bot_in(
    folder: Path,
    name: str,
    interpreters: Collection[str],
    source: Path | None = None,
    may_be_unbuilt: bool = False,
) -> FoundBot:
    """Return the bot in a student's folder, with the name `name`.

    The bot is the one in `bot.toml`, or else `bot.py`, or else the only Python file. It may be in a
    subfolder if that is alone in the folder. Errors name `source` if the bot was copied from there.

    Raises:
        BotError: there is no bot, or its files are not allowed.
    """
    if folder.is_symlink():
        raise SubmissionError(f"{printable(str(folder))} is a link: put the folder itself there")
    top = folder.resolve()
    try:
        return _bot_below(top, name, interpreters, may_be_unbuilt)
    except BotError as error:
        shown = printable(str(source or folder))
        raise type(error)(str(error).replace(str(top), shown)) from None


def _bot_below(
    top: Path, name: str, interpreters: Collection[str], may_be_unbuilt: bool
) -> FoundBot:
    plain_files(top, SUBMISSION_LIMITS)
    here = top
    for _ in range(MAX_DEPTH):
        children = code_in(here)
        if here / BOT_FILE in children:
            return from_folder(
                here, name, interpreters, is_limited=True, may_be_unbuilt=may_be_unbuilt
            )
        programs = [
            child for child in children if child.suffix.lower() == ".py" and child.is_file()
        ]
        if here / BOT_PROGRAM in programs:
            return from_file(here / BOT_PROGRAM, name)
        if len(programs) == 1:
            return from_file(programs[0], name)
        if len(children) != 1 or not children[0].is_dir():
            break
        here = children[0]
    raise SubmissionError(
        f"there is no bot in {top}: expected {BOT_FILE}, {BOT_PROGRAM}, or a single .py file"
    )


def code_in(folder: Path) -> list[Path]:
    """Return the children of a folder that are or may contain code, sorted."""
    return sorted([child for child in folder.iterdir() if is_code(Path(child.name))])


def started_program(program: str, folder: Path) -> str:
    """Return how the program of a command is started: this Python, a file of the bot, or a name."""
    if program in PYTHON:
        return sys.executable
    return str(folder / program) if os.path.isfile(folder / program) else program


def _read_bot_toml(folder: Path) -> _BotToml:
    path = folder / BOT_FILE
    try:
        with open_plain(path) as file:
            text = file.read(MAX_BOT_FILE_BYTES + 1)
    except FileNotFoundError:
        raise BotError(
            f"{folder} is not a bot: there is no {BOT_FILE} in it; write one with {_EXPECTED}, or "
            "give the .py file itself"
        ) from None
    except OSError as error:
        raise BotError(f"cannot read {path}: {error.strerror}") from None
    if len(text) > MAX_BOT_FILE_BYTES:
        raise BotError(f"{path} has more than {MAX_BOT_FILE_BYTES:,} bytes; expected {_EXPECTED}")
    try:
        return msgspec.toml.decode(text, type=_BotToml)
    except (ValueError, RecursionError) as error:
        reason = " ".join(printable(str(error)).split())
        if len(reason) > MAX_SHOWN_CHARS:
            reason = f"{reason[:MAX_SHOWN_CHARS]}..."
        raise BotError(f"{path}: {reason}; expected {_EXPECTED}") from None


def _check_built(described: _BotToml, folder: Path) -> None:
    """Raise `BotError` if a bot with a `build` starts a file of its own that is not there."""
    program = described.command[0] if described.command else ""
    is_own = os.sep in program and "\0" not in program and not _leads_out(program)
    if described.build and is_own and not (folder / program).exists():
        raise BotError(
            f"{folder} has no {_shown(program)}: expected that its build "
            f"{_shown(described.build)}, typed in that folder, makes it"
        )


def _command(
    command: tuple[str, ...], folder: Path, code: Collection[Path], interpreters: Collection[str]
) -> tuple[str, ...]:
    """Return the command as it is started. Refuse one that names anything else than it may."""
    path = folder / BOT_FILE
    if not command or any("\0" in part for part in command):
        raise BotError(f"{path}: `command` is empty or has a NUL in it; expected {_EXPECTED}")
    if len(command) > MAX_ARGUMENTS + 1:
        raise BotError(
            f"{path}: `command` has {len(command) - 1:,} arguments, at most {MAX_ARGUMENTS} are "
            "allowed"
        )
    program, *arguments = command
    if program not in (*PYTHON, *interpreters) and folder / program not in code:
        raise BotError(
            f"{path}: `command` starts {_shown(program)}: expected a file of the bot, which has to "
            f"be there already, or one of {', '.join((PYTHON[0], *interpreters))} (`interpreters` "
            "in contest.toml and --interpreter allow other programs)"
        )
    for argument in arguments:
        if _leads_out(argument):
            raise BotError(
                f"{path}: `command` names {_shown(argument)}, which is outside of the bot's folder"
            )
    return (started_program(program, folder), *arguments)


def _leads_out(path: str) -> bool:
    return os.path.isabs(path) or os.path.normpath(path).split(os.sep)[0] == os.pardir


def _shown(text: str) -> str:
    return f"{text!a}" if len(text) <= 100 else f"{text[:100]!a}..."
