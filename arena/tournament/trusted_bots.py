"""Play runs with trusted Python bots in this process, without limits or sandbox.

Games and records are the same as with bot processes, unless a bot depends on the clock.
"""

import copy
import hashlib
import importlib.util
import inspect
import logging
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self, TypeAlias

import msgspec

from arena.base.contracts import Batch, Played
from arena.base.errors import BotError, SettingsError
from arena.base.protocol import Fault
from arena.base.record import Entrant, Evidence, Observations, write_record
from arena.bot import Bot
from arena.contest.entrants import each_once, find_entrants, is_registered
from arena.contest.settings import checked_bot_name
from arena.tournament.in_process import CRASHES, MakeBot, class_of, play_in_process

log = logging.getLogger("arena")
GATHER_S = 0.2
TrustedBot: TypeAlias = str | type[Bot] | Bot
"""A Python bot: its name, path or class, or an object that plays all games."""


class TrustedBots(NamedTuple):
    entrants: list[Entrant]
    makers: dict[str, MakeBot]


def trusted_bots(bots: Iterable[TrustedBot]) -> TrustedBots:
    """Load bots into this process. Raises `BotError` if a bot doesn't exist or isn't written in
    Python.
    """
    found: list[tuple[Entrant, MakeBot]] = []
    for bot in bots:
        if not isinstance(bot, str):
            found.append(_of_object(bot))
            continue
        for entrant in find_entrants([bot]):
            loaded = class_of(entrant.name) if is_registered(entrant) else _loaded(entrant)
            games, author = tuple(loaded.games), loaded.author
            found.append((msgspec.structs.replace(entrant, games=games, author=author), loaded))
    entrants = each_once([entrant for entrant, _ in found])
    return TrustedBots(entrants, {entrant.name: maker for entrant, maker in found})


def _of_object(bot: type[Bot] | Bot) -> tuple[Entrant, MakeBot]:
    made = bot if isinstance(bot, type) else type(bot)
    if not issubclass(made, Bot):
        raise SettingsError(
            f"got {bot!r:.80} as a bot, expected a name, a path, a class of `arena.bot.Bot` or an "
            "object of one"
        )
    name = checked_bot_name(bot.name or made.__name__)
    try:
        code = inspect.getsource(made).encode() + (b"" if bot is made else pickle.dumps(bot))
    except (OSError, TypeError, AttributeError, pickle.PicklingError) as error:
        raise BotError(
            f"the code of {name} cannot be read ({error}), so a run could not tell when it has "
            "changed: write its class to a file, and keep in its objects what can be pickled"
        ) from None
    digest = hashlib.sha256(code).hexdigest()
    entrant = Entrant(name, (), "", f"object:{digest}", bot.author, tuple(bot.games))
    if isinstance(bot, type):
        return entrant, bot
    own = copy.deepcopy(bot)  # games change it, but a resumed run must recognize `bot`
    return entrant, lambda: own


def _loaded(entrant: Entrant) -> type[Bot]:
    folder = Path(entrant.folder)
    file = next((folder / word for word in entrant.command[1:] if word.endswith(".py")), None)
    spec = importlib.util.spec_from_file_location(f"trusted bot {entrant.name}", file or "")
    if file is None or spec is None or spec.loader is None:
        raise BotError(
            f"{entrant.name} cannot play in this process: its command "
            f"`{' '.join(entrant.command)}` does not start a Python file"
        )
    module = importlib.util.module_from_spec(spec)
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except CRASHES as error:
        raise BotError(f"{file} raised {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before - {spec.name}:  # another bot may use this name
            if str(getattr(sys.modules[name], "__file__", "") or "").startswith(
                f"{folder}{os.sep}"
            ):
                del sys.modules[name]
    classes = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Bot) and thing.__module__ == spec.name
    ]
    if not classes:
        raise BotError(f"{file} has no class of `arena.bot.Bot`, so it plays only as a process")
    return classes[-1]


class InProcess:
    """An executor that plays games in this process, one at a time."""

    width = games_at_once = 1

    def __init__(self, makers: Mapping[str, MakeBot]) -> None:
        self._makers = makers
        self._logged: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def wake(self, games: Sequence[str]) -> None:
        """Do nothing."""

    def expect(self, variants: Sequence[str]) -> None:
        """Do nothing."""

    def hand_out(self) -> None:
        """Do nothing."""

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        for batch in iter(take, None):
            players: dict[str, MakeBot | Fault] = {**self._makers}
            for name, reason in batch.withdrawn.items():
                players[name] = Fault("withdrawn", reason)
            ended: list[Played] = []
            due = time.monotonic() + GATHER_S
            for game in batch.games:
                seated = [players[name] for name in game.entrants]
                crashes: list[Evidence] = []
                record = play_in_process(game, seated, batch.limits, crashes)
                self._log(crashes)
                seen = Observations(tuple(crashes))
                ended.append(Played(record.key, msgspec.Raw(write_record(record)), seen))
                if time.monotonic() >= due:
                    yield ended
                    ended, due = [], time.monotonic() + GATHER_S
            yield ended

    def _log(self, crashes: Iterable[Evidence]) -> None:
        for evidence in crashes:
            where = evidence.stderr.rpartition("  File ")[2]
            if where not in self._logged:
                self._logged.add(where)
                log.warning("a bot raised an exception:\n%s", evidence.stderr)
