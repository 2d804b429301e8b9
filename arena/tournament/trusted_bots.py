"""Run trusted Python bots in forks of this process, without limits or sandbox.

Games and records are the same as with bot processes, unless a bot depends on the clock.
"""

import gc
import hashlib
import importlib.util
import inspect
import logging
import multiprocessing
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias

import msgspec

from arena.base.contracts import Batch, Played
from arena.base.errors import ArenaError, BotError, SettingsError
from arena.base.protocol import Fault
from arena.base.record import Entrant, Evidence, Observations, write_record
from arena.bot import YOUNG_OBJECTS, Bot
from arena.contest.entrants import each_once, find_entrants, is_registered
from arena.contest.settings import checked_bot_name
from arena.process import host
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
    return entrant, bot if isinstance(bot, type) else lambda: bot


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


class ForkedWorkers:
    """An executor whose workers are forks of this process.

    With one worker, or on systems without fork, games are played in this process.
    """

    def __init__(self, makers: Mapping[str, MakeBot], workers: int | None = None) -> None:
        """Prepare the workers. Default: one worker per core.

        Raises `SettingsError` if this process can't have child processes.
        """
        can_fork = "fork" in multiprocessing.get_all_start_methods()
        self.width = (workers or len(host.usable())) if can_fork else 1
        if self.width > 1 and multiprocessing.current_process().daemon:
            raise SettingsError(
                f"got {self.width} workers in a daemonic process, as those of "
                "`multiprocessing.Pool` are, which may have no children: set `workers=1`, so that "
                "the games are played in this process"
            )
        self.games_at_once = 1
        self._makers = makers
        self._logged: set[str] = set()
        self._forks: dict[Connection, Any] = {}
        self._idle: list[Connection] = []
        self._take: Callable[[], Batch | None] = lambda: None

    def __enter__(self) -> Self:
        context: Any = multiprocessing.get_context("fork") if self.width > 1 else None
        for _ in range(self.width if context else 0):
            ours, theirs = context.Pipe()
            others = [*self._forks, ours]
            fork = context.Process(target=_serve, args=(theirs, others, self._makers), daemon=True)
            fork.start()
            theirs.close()
            self._forks[ours] = fork
        return self

    def __exit__(self, *_: object) -> None:
        for connection, fork in self._forks.items():
            connection.close()
            fork.kill()  # unreported games are replayed
        for fork in self._forks.values():
            fork.join()
        self._forks.clear()

    def wake(self, games: Sequence[str]) -> None:
        """Do nothing: forked workers already have the modules of this process."""

    def expect(self, variants: Sequence[str]) -> None:
        """Do nothing."""

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        self._take = take
        if not self._forks:
            for batch in iter(take, None):
                for played in _play(batch, self._makers):
                    self._log(played)
                    yield played
            return
        self._idle = [*self._forks]
        self.hand_out()
        while busy := [connection for connection in self._forks if connection not in self._idle]:
            ready = wait(busy)
            heard = [self._heard(connection) for connection in busy if connection in ready]
            if played := [game for games in heard for game in games]:
                self._log(played)
                yield played
            self.hand_out()

    def _log(self, played: Sequence[Played]) -> None:
        for evidence in [seen for game in played for seen in game.seen.evidence]:
            where = evidence.stderr.rpartition("  File ")[2]
            if where not in self._logged:
                self._logged.add(where)
                log.warning("a bot raised an exception:\n%s", evidence.stderr)

    def hand_out(self) -> None:
        while self._idle and (batch := self._take()):
            self._idle.pop().send(batch)

    def _heard(self, connection: Connection) -> list[Played]:
        try:
            said: list[Played] | ArenaError | None = connection.recv()
        except EOFError:
            fork = self._forks[connection]
            fork.join()
            code = fork.exitcode or 0
            how = f"signal {-code}" if code < 0 else f"exit code {code}, as `os._exit` does"
            raise ArenaError(
                f"a process of the run ended with {how}: a bot or a library of it has ended it; "
                "play the bots as processes, which tells whose it was"
            ) from None
        if isinstance(said, ArenaError):
            raise said
        if said is None:
            self._idle.append(connection)
        return said or []


def _serve(
    connection: Connection, others: Sequence[Connection], makers: Mapping[str, MakeBot]
) -> None:
    for other in others:
        other.close()  # so that each fork notices the end of its pipe
    gc.freeze()  # imported modules are never collected
    gc.set_threshold(max(YOUNG_OBJECTS, gc.get_threshold()[0]), *gc.get_threshold()[1:])
    try:
        while True:
            batch = connection.recv()
            try:
                for played in _play(batch, makers):
                    connection.send(played)
                connection.send(None)
            except ArenaError as error:
                connection.send(error)
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _play(batch: Batch, makers: Mapping[str, MakeBot]) -> Iterator[list[Played]]:
    players: dict[str, MakeBot | Fault] = {**makers}
    for name, reason in batch.withdrawn.items():
        players[name] = Fault("withdrawn", reason)
    ended: list[Played] = []
    due = time.monotonic() + GATHER_S
    for game in batch.games:
        if time.monotonic() >= due:
            yield ended
            ended, due = [], time.monotonic() + GATHER_S
        seated = [players[name] for name in game.entrants]
        crashes: list[Evidence] = []
        record = play_in_process(game, seated, batch.limits, crashes)
        seen = Observations(tuple(crashes))
        ended.append(Played(record.key, msgspec.Raw(write_record(record)), seen))
    yield ended
