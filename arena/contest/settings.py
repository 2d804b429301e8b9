"""The settings of a contest: each is a line of `contest.toml` and an option of `arena run`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from arena.check.sandbox_probe import AUTO
from arena.contracts import Bounds
from arena.errors import SettingsError
from arena.protocol import Limits
from engine import variants
from engine.errors import unknown

_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")

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
    waiting_games: Annotated[int, Meta(ge=0, le=1_000)] = 0
    """Games under way in each worker with bots that wait for another machine; 0: no such games."""
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

    @property
    def site(self) -> Path | None:
        """Where the run's site is written; None stands for nowhere."""
        return Path(self.publish) if self.publish else None


# -- settings by their keys --------------------------------------------------------------------


def all_settings(kind: type[msgspec.Struct] = Contest, table: str = "") -> dict[str, Any]:
    """Return every setting by its key, as `limits.move_ms`, with its field in the struct."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        key = table + field.name
        found |= all_settings(field.type, f"{key}.") if is_table(field.type) else {key: field}
    return found


def value_of(contest: Contest, key: str) -> Any:
    """Return what a contest says for a key."""
    value: Any = contest
    for name in key.split("."):
        value = getattr(value, name)
    return value


def is_table(kind: object) -> bool:
    """Return whether a field of this type is a table of settings."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


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


# -- words that are no setting's alone ---------------------------------------------------------


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
