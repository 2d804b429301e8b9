"""The settings of a contest: what `contest.toml` says, and each option of `arena run` too."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from arena.entrants import QUICK
from arena.errors import ArenaError, SettingsError
from arena.plugins import bots, get_sandbox, get_schedule
from arena.protocol import Limits
from arena.sandbox.contract import Bounds
from arena.sandbox.probe import AUTO
from engine import EngineError, get_variant, variants
from engine.errors import unknown

CONTEST_FILE = "contest.toml"
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")
_PATH_OF_ERROR = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)

_IN_WORDS = {
    "int": "a whole number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a [table]",
}
"""The types of settings, by what msgspec calls them."""

Names = tuple[str, ...]


class Who(msgspec.Struct, frozen=True):
    """The table `[entrants]`: who plays."""

    submissions: str | None = None
    """A folder with the bots of students."""
    bots: Names = ()
    """Names of registered bots, `quick`, files and folders."""
    challengers: Names = ()
    """The same, or names of submissions: the challengers of a gauntlet."""
    fill: bool = False
    """Whether guests fill up tables."""


class Around(msgspec.Struct, frozen=True):
    """The table `[sandbox]`: the walls round the bots."""

    level: str = AUTO
    memory_mib: Annotated[int, Meta(ge=16)] = Bounds().memory_mib
    processes: Annotated[int, Meta(ge=1)] = Bounds().processes
    file_mib: Annotated[int, Meta(ge=1)] = Bounds().file_mib
    readable: Names = ()
    """Files and folders that isolated bots may read."""

    @property
    def bounds(self) -> Bounds:
        """How much of the machine a bot may take."""
        return Bounds(self.memory_mib, self.processes, self.file_mib)


class Machine(msgspec.Struct, frozen=True):
    """The table `[machine]`: how it is played, which changes nothing in the results."""

    workers: Annotated[int, Meta(ge=1)] | None = None
    """Worker processes; None stands for one a core."""
    tables: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """Games under way in each worker; None stands for as many as its bots are quick."""
    pin: bool = True
    """Whether each worker and its bots keep to a core."""


class Contest(msgspec.Struct, frozen=True):
    """All that can be said of a contest. Where nothing is said, this is what holds."""

    name: str | None = None
    """The run's folder under the results; None stands for the date and time."""
    results: str = "results"
    """The folder of all runs."""
    publish: str | None = None
    """The folder of the run's site, which is written while it is under way."""
    games: Names = ()
    """All variants of these are played; neither games nor variants stands for all."""
    variants: Names = ()
    rounds: Annotated[int, Meta(ge=1, le=1_000_000)] = 60
    """Of every variant."""
    seed: int = 0
    schedule: str = "round-robin"
    withdrawal: bool = True
    """Whether bots with too many faults are withdrawn."""
    entrants: Who = Who()
    limits: Limits = Limits()
    sandbox: Around = Around()
    machine: Machine = Machine()


# -- from a file -------------------------------------------------------------------------------


def read_contest(path: Path) -> Contest:
    """Return the contest of a file; its paths are understood from where the file lies.

    Raises:
        SettingsError: it cannot be read or says what no contest can; the text names the line, what
            stands there, and the known words.
    """
    try:
        text = path.read_text("utf-8-sig")  # some editors mark it
    except OSError as error:
        raise SettingsError(
            f"cannot read {path}: {error.strerror}; `arena init` writes a {CONTEST_FILE}"
        ) from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8: save it as UTF-8 text") from None
    contest = decode(text, str(path))
    folder = path.parent
    _check(contest.entrants.bots, "entrants.bots", text, path, lambda bot: _check_bot(bot, folder))
    for key in ("entrants.submissions", "sandbox.readable"):
        _check(_values(contest, key), key, text, path, lambda one: _check_path(one, folder))
    return _seen_from(folder, contest)


def decode(text: str, source: str) -> Contest:
    """Return the contest that a text describes; paths are left as they are.

    Args:
        text: TOML.
        source: what errors call it.

    Raises:
        SettingsError: it says what no contest can.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = str(error).replace("(at end of document)", f"(at line {len(text.splitlines())})")
        raise SettingsError(f"{source} is no TOML: {where}") from None
    for key, reason in _unknown_settings(data, Contest):
        raise _mistake(source, text, key, reason)
    try:
        contest = msgspec.convert(data, Contest)
    except msgspec.ValidationError as error:
        found = _PATH_OF_ERROR.fullmatch(str(error))
        assert found, "whatever it says, the path is at its end, if there is one"
        reason, key = found[1].partition(", got ")[0], re.sub(r"\[.*?\]", "", found[2] or "")
        expected = re.sub(r"`(\w+).*?`", lambda kind: _IN_WORDS[kind[1]], reason)
        expected = expected.replace("Expected", "expected")
        raise _mistake(source, text, key, f"{expected}, got {_shown(data, key)}") from None
    for key, check in _CHECKS.items():
        _check(_values(contest, key), key, text, source, check)
    return contest


def _unknown_settings(
    data: Mapping[str, Any], kind: type[msgspec.Struct], table: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield each key that is no setting, with what to do about it."""
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in data.items():
        key = table + name
        if name not in fields:
            yield key, _what_it_may_be(name, table, fields)
        elif _is_table(fields[name]) and isinstance(value, dict):
            yield from _unknown_settings(value, fields[name], f"{key}.")


def _is_table(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _what_it_may_be(name: str, table: str, known: Mapping[str, object]) -> str:
    elsewhere = [key for key in all_settings() if key.rpartition(".")[2] == name]
    if elsewhere and not get_close_matches(name, known, 1):
        where, _, _ = elsewhere[0].rpartition(".")
        return f"it belongs {f'under [{where}]' if where else 'above the first [table]'}"
    return unknown(f"setting of [{table[:-1]}]" if table else "setting", name, known)


def all_settings(kind: type[msgspec.Struct] = Contest, table: str = "") -> dict[str, Any]:
    """Return every setting by its key, as `limits.move_ms`, with its field in the struct."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        key = table + field.name
        found |= all_settings(field.type, f"{key}.") if _is_table(field.type) else {key: field}
    return found


def value_of(contest: Contest, key: str) -> Any:
    """Return what a contest says for a key."""
    value: Any = contest
    for name in key.split("."):
        value = getattr(value, name)
    return value


def _values(contest: Contest, key: str) -> Names:
    """Return the words that a contest says for a key: none, one or more."""
    value = value_of(contest, key)
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


# -- known words -------------------------------------------------------------------------------


def checked_run_name(name: str) -> str:
    """Return the name of a run; raises `SettingsError` if it can't be one."""
    if not _RUN_NAME.fullmatch(name):
        raise SettingsError(
            f"{name[:80]!r} can't be a run's name: expected 1 to 100 letters, digits and any of "
            "_ . + -, the first a letter or digit"
        )
    return name


def check_game(game: str) -> None:
    """Refuse a game that nobody has registered; raises `SettingsError`."""
    games = dict.fromkeys([variant.game for variant in variants().values()])
    if game not in games:
        raise SettingsError(unknown("game", game, games))


def _check_level(level: str) -> None:
    if level != AUTO:
        get_sandbox(level)


_CHECKS: Mapping[str, Callable[[str], object]] = {
    "name": checked_run_name,
    "games": check_game,
    "variants": get_variant,
    "schedule": get_schedule,
    "sandbox.level": _check_level,
}


def _check_bot(bot: str, folder: Path) -> None:
    if bot != QUICK and bot not in bots() and not (folder / bot).exists():
        raise SettingsError(f"{unknown('bot', bot, bots())}, and there is no such file or folder")


def _check_path(path: str, folder: Path) -> None:
    if not (folder / path).exists():
        raise SettingsError(f"there is no {path!r} in {folder.resolve()}")


def _check(
    values: Names, key: str, text: str, source: object, check: Callable[[str], object]
) -> None:
    for value in values:
        try:
            check(value)
        except (ArenaError, EngineError) as error:
            raise _mistake(str(source), text, key, str(error)) from None


def _seen_from(folder: Path, contest: Contest) -> Contest:
    """Return a contest whose paths are those that its file means."""

    def path(word: str) -> str:
        return str(folder / word)

    def bot(word: str) -> str:
        return (
            word if word == QUICK or word in bots() or not (folder / word).exists() else path(word)
        )

    who, around = contest.entrants, contest.sandbox
    return laid_over(
        contest,
        {
            "results": path(contest.results),
            "publish": path(contest.publish) if contest.publish else None,
            "entrants.submissions": path(who.submissions) if who.submissions else None,
            "entrants.bots": tuple(map(bot, who.bots)),
            "entrants.challengers": tuple(map(bot, who.challengers)),
            "sandbox.readable": tuple(map(path, around.readable)),
        },
    )


# -- where it stands ---------------------------------------------------------------------------


def _mistake(source: str, text: str, key: str, reason: str) -> SettingsError:
    line = line_of(text, key) if key else 1
    return SettingsError(f"{source}, line {line}: {key or 'the file'}: {reason}")


def line_of(text: str, key: str) -> int:
    """Return the number of the line, from 1, in which a key of a TOML text is given its value."""
    lines = text.split("\n")
    before = 0
    for number in range(1, len(lines) + 1):
        try:
            data = tomllib.loads("\n".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            continue  # in the midst of a value that goes over several lines
        if _has(data, key.split(".")):
            return before + 1
        before = number
    return 1


def _has(data: object, names: list[str]) -> bool:
    for name in names:
        if not isinstance(data, dict) or name not in data:
            return False
        data = data[name]
    return True


def _shown(data: object, key: str) -> str:
    for name in key.split(".") if key else ():
        data = data[name] if isinstance(data, dict) else data
    text = msgspec.json.encode(data).decode()
    return text if len(text) <= 80 else f"{text[:80]}..."


# -- from options ------------------------------------------------------------------------------


def laid_over(contest: Contest, given: Mapping[str, Any]) -> Contest:
    """Return a contest in which what is given, by key, holds instead."""
    if "games" in given or "variants" in given:  # together they say what is played
        contest = msgspec.structs.replace(contest, games=(), variants=())
    for key, value in given.items():
        table, _, name = key.rpartition(".")
        change = {name: value}
        if table:
            change = {table: msgspec.structs.replace(getattr(contest, table), **change)}
        contest = msgspec.structs.replace(contest, **change)
    return contest
