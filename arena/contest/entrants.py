"""Find bots by name or path."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError
from arena.base.protocol import Fault, Limits, Ready, printable, shorten
from arena.base.record import Entrant, unmarked
from arena.contest.bot_files import BOT_FILE, FoundBot, incoming_bot, named_bot, started_program
from arena.contest.fingerprint import files_in, fingerprint
from arena.contest.reader import read_untrusted, unpacking_folder
from arena.contest.roster import safe_id
from arena.contest.settings import INTERPRETERS, QUICK, Program, checked_bot_name
from arena.match.driver import Driver
from arena.match.match_state import BotFailure
from arena.match.seats import lacks_worlds
from arena.match.settings import MatchSettings
from arena.plugins import RegisteredBot, bots
from engine import get_variant
from engine.errors import unknown

# A compiled module is left out of fingerprints if its source exists.
COMPILED_SUFFIXES = (".so", ".pyd")
MAX_AT_ONCE = 8


def find_entrants(
    names: Sequence[str], interpreters: Sequence[str] = INTERPRETERS
) -> list[Entrant]:
    """Return the bots with the given names or paths, without duplicates.

    A path is either a Python file or a folder with a `bot.toml` file.

    Raises:
        BotError: A bot can't be found, or two bots have the same name.
    """
    return each_once([bot for name in names for bot in _find(name, tuple(interpreters))])


@contextmanager
def named_bots(
    names: Sequence[str],
    interpreters: Sequence[str] = INTERPRETERS,
    notice: Callable[[str], object] = lambda _: None,
) -> Iterator[list[Entrant]]:
    """Find bots by name or path, including zip files and folders without `bot.toml`.

    Any temporary copies of bots are deleted when the context manager exits.
    """
    entrants: list[Entrant] = []
    with ExitStack() as unpacked:
        for name in names:
            path = Path(name)
            if name in bots() or not _is_submission(path):
                entrants += _find(name, tuple(interpreters), notice)
                continue
            path = path.resolve()
            stem = path.stem if path.suffix.lower() == ".zip" else path.name
            scratch = unpacked.enter_context(unpacking_folder())
            arguments = (path, safe_id(stem), tuple(interpreters), scratch)
            entrants.append(_noted(read_untrusted(path.name, incoming_bot, *arguments), notice))
        yield each_once(entrants)


def _noted(bot: FoundBot, notice: Callable[[str], object]) -> Entrant:
    for note in bot.notes:
        notice(note)
    return bot.entrant


def _is_submission(path: Path) -> bool:
    if os.path.islink(path):
        return False
    if os.path.isdir(path):
        return not (path / BOT_FILE).exists()
    return os.path.isfile(path) and path.suffix.lower() == ".zip"


def only_bot(entrants: Sequence[Entrant], name: str) -> Entrant:
    if len(entrants) != 1:
        raise BotError(f"{name!r} stands for {len(entrants)} bots: name one of them")
    return entrants[0]


def find_entrant(name: str) -> Entrant:
    return only_bot(find_entrants([name]), name)


def each_once(candidates: Iterable[Entrant]) -> list[Entrant]:
    entrants: dict[str, Entrant] = {}
    for entrant in candidates:
        if entrants.setdefault(entrant.name, entrant) != entrant:
            raise BotError(f"two bots are called {entrant.name!r}: rename one of them")
    return list(entrants.values())


def is_registered(entrant: Entrant) -> bool:
    registered = bots().get(unmarked(entrant.name))
    return registered is not None and registered.folder == entrant.folder


def find_registered(name: str) -> Entrant | None:
    registered = bots().get(name)
    return _registered(registered) if registered else None


def from_program(program: Program) -> Entrant:
    folder = Path(program.folder).resolve()
    name, *arguments = program.command
    command = (started_program(name, folder), *arguments)
    return Entrant(
        checked_bot_name(program.name),
        command,
        str(folder),
        fingerprint(command, files_in(folder), folder),
        waits=program.waits,
    )


def _find(
    name: str,
    interpreters: tuple[str, ...],
    notice: Callable[[str], object] = lambda _: None,
) -> list[Entrant]:
    registered, path = bots(), Path(name)
    if name == QUICK:
        return [_registered(bot) for bot in registered.values() if bot.quick]
    if name in registered and not (path / BOT_FILE).is_file():  # a local folder takes precedence
        return [_registered(registered[name])]
    if os.path.islink(path):
        raise BotError(f"{name} is a link: name the file or folder itself")
    if os.path.isdir(path) or (os.path.isfile(path) and path.suffix == ".py"):
        path = path.resolve()
        return [_noted(read_untrusted(path.name, named_bot, path, interpreters), notice)]
    if os.path.isfile(path):
        raise BotError(
            f"{name} is not a bot: expected a .py file, a .zip or a folder with {BOT_FILE}; for "
            f"another language, write a {BOT_FILE} with `name` and `command`"
        )
    raise BotError(f"{unknown('bot', name, registered)}, or the path of a file or folder")


def _registered(bot: RegisteredBot) -> Entrant:
    folder = Path(bot.folder)
    parts = [folder / part for part in bot.code or [""]]
    files = {file for part in parts for file in ([part] if part.is_file() else files_in(part))}
    code = {file for file in files if not _is_compiled(file)}
    return Entrant(
        checked_bot_name(bot.name),
        bot.command,
        bot.folder,
        fingerprint(bot.command, code, folder),
        games=bot.games,
        files=bot.code,
    )


def _is_compiled(file: Path) -> bool:
    source = file.with_name(f"{file.name.partition('.')[0]}.py")
    return file.suffix in COMPILED_SUFFIXES and source.is_file()


def _raise(_: str, reason: BotError) -> None:
    raise reason


def introduce(
    entrants: Sequence[Entrant],
    limits: Limits,
    sandbox: SandboxSettings | None = None,
    leave_out: Callable[[str, BotError], object] = _raise,
    variants: Collection[str] = (),
) -> list[Entrant]:
    """Start each bot once to find out who wrote it and which games it plays.

    If a bot fails to start, call `leave_out` with its name and the error. By default, raise the
    error. If a bot requests random game states, limit it to variants that can generate such
    states.
    """

    settings = MatchSettings(limits, sandbox or SandboxSettings())
    answers: dict[str, Ready | Fault] = {}
    failures: dict[str, BotFailure] = {}
    for first in range(0, len(entrants), MAX_AT_ONCE):
        group = {entrant.name: entrant for entrant in entrants[first : first + MAX_AT_ONCE]}
        with Driver(group, settings) as driver:
            answers |= driver.start_bots()
        failures |= driver.failures
    introduced = []
    for entrant in entrants:
        answer = answers[entrant.name]
        if isinstance(answer, Fault):
            is_late = answer.kind == "timeout"
            more_time = "; `--set limits.start_ms` allows more time" if is_late else ""
            # with the author's paths instead of those of a copy
            command = " ".join(entrant.command).replace(entrant.folder, entrant.origin)
            reason = BotError(
                f"bot {entrant.name!r} does not start: {answer.text}{more_time}"
                f"{_as_seen(failures.get(entrant.name))} (it was started as "
                f"`{shorten(command)}` in {entrant.origin}, with sandbox "
                f"{sandbox.level if sandbox else 'none'})"
            )
            leave_out(entrant.name, reason)
            continue
        author = printable(" ".join(answer.author.split()))[:80]
        games = tuple(map(printable, answer.games))
        described = msgspec.structs.replace(entrant, author=author, games=games)
        if answer.worlds:
            played = [variant for variant in variants if described.plays(variant)]
            fit = [variant for variant in played if get_variant(variant).has_worlds]
            if played and not fit:
                leave_out(entrant.name, lacks_worlds(entrant.name, played))
                continue
            if fit != played:
                described = msgspec.structs.replace(described, games=tuple(fit))
        introduced.append(described)
    return introduced


def _as_seen(failure: BotFailure | None) -> str:
    if not failure:
        return ""
    sent, logged = failure.evidence.came, failure.evidence.stderr
    return (f"; it sent {sent}" if sent else "") + (
        f"; the end of its stderr: {logged}" if logged else ""
    )
