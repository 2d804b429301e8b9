"""Read `contest.toml`. Error messages name the invalid line."""

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from arena.base.contracts import AUTO
from arena.base.errors import ArenaError, SettingsError
from arena.base.text_file import decode_text
from arena.contest.settings import (
    LATE_RULES,
    QUICK,
    Contest,
    Names,
    all_settings,
    check_game,
    check_interpreter,
    check_risk,
    checked_bot_name,
    checked_run_name,
    is_table,
    override,
    read_time,
    table_in,
    value_of,
)
from arena.plugins import bots, get_executor, get_sandbox, get_schedule
from arena.rating.certificate import ORDERS, RESULTS, STOP_RULES
from engine import EngineError, get_variant
from engine.errors import unknown

CONTEST_FILE = "contest.toml"
_PATH_OF_ERROR = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
_IN_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a [table]",
}
_REPHRASED = {"Expected": "expected", "Object missing required field": "expected the setting"}


def read_contest(path: Path) -> Contest:
    """Read a contest file and resolve relative paths against its folder.

    Raise `SettingsError` if the file can't be read or is invalid.
    """
    try:
        text = decode_text(path.read_bytes())
    except OSError as error:
        raise SettingsError(
            f"cannot read {path}: {error.strerror}; `arena init` writes a {CONTEST_FILE}"
        ) from None
    except ValueError as error:
        raise SettingsError(f"{path} {error}") from None
    contest = decode(text, str(path))
    if contest.secret is not None and contest.seed is not None:
        reason = "got both `seed` and `secret`, which both determine the deals: remove one of them"
        raise _mistake(str(path), text, ["seed"], reason)
    folder = path.parent
    is_there, hides = partial(_check_path, folder), partial(_check_hides, folder, contest.secret)
    checks: list[tuple[str, Names, Callable[[str], object]]] = [
        ("entrants.bots", contest.entrants.bots, partial(check_bot, folder)),
        ("entrants.inbox", _values(contest, "entrants.inbox"), is_there),
        ("entrants.roster", _values(contest, "entrants.roster"), is_there),
        ("sandbox.readable", contest.sandbox.readable, is_there),
        ("sandbox.readable", contest.sandbox.readable, hides),
    ]
    for number, program in enumerate(contest.programs):
        checks.append((f"bot.{number}.folder", (program.folder,), is_there))
        checks.append((f"bot.{number}.name", (program.name,), checked_bot_name))
    for key, values, check in checks:
        _check(values, key, text, path, check)
    return _relative_to(folder, contest)


def decode(text: str, source: str) -> Contest:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = str(error).replace("(at end of document)", f"(at line {len(text.splitlines())})")
        raise SettingsError(f"{source} is not TOML: {where}") from None
    except (
        ValueError,
        RecursionError,
    ) as error:  # too long a number, too deep a list
        raise SettingsError(f"{source} cannot be read: {error}") from None
    for names, reason in _unknown_settings(data, Contest):
        raise _mistake(source, text, names, reason)
    try:
        contest = msgspec.convert(data, Contest)
    except msgspec.ValidationError as error:
        found = _PATH_OF_ERROR.fullmatch(str(error))
        assert found, "the path is at the end of the text, if there is one"
        expected, path = _in_words(found[1]), re.findall(r"\w+", found[2] or "")
        raise _mistake(source, text, path, f"{expected}, got {_shown(data, path)}") from None
    for key, check in _CHECKS.items():
        _check(_values(contest, key), key, text, source, check)
    if data.get("games") == [] and not contest.variants:
        reason = "an empty list selects no game: name one, or remove the line to play all of them"
        raise _mistake(source, text, ["games"], reason)
    return contest


def _in_words(error: str) -> str:
    reason = error.partition(", got ")[0].partition(" - at ")[0]
    expected = re.sub(r"`(\w+).*?`", lambda kind: _IN_WORDS.get(kind[1], kind[0]), reason)
    for theirs, ours in _REPHRASED.items():
        expected = expected.replace(theirs, ours)
    return expected[:1].lower() + expected[1:]


def checked_setting(key: str, value: object) -> object:
    known = all_settings()
    if key not in known:
        raise SettingsError(unknown("setting", key, known))
    try:
        setting = msgspec.convert(value, known[key].type)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{key}: {_in_words(str(error))}, got {value!r:.80}") from None
    if check := _CHECKS.get(key):
        for text in (setting,) if isinstance(setting, str) else setting:
            try:
                check(text)
            except EngineError as error:
                raise SettingsError(str(error)) from None
    return setting


def _unknown_settings(
    data: Mapping[str, Any], kind: type[msgspec.Struct], table: Names = ()
) -> Iterator[tuple[Names, str]]:
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in data.items():
        names = (*table, name)
        if name not in fields:
            yield names, _suggestion(name, table, fields)
        elif is_table(fields[name]) and isinstance(value, dict):
            yield from _unknown_settings(value, fields[name], names)
        elif (inner := table_in(fields[name])) and isinstance(value, list):
            for number, inside in enumerate(value):
                if isinstance(inside, dict):
                    yield from _unknown_settings(inside, inner, (*names, str(number)))


def _suggestion(name: str, table: Names, known: Mapping[str, object]) -> str:
    elsewhere = [key for key in all_settings() if key.rpartition(".")[2] == name]
    if elsewhere and not get_close_matches(name, known, 1):
        where, _, _ = elsewhere[0].rpartition(".")
        return f"it belongs {f'under [{where}]' if where else 'above the first [table]'}"
    return unknown(f"setting of [{_key(table)}]" if table else "setting", name, known)


def _values(contest: Contest, key: str) -> Names:
    value = value_of(contest, key)
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _one_of(kind: str, known: Sequence[str]) -> Callable[[str], None]:
    def check(word: str) -> None:
        if word not in known:
            raise SettingsError(unknown(kind, word, known))

    return check


_CHECKS: dict[str, Callable[[str], object]] = {
    "name": checked_run_name,
    "games": check_game,
    "variants": get_variant,
    "until": _one_of("stop rule", STOP_RULES),
    "order": _one_of("order", ORDERS),
    "result": _one_of("result", RESULTS),
    "schedule": get_schedule,
    "machine.executor": get_executor,
    "sandbox.level": lambda level: level == AUTO or get_sandbox(level),
    "entrants.interpreters": check_interpreter,
    "deadline.opens": partial(read_time, zone=None),
    "deadline.due": partial(read_time, zone=None),
    "serve.accepted_risk": check_risk,
    "deadline.late": _one_of("rule for late submissions", LATE_RULES),
}


def check_bot(folder: Path, bot: str) -> None:
    if bot != QUICK and bot not in bots() and not os.path.exists(folder / bot):
        raise SettingsError(f"{unknown('bot', bot, bots())}, and there is no such file or folder")


def _check_path(folder: Path, path: str) -> None:
    if not os.path.exists(folder / path):
        raise SettingsError(f"there is no {path!r} in {folder.resolve()}")


def _check_hides(folder: Path, secret: str | None, shown: str) -> None:
    if secret is not None and (folder / secret).resolve().is_relative_to(
        (folder / shown).resolve()
    ):
        raise SettingsError(
            f"bots could read the secret, which is in {folder / shown}: move one of them"
        )


def _check(
    values: Names, key: str, text: str, source: object, check: Callable[[str], object]
) -> None:
    for value in values:
        try:
            check(value)
        except (ArenaError, EngineError) as error:
            raise _mistake(str(source), text, key.split("."), str(error)) from None


PATHS = (
    *("results", "publish", "secret", "entrants.inbox", "entrants.roster"),
    "sandbox.readable",
)
BOTS = ("entrants.bots", "entrants.challengers")


def _relative_to(folder: Path, contest: Contest) -> Contest:
    def path(word: str) -> str:
        return str(folder / word)

    def bot(word: str) -> str:
        is_name = word == QUICK or word in bots() or not os.path.exists(folder / word)
        return word if is_name else path(word)

    found: dict[str, Any] = {}
    for key, place in (dict.fromkeys(PATHS, path) | dict.fromkeys(BOTS, bot)).items():
        given = value_of(contest, key)
        value = given or value_of(Contest(), key)  # an empty text stands for the default
        if given is not None:
            many = isinstance(value, tuple)
            found[key] = tuple(map(place, value)) if many else value and place(value)
    programs = [
        msgspec.structs.replace(program, folder=path(program.folder))
        for program in contest.programs
    ]
    return override(contest, found | {"programs": tuple(programs)})


def _mistake(source: str, text: str, names: Sequence[str], reason: str) -> SettingsError:
    return SettingsError(f"{source}, line {line_of(text, names)}: {_key(names)}: {reason}")


def _key(names: Sequence[str]) -> str:
    return ".".join([name for name in names if not name.isdecimal()])


def line_of(text: str, names: Sequence[str]) -> int:
    """Return the number of the line that sets a value in a TOML document."""
    lines = text.split("\n")
    before = 0
    for number in range(1, len(lines) + 1):
        try:
            data = tomllib.loads("\n".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            continue  # in the middle of a value of several lines
        if _has(data, names):
            return before + 1
        before = number
    raise AssertionError(f"the text does not set {names}")


def _has(data: object, names: Sequence[str]) -> bool:
    for name in names:
        if isinstance(data, list) and name.isdecimal() and int(name) < len(data):
            data = data[int(name)]
        elif isinstance(data, dict) and name in data:
            data = data[name]
        else:
            return False
    return True


def _shown(data: Any, path: Sequence[str]) -> str:
    for name in path:
        data = data[int(name) if isinstance(data, list) else name]
    text = msgspec.json.encode(data).decode()
    return text if len(text) <= 80 else f"{text[:80]}..."


# -- the contest of a folder -------------------------------------------------------------------

DEFAULT_SITE = "site"


def folders_up(folder: Path | None = None) -> Iterator[Path]:
    start = Path.cwd() if folder is None else folder.resolve()
    for place in (start, *start.parents):
        yield Path(os.path.relpath(place))


def find_contest(folder: Path | None = None) -> Path | None:
    """Return the nearest contest file in a folder or its parents, or None if there is none."""
    files = (place / CONTEST_FILE for place in folders_up(folder))
    return next((file for file in files if file.is_file()), None)


def contest_at(place: Path) -> Path:
    """Return the path of a contest file. `place` is that path or the path of the contest's folder.

    Raise `SettingsError` if the folder has no contest file.
    """
    if not place.is_dir():
        return place
    file = place / CONTEST_FILE
    if not file.is_file():
        raise SettingsError(
            f"there is no {CONTEST_FILE} in {place}: name the folder of a contest, or create one "
            "with `arena init`"
        )
    return file


def results_of(contest_file: Path) -> Path:
    return contest_file.parent / (_text_of(contest_file, "results") or Contest().results)


def site_of(contest_file: Path) -> Path:
    return contest_file.parent / (_text_of(contest_file, "publish") or DEFAULT_SITE)


def _text_of(contest_file: Path, key: str) -> str | None:
    try:
        value = tomllib.loads(decode_text(contest_file.read_bytes())).get(key)
    except OSError as error:
        raise SettingsError(f"cannot read {contest_file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{contest_file} cannot be read: {error}") from None
    return value if isinstance(value, str) and value else None
