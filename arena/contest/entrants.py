"""Entrants from what a person names: a registered bot, a file or a folder."""

import ast
import hashlib
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import cycle, islice
from pathlib import Path

import msgspec

from arena.contest.archive import is_code
from arena.contracts import SandboxSettings
from arena.errors import BotError, SettingsError
from arena.match.driver import Room
from arena.match.in_progress import Charge
from arena.plugins import RegisteredBot, bots
from arena.protocol import Fault, Limits, Ready, printable
from arena.record import GUEST_MARK, Entrant
from engine import Variant
from engine.errors import unknown

QUICK = "quick"
"""Stands for all quick registered bots."""
BOT_FILE = "bot.toml"
TOGETHER = 8
"""Bots that are started at a time to be introduced."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}")
_EXPECTED = 'name = "my-bot" and command = ["python", "bot.py"], or another program'
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
    found: list[Entrant] = []
    for name in names:
        found += _quick_entrants() if name == QUICK else [_find(name)]
    return each_once(found)


def find_entrant(name: str) -> Entrant:
    """Return the one entrant that a name or path stands for; raises `BotError`."""
    found = find_entrants([name])
    if len(found) != 1:
        raise BotError(f"{name!r} stands for {len(found)} bots: name one of them")
    return found[0]


def each_once(found: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants without those that are there twice; raises `BotError` for namesakes."""
    entrants: dict[str, Entrant] = {}
    for entrant in found:
        if entrants.setdefault(entrant.name, entrant) != entrant:
            raise BotError(f"two bots are called {entrant.name!r}: rename one of them")
    return list(entrants.values())


def find_again(entrant: Entrant) -> Entrant:
    """Return an entrant of a run as it is now; its fingerprint says whether it has changed.

    Raises:
        BotError: it is not there any more.
    """
    folder = Path(entrant.folder)
    registered = bots().get(entrant.name.removesuffix(GUEST_MARK))
    if registered and registered.folder == entrant.folder:
        found = _registered(registered)
    elif entrant.files:
        found = from_file(folder / entrant.command[-1], entrant.name)
    else:
        found = from_folder(folder, entrant.name)
    return msgspec.structs.replace(found, name=entrant.name)


def _quick_entrants() -> list[Entrant]:
    return [_registered(bot) for bot in bots().values() if bot.quick]


def _find(name: str) -> Entrant:
    registered = bots()
    if name in registered:
        return _registered(registered[name])
    path = Path(name)
    if os.path.isdir(path):
        return from_folder(path.resolve())
    if os.path.isfile(path) and path.suffix == ".py":
        return from_file(path.resolve())
    if os.path.isfile(path):
        raise BotError(
            f"{name} is no bot: expected a .py file or a folder with {BOT_FILE}; for another "
            f"language, write a {BOT_FILE} with `name` and `command`"
        )
    raise BotError(f"{unknown('bot', name, registered)}, and there is no such file or folder")


def _registered(bot: RegisteredBot) -> Entrant:
    folder = Path(bot.folder)
    code = [
        file
        for file in _files_in(folder)
        if any(file.is_relative_to(folder / part) for part in bot.code or [""])
    ]
    return Entrant(
        checked_name(bot.name),
        bot.command,
        bot.folder,
        _fingerprint(bot.command, code, folder),
        files=bot.code,
    )


def from_file(path: Path, name: str | None = None) -> Entrant:
    """Return the bot that a Python file is, called like it or as is said; raises `BotError`."""
    command = (sys.executable, "-P", "-m", "arena.bot", path.name)
    folder, code = path.parent, _files_of(path)
    return Entrant(
        checked_name(name or path.stem),
        command,
        str(folder),
        _fingerprint(command, code, folder),
        files=tuple([file.relative_to(folder).as_posix() for file in code]),
    )


def from_folder(path: Path, name: str | None = None) -> Entrant:
    """Return the bot that a `bot.toml` describes, called as it says or as is said here.

    Raises:
        BotError: the file is not there, or describes no bot.
    """
    try:
        described = msgspec.toml.decode((path / BOT_FILE).read_bytes(), type=_BotToml)
    except FileNotFoundError:
        raise BotError(
            f"{path} is no bot: there is no {BOT_FILE} in it; write one with {_EXPECTED}, or give "
            "the .py file itself"
        ) from None
    except OSError as error:
        raise BotError(f"cannot read {path / BOT_FILE}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BotError(f"{path / BOT_FILE}: {error}; expected {_EXPECTED}") from None
    if not described.command or any("\0" in part for part in described.command):
        raise BotError(
            f"{path / BOT_FILE}: `command` is empty or has a NUL in it; expected {_EXPECTED}"
        )
    program, *arguments = described.command
    if program in _PYTHON:  # this Python, which has the SDK, and no version manager in front of it
        program = sys.executable
    elif os.path.isfile(path / program):
        program = str(path / program)
    command = (program, *arguments)
    fingerprint = _fingerprint(command, _files_in(path), path)
    return Entrant(checked_name(name or described.name), command, str(path), fingerprint)


def checked_name(name: str) -> str:
    """Return a bot's name; raises `BotError` if it can't be one."""
    if not _NAME.fullmatch(name):
        raise BotError(
            f"{name!r} can't be a bot's name: expected 1 to 40 letters, digits and any of _ . + -"
        )
    return name


def _fingerprint(command: Iterable[str], files: Collection[Path], folder: Path) -> str:
    """Return what changes when the command does, or a byte of the code, but not with the place.

    Raises:
        BotError: a file cannot be read, or has a name that cannot stand in a run's settings.
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


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _files_in(folder: Path) -> list[Path]:
    """Return the files of a bot's folder but for what running it leaves there."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if is_code(path.relative_to(folder))]


def _files_of(program: Path) -> list[Path]:
    """Return a Python file and the modules beside it that it imports, and those that they do."""
    found = [program]
    for file in found:
        for name in sorted(_imported_by(file)):
            module = program.parent / name
            inside = module.rglob("*.py") if os.path.isdir(module) else ()
            beside = [module.with_suffix(".py"), *inside]
            found += [one for one in beside if os.path.isfile(one) and one not in found]
    return found


def _imported_by(file: Path) -> set[str]:
    """Return the modules and packages that a Python file imports, by the first part of the name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the bot's code: they are for its author
            tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # the last: too nested
        return set()  # it fails to start, and says so then
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update([alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def introduce(
    entrants: Sequence[Entrant],
    limits: Limits,
    sandbox: SandboxSettings | None = None,
    leave_out: Callable[[str, BotError], object] | None = None,
) -> list[Entrant]:
    """Start every bot once, and return the entrants with what the bots say of themselves.

    Args:
        entrants: the bots.
        limits: theirs.
        walls: those round them.
        leave_out: called with the name of each bot that does not start, and why.

    Raises:
        BotError: a bot does not start or does not say `ready`, and nobody is to leave it out.
    """
    answers: dict[str, Ready | Fault] = {}
    charges: dict[str, Charge] = {}
    for first in range(0, len(entrants), TOGETHER):
        group = {entrant.name: entrant for entrant in entrants[first : first + TOGETHER]}
        with Room(group, limits, sandbox=sandbox) as room:
            answers |= room.introduce()
            charges |= {name: charge for name in group if (charge := room.charge_of(name))}
    introduced = []
    for entrant in entrants:
        answer = answers[entrant.name]
        if isinstance(answer, Fault):
            reason = BotError(
                f"bot {entrant.name!r} does not start: {answer.text}"
                f"{_as_seen(charges.get(entrant.name))} (it was started as "
                f"`{' '.join(entrant.command)}` in {entrant.folder}, at the level "
                f"{sandbox.level if sandbox else 'none'})"
            )
            if leave_out is None:
                raise reason
            leave_out(entrant.name, reason)
            continue
        author = printable(" ".join(answer.author.split()))[:80]
        games = tuple(map(printable, answer.games))
        introduced.append(msgspec.structs.replace(entrant, author=author, games=games))
    return introduced


def _as_seen(charge: Charge | None) -> str:
    """Return what a bot sent and logged, for the sentence that says why it does not start."""
    if not charge:
        return ""
    sent, logged = charge.evidence.came, charge.evidence.stderr
    return (f"; it sent {sent}" if sent else "") + (
        f"; the end of its stderr: {logged}" if logged else ""
    )


def seat_together(own: Entrant, others: Sequence[Entrant], variant: Variant) -> list[Entrant]:
    """Return who plays: the bot first, then the others in turn; twins have numbers.

    Raises:
        SettingsError: one of them does not play the game.
    """
    seated = [own]
    for number, other in enumerate(islice(cycle(others), variant.seats - 1), 1):
        taken = any(one.name == other.name for one in seated)
        name = f"{other.name}-{number}" if taken else other.name
        seated.append(msgspec.structs.replace(other, name=name))
    for one in seated:
        if not one.plays(variant.game):
            raise SettingsError(
                f"{one.name} does not play {variant.game}, only {', '.join(one.games)}"
            )
    return seated
