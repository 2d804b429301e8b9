"""Entrants from what a person names: a registered bot, a file or a folder."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from pathlib import Path

import msgspec

from arena.contest.fingerprint import command_from, files_in, files_of, fingerprint
from arena.contracts import SandboxSettings
from arena.errors import BotError, SettingsError
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from arena.match.verdict import Charge
from arena.plugins import RegisteredBot, bots
from arena.protocol import Fault, Limits, Ready, printable, shorten
from arena.record import GUEST_MARK, Entrant
from engine import Variant
from engine.errors import unknown

QUICK = "quick"
"""The name that stands for all quick registered bots."""
BOT_FILE = "bot.toml"
MAX_AT_ONCE = 8
"""Bots that are started at the same time to introduce themselves."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}")
_EXPECTED = 'name = "my-bot" and command = ["python", "bot.py"], or another program'
_PYTHON = ("python", "python3")


class _BotToml(msgspec.Struct, forbid_unknown_fields=True):
    """The file `bot.toml` in a bot's folder."""

    name: str
    command: tuple[str, ...]
    waits: bool = False
    """Whether it waits for another machine or a GPU, and does not compute here."""


def find_entrants(names: Sequence[str]) -> list[Entrant]:
    """Return the entrants for names and paths, each one once.

    Raises:
        BotError: a bot cannot be found, or two have the same name.
    """
    found: list[Entrant] = []
    for name in names:
        found += _quick_entrants() if name == QUICK else [_find(name)]
    return each_once(found)


def find_entrant(name: str) -> Entrant:
    """Return the entrant for a name or path. Raises `BotError`."""
    found = find_entrants([name])
    if len(found) != 1:
        raise BotError(f"{name!r} stands for {len(found)} bots: name one of them")
    return found[0]


def each_once(found: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants without duplicates. Raises `BotError` for two bots of the same name."""
    entrants: dict[str, Entrant] = {}
    for entrant in found:
        if entrants.setdefault(entrant.name, entrant) != entrant:
            raise BotError(f"two bots are called {entrant.name!r}: rename one of them")
    return list(entrants.values())


def find_again(entrant: Entrant) -> Entrant:
    """Return an entrant with its code of today. Its fingerprint tells whether that has changed.

    If that is not there any more, the copy of its run is taken.

    Raises:
        BotError: it is not there any more.
    """
    try:
        found = _found_again(entrant)
    except BotError:
        if entrant.source and os.path.isdir(entrant.folder):
            return msgspec.structs.replace(entrant, fingerprint=fingerprint_now(entrant))
        raise
    return msgspec.structs.replace(found, name=entrant.name)


def _found_again(entrant: Entrant) -> Entrant:
    folder = Path(entrant.origin)
    if registered := _registration(entrant):
        return _registered(registered)
    if entrant.files:
        return from_file(folder / entrant.command[-1], entrant.name)
    return from_folder(folder, entrant.name)


def _registration(entrant: Entrant) -> RegisteredBot | None:
    """Return the registered bot that an entrant is, or None."""
    registered = bots().get(entrant.name.removesuffix(GUEST_MARK))
    return registered if registered and registered.folder == entrant.folder else None


def is_registered(entrant: Entrant) -> bool:
    """Return whether an entrant is a bot that was installed."""
    return _registration(entrant) is not None


def code_of(entrant: Entrant) -> list[Path]:
    """Return the files of an entrant that its fingerprint covers, but not of a registered bot."""
    folder = Path(entrant.folder)
    return [folder / name for name in entrant.files] or files_in(folder)


def fingerprint_now(entrant: Entrant) -> str:
    """Return the fingerprint of an entrant with its files of now. Raises `BotError`.

    That of a copy equals that of its origin.
    """
    command = command_from(Path(entrant.origin), entrant.command)
    return fingerprint(command, code_of(entrant), Path(entrant.folder))


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
            f"{name} is not a bot: expected a .py file or a folder with {BOT_FILE}; for another "
            f"language, write a {BOT_FILE} with `name` and `command`"
        )
    raise BotError(f"{unknown('bot', name, registered)}, and there is no such file or folder")


def _registered(bot: RegisteredBot) -> Entrant:
    folder = Path(bot.folder)
    code = [
        file
        for file in files_in(folder)
        if any(file.is_relative_to(folder / part) for part in bot.code or [""])
    ]
    return Entrant(
        checked_name(bot.name),
        bot.command,
        bot.folder,
        fingerprint(bot.command, code, folder),
        files=bot.code,
    )


def from_file(path: Path, name: str | None = None) -> Entrant:
    """Return the bot in a Python file, named `name` or like the file. Raises `BotError`."""
    command = (sys.executable, "-P", "-m", "arena.bot", path.name)
    folder, code = path.parent, files_of(path)
    return Entrant(
        checked_name(name or path.stem),
        command,
        str(folder),
        fingerprint(command, code, folder),
        files=tuple([file.relative_to(folder).as_posix() for file in code]),
    )


def from_folder(path: Path, name: str | None = None) -> Entrant:
    """Return the bot in a folder with `bot.toml`. Its name is `name` or the one in the file.

    Raises:
        BotError: there is no such file, or it does not describe a bot.
    """
    try:
        described = msgspec.toml.decode((path / BOT_FILE).read_bytes(), type=_BotToml)
    except FileNotFoundError:
        raise BotError(
            f"{path} is not a bot: there is no {BOT_FILE} in it; write one with {_EXPECTED}, or "
            "give the .py file itself"
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
    if program in _PYTHON:  # this Python has the SDK; `python` may be a version manager
        program = sys.executable
    elif os.path.isfile(path / program):
        program = str(path / program)
    command = (program, *arguments)
    return Entrant(
        checked_name(name or described.name),
        command,
        str(path),
        fingerprint(command, files_in(path), path),
        waits=described.waits,
    )


def checked_name(name: str) -> str:
    """Return `name` if it can be the name of a bot. Raises `BotError` if not."""
    if not _NAME.fullmatch(name):
        raise BotError(
            f"{name!r} cannot be the name of a bot: expected 1 to 40 letters, digits and any of "
            "_ . + -"
        )
    return name


def introduce(
    entrants: Sequence[Entrant],
    limits: Limits,
    sandbox: SandboxSettings | None = None,
    leave_out: Callable[[str, BotError], object] | None = None,
) -> list[Entrant]:
    """Start every bot once, and return the entrants with the author and games of their `ready`.

    Args:
        entrants: the bots.
        limits: the limits of the bots.
        sandbox: the sandbox of the bots, or None for no sandbox.
        leave_out: called with the name of each bot that does not start, and the reason.

    Raises:
        BotError: a bot does not start or does not say `ready`, and `leave_out` is None.
    """
    settings = MatchSettings(limits, sandbox or SandboxSettings())
    answers: dict[str, Ready | Fault] = {}
    charges: dict[str, Charge] = {}
    for first in range(0, len(entrants), MAX_AT_ONCE):
        group = {entrant.name: entrant for entrant in entrants[first : first + MAX_AT_ONCE]}
        dispatcher = Dispatcher(group, settings)
        with Driver(dispatcher) as driver:
            answers |= driver.introduce()
        charges |= {name: charge for name in group if (charge := dispatcher.bots.charge_of(name))}
    introduced = []
    for entrant in entrants:
        answer = answers[entrant.name]
        if isinstance(answer, Fault):
            reason = BotError(
                f"bot {entrant.name!r} does not start: {answer.text}"
                f"{_as_seen(charges.get(entrant.name))} (it was started as "
                f"`{_command_at_origin(entrant)}` in {entrant.origin}, with sandbox "
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


def _command_at_origin(entrant: Entrant) -> str:
    """Return the command of a bot as its author knows it, with no path of a copy."""
    return shorten(" ".join(entrant.command).replace(entrant.folder, entrant.origin))


def _as_seen(charge: Charge | None) -> str:
    """Return the output and log of a bot, for the error that it does not start."""
    if not charge:
        return ""
    sent, logged = charge.evidence.came, charge.evidence.stderr
    return (f"; it sent {sent}" if sent else "") + (
        f"; the end of its stderr: {logged}" if logged else ""
    )


def seat_together(own: Entrant, others: Sequence[Entrant], variant: Variant) -> list[Entrant]:
    """Return a table of `own` and the others in turn. Repeated bots get numbers in their names.

    Raises:
        SettingsError: one of the bots does not play the game.
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
