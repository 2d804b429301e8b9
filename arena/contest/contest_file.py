"""Find and read the contest file `contest.toml`."""

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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


def read_contest(path: Path) -> Contest:
    """Read a contest file. Paths in the contest file are relative to its folder.

    Raises:
        SettingsError: The contest file can't be read or is invalid.
    """
    contest, folder = decode(_read_text(path), str(path)), path.parent
    if contest.secret is not None and contest.seed is not None:
        raise SettingsError(
            f"{path}: got both `seed` and `secret`, which both determine the deals: remove one of "
            "them"
        )
    is_there = partial(_check_path, folder)
    for key, check in (
        ("entrants.bots", partial(check_bot, folder)),
        ("entrants.inbox", is_there),
        ("entrants.roster", is_there),
        ("sandbox.readable", is_there),
        ("sandbox.readable", partial(_check_hides, folder, contest.secret)),
    ):
        _check(contest, key, str(path), check)
    for program in contest.programs:
        with _naming(str(path), "bot.name"):
            checked_bot_name(program.name)
        with _naming(str(path), "bot.folder"):
            is_there(program.folder)
    return _relative_to(folder, contest)


def _read_text(path: Path) -> str:
    try:
        return decode_text(path.read_bytes())
    except OSError as error:
        raise SettingsError(
            f"cannot read {path}: {error.strerror}; `arena init` writes a {CONTEST_FILE}"
        ) from None
    except ValueError as error:
        raise SettingsError(f"{path} {error}") from None


def _read_toml(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{source} is not valid TOML: {error}") from None


def decode(text: str, source: str) -> Contest:
    data = _read_toml(text, source)
    for reason in _unknown_settings(data, Contest):
        raise SettingsError(f"{source}: {reason}")
    try:
        contest = msgspec.convert(data, Contest)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{source}: {error}") from None
    for key, check in _CHECKS.items():
        _check(contest, key, source, check)
    with _naming(source, "deadline.due"):
        contest.deadline.deadline()
    if data.get("games") == [] and not contest.variants:
        raise SettingsError(
            f"{source}: games: an empty list selects no game: name one, or remove the line to "
            "play all of them"
        )
    return contest


def checked_setting(key: str, value: object) -> object:
    known = all_settings()
    if key not in known:
        raise SettingsError(unknown("setting", key, known))
    try:
        setting = msgspec.convert(value, known[key].type)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{key}: {error}") from None
    if check := _CHECKS.get(key):
        for text in (setting,) if isinstance(setting, str) else setting:
            try:
                check(text)
            except EngineError as error:
                raise SettingsError(str(error)) from None
    return setting


def _unknown_settings(
    data: Mapping[str, Any], kind: type[msgspec.Struct], table: str = ""
) -> Iterator[str]:
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in data.items():
        if name not in fields:
            yield unknown(f"setting of [{table}]" if table else "setting", name, fields)
        elif is_table(fields[name]) and isinstance(value, dict):
            yield from _unknown_settings(value, fields[name], name)
        elif (inner := table_in(fields[name])) and isinstance(value, list):
            for inside in value:
                if isinstance(inside, dict):
                    yield from _unknown_settings(inside, inner, name)


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
        raise SettingsError(f"{unknown('bot', bot, bots())}, or the path of a file or folder")


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


def _check(contest: Contest, key: str, source: str, check: Callable[[str], object]) -> None:
    value = value_of(contest, key) or ()
    for text in (value,) if isinstance(value, str) else value:
        with _naming(source, key):
            check(text)


@contextmanager
def _naming(source: str, key: str) -> Iterator[None]:
    try:
        yield
    except (ArenaError, EngineError) as error:
        raise SettingsError(f"{source}: {key}: {error}") from None


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

    absolute: dict[str, Any] = {}
    for key, place in (dict.fromkeys(PATHS, path) | dict.fromkeys(BOTS, bot)).items():
        given = value_of(contest, key)
        value = given or value_of(Contest(), key)  # an empty text stands for the default
        if given is not None:
            many = isinstance(value, tuple)
            absolute[key] = tuple(map(place, value)) if many else value and place(value)
    programs = [
        msgspec.structs.replace(program, folder=path(program.folder))
        for program in contest.programs
    ]
    return override(contest, absolute | {"programs": tuple(programs)})


# -- the contest of a folder -------------------------------------------------------------------

DEFAULT_SITE = "site"


def folders_up(folder: Path | None = None) -> Iterator[Path]:
    start = Path.cwd() if folder is None else folder.resolve()
    for place in (start, *start.parents):
        yield Path(os.path.relpath(place))


def find_contest(folder: Path | None = None) -> Path | None:
    """Find the nearest contest file in a folder or its parents. Return None if there is none."""
    files = (place / CONTEST_FILE for place in folders_up(folder))
    return next((file for file in files if file.is_file()), None)


def contest_at(place: Path) -> Path:
    """Return the contest file in a folder. A path that isn't a folder is returned unchanged.

    Raises:
        SettingsError: The folder has no contest file.
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
    value = _read_toml(_read_text(contest_file), str(contest_file)).get(key)
    return value if isinstance(value, str) and value else None
