"""From what a person names (a registered bot, a file, a folder) to a bot that can be started."""

import hashlib
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from arena.driver import Room
from arena.errors import BotError
from arena.plugins import RegisteredBot, bots
from arena.protocol import Fault, Limits
from arena.record import Entrant

QUICK = "quick"
"""Stands for all quick registered bots."""
BOT_FILE = "bot.toml"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}")
_PYTHON = ("python", "python3")


class _BotToml(msgspec.Struct, forbid_unknown_fields=True):
    """The file `bot.toml` in a bot's folder."""

    name: str
    command: tuple[str, ...]


def find_entrants(names: Sequence[str]) -> list[Entrant]:
    """Return the entrants that names or paths stand for, each name once.

    Raises:
        BotError: one cannot be found, or two have the same name.
    """
    entrants: dict[str, Entrant] = {}
    for name in names:
        for entrant in _quick_entrants() if name == QUICK else [_find(name)]:
            if entrant.name in entrants and entrants[entrant.name] != entrant:
                raise BotError(f"two bots are called {entrant.name!r}: rename one of them")
            entrants[entrant.name] = entrant
    return list(entrants.values())


def _quick_entrants() -> list[Entrant]:
    return [_registered(bot) for bot in bots().values() if bot.quick]


def _find(name: str) -> Entrant:
    registered = bots()
    if name in registered:
        return _registered(registered[name])
    path = Path(name)
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError):  # no name that a file can have
        is_folder = is_file = False
    if is_folder:
        return _folder(path.resolve())
    if is_file and path.suffix == ".py":
        return _python_file(path.resolve())
    if is_file:
        raise BotError(
            f"{name} is no bot: expected a .py file or a folder with {BOT_FILE}; for another "
            f"language, write a {BOT_FILE} with `name` and `command`"
        )
    raise BotError(
        f"unknown bot {name[:80]!r}: neither a file or folder nor one of {', '.join(registered)}"
    )


def _registered(bot: RegisteredBot) -> Entrant:
    return Entrant(
        _checked_name(bot.name),
        bot.command,
        bot.folder,
        _fingerprint(bot.command, Path(bot.folder)),
    )


def _python_file(path: Path) -> Entrant:
    command = (sys.executable, "-P", "-m", "arena.bot", path.name)
    return Entrant(_checked_name(path.stem), command, str(path.parent), _fingerprint(command, path))


def _folder(path: Path) -> Entrant:
    try:
        described = msgspec.toml.decode((path / BOT_FILE).read_bytes(), type=_BotToml)
    except OSError as error:
        raise BotError(f"cannot read {path / BOT_FILE}: {error.strerror}") from None
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BotError(f"{path / BOT_FILE}: {error}") from None
    if not described.command:
        raise BotError(f"{path / BOT_FILE}: `command` is empty; expected program and arguments")
    program, *arguments = described.command
    if program in _PYTHON:  # this Python, which has the SDK, and no version manager in front of it
        program = sys.executable
    elif (path / program).is_file():
        program = str(path / program)
    command = (program, *arguments)
    return Entrant(_checked_name(described.name), command, str(path), _fingerprint(command, path))


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise BotError(
            f"{name!r} can't be a bot's name: expected 1 to 40 letters, digits and any of _ . + -"
        )
    return name


def _fingerprint(command: Iterable[str], code: Path) -> str:
    """Return what changes when the command does, or a byte of the code: a file or a folder."""
    digest = hashlib.blake2b(digest_size=16)
    for part in command:
        digest.update(part.encode() + b"\0")
    files = [code] if code.is_file() else sorted(one for one in code.rglob("*") if one.is_file())
    for file in files:
        within = file.relative_to(code if code.is_dir() else code.parent)
        if "__pycache__" in within.parts or any(part.startswith(".") for part in within.parts):
            continue
        content = file.read_bytes()
        digest.update(f"{within.as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def introduce(entrants: Sequence[Entrant], limits: Limits) -> list[Entrant]:
    """Start every bot once, and return the entrants with what the bots say of themselves.

    Raises:
        BotError: a bot does not start or does not say `ready`.
    """
    by_name: Mapping[str, Entrant] = {entrant.name: entrant for entrant in entrants}
    with Room(by_name, limits) as room:
        answers = room.introduce()
    introduced = []
    for entrant in entrants:
        answer = answers[entrant.name]
        if isinstance(answer, Fault):
            raise BotError(
                f"bot {entrant.name!r} does not start: {answer.text} (it was started as "
                f"`{' '.join(entrant.command)}` in {entrant.folder})"
            )
        author = " ".join(answer.author.split())[:80]
        introduced.append(msgspec.structs.replace(entrant, author=author, games=answer.games))
    return introduced
