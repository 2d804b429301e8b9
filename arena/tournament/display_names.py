"""Replace bot ids with students' names for display."""

from pathlib import Path
from typing import TypeVar, cast

import msgspec
from msgspec.structs import replace

from arena.contest.run_roster import Names, read_run_roster
from arena.tournament.database import Database
from arena.tournament.store import Store

BOT_FIELDS = (
    *("better", "bot", "bots", "compared", "entrants", "opponent", "other", "outscored_by"),
    *("same_files", "worse"),
)
BY_BOT_FIELDS = ("certainty", "ratings")

ShownT = TypeVar("ShownT")


def names_of(store: Database) -> Names:
    """Return the display names of the bots in a run or an exported run."""
    entrants = store.settings().entrants
    ids = [bot.name for bot in entrants]
    if isinstance(store, Store):
        paths = {Path(bot.origin, file): bot.name for bot in entrants for file in ("", *bot.files)}
        students = read_run_roster(store.folder).students
        return Names(ids, {student.id: student.bot_name for student in students}, paths)
    return Names(ids, store.display_names)


def display_names_of(store: Database) -> dict[str, str]:
    names = names_of(store)
    ids = [bot.name for bot in store.settings().entrants]
    return {bot: names.shown(bot) for bot in ids if names.shown(bot) != bot}


def with_names(value: ShownT, names: Names) -> ShownT:
    """Return an object with all bot ids replaced by display names."""
    return value if names.is_plain else cast(ShownT, _with_names(value, names))


def _with_names(value: object, names: Names, field: str = "") -> object:
    if isinstance(value, str):
        return names.shown(value) if field in BOT_FIELDS else value
    if isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        shown = {name: _with_names(old, names, name) for name, old in fields.items()}
        return replace(
            value, **{name: new for name, new in shown.items() if new is not fields[name]}
        )
    if isinstance(value, dict):
        by_bot = field in BY_BOT_FIELDS
        return {
            names.shown(key) if by_bot else key: _with_names(each, names)
            for key, each in value.items()
        }
    plain = int | float if field in BOT_FIELDS else int | float | str
    if isinstance(value, tuple | list) and value and not isinstance(value[0], plain):
        return type(value)([_with_names(each, names, field) for each in value])
    return value
