"""Play games with Python bots in this process, without time limits or a sandbox."""

import contextlib
import copy
import hashlib
import importlib
import inspect
import logging
import pickle
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeAlias

import msgspec

from arena.base.contracts import Batch, Played
from arena.base.errors import BotError, SettingsError
from arena.base.protocol import DEFAULT_LIMITS, End, Fault, Limits, Start, encode, printable
from arena.base.record import Entrant, Evidence, Game, GameRecord, Observations, write_record
from arena.bot import Bot
from arena.contest.entrants import each_once, find_entrants
from arena.contest.settings import checked_bot_name
from arena.match.broken_game import game_error
from arena.match.referee import record_of, referee, start_game, start_message
from arena.match.seats import Answer, Decision, Reply, lacks_worlds
from arena.plugins import bots
from arena.sdk.games import choice, new_bot, uses_events

MakeBot: TypeAlias = Callable[[], Bot]
CRASHES = (Exception, SystemExit, GeneratorExit)
MAX_TRACEBACK_CHARS = 4096
GATHER_S = 0.2
log = logging.getLogger("arena")


def class_of(name: str) -> type[Bot]:
    """Return the class of a registered Python bot. Raise `BotError` if there is none."""
    if name not in bots():
        raise BotError(f"unknown bot {name[:80]!r}; registered are {', '.join(bots())}")
    command = bots()[name].command
    for word in command[1:]:
        for thing in _defined_in(word) if word.replace(".", "_").isidentifier() else ():
            if isinstance(thing, type) and issubclass(thing, Bot) and thing.name == name:
                return thing
    raise BotError(
        f"the bot {name!r} can't play in this process: expected a command `python -m MODULE`, "
        f"with a class of the bot's name in the module, got `{' '.join(command)}`"
    )


def _defined_in(module: str) -> Iterable[object]:
    try:
        return vars(importlib.import_module(module)).values()
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            return ()
        raise


def play_in_process(
    game: Game,
    players: Sequence[MakeBot | Fault],
    limits: Limits = DEFAULT_LIMITS,
    crashes: list[Evidence] | None = None,
) -> GameRecord:
    """Play a game with Python bots in the current process and return its record.

    `players` contains one element per seat: a function that creates the bot, or the fault of a
    bot that can't play. If a bot raises an exception, the traceback is appended to the given
    list of crashes.

    Raises:
        BotError: A bot requests random game states, but the variant can't generate them.
        GameError: The game itself raises an exception.
    """
    state = start_game(game.variant, game.deal)
    variant = state.variant
    crashes = [] if crashes is None else crashes
    seated = [
        _new_bot(player, start_message(variant, seat, seed), crashes)
        for seat, (player, seed) in enumerate(zip(players, game.seeds, strict=True))
    ]
    for bot in seated:
        if isinstance(bot, Bot) and bot.worlds and not variant.has_worlds:
            raise lacks_worlds(bot.name or type(bot).__name__, [variant.id])
    clock_ms = min(limits.move_ms, limits.bank_ms or limits.move_ms)
    without_events = [
        seat for seat, bot in enumerate(seated) if isinstance(bot, Fault) or not uses_events(bot)
    ]
    deciders = [Decider(bot, clock_ms) if isinstance(bot, Bot) else bot for bot in seated]
    refereeing = referee(state, without_events=without_events, worlds=game.worlds)
    try:
        decision = next(refereeing)
        while True:
            answer: Answer
            try:
                decider = deciders[decision.seat]
                answer = decider(decision) if isinstance(decider, Decider) else decider
            except CRASHES as error:  # charge any exception to the bot
                answer = _crash(error, decision.seat, crashes)
            decision = refereeing.send(answer)
    except StopIteration as stop:
        record = record_of(game, state, stop.value)
    except Exception as error:
        raise game_error(game.title, error) from error
    for seat, bot in enumerate(seated):
        if isinstance(bot, Bot):
            with contextlib.suppress(*CRASHES):  # the game is already over
                bot.end(End(0, record.points, record.ranks, record.faults_of(seat)))
    return record


class Decider:
    def __init__(self, bot: Bot, clock_ms: int) -> None:
        self._bot, self._clock_ms = bot, clock_ms
        self._uses_events, self._uses_views = uses_events(bot), bot.detail != "none"

    def __call__(self, decision: Decision) -> Reply:
        bot, view = self._bot, None
        if self._uses_events:
            bot.events(msgspec.json.decode(encode(decision.events)))
        if self._uses_views:
            view = msgspec.json.decode(encode(decision.view), type=bot.view_type)
        if bot.worlds and decision.state.variant.has_worlds:
            bot.world = decision.state.variant.load(decision.world)
        if bot.tensors:
            bot.tensor = decision.tensor
        return Reply(*choice(bot, view, list(decision.legal), self._clock_ms))


def _new_bot(player: MakeBot | Fault, table: Start, crashes: list[Evidence]) -> Bot | Fault:
    if isinstance(player, Fault):
        return player
    try:
        return new_bot(player, table)
    except CRASHES as error:
        return _crash(error, table.seat, crashes)


def _crash(error: BaseException, seat: int, crashes: list[Evidence]) -> Fault:
    text = "".join(traceback.format_exception(error))
    crashes.append(Evidence(seat, stderr=printable(text[-MAX_TRACEBACK_CHARS:])))
    return Fault("crash", f"raised {type(error).__name__}: {error}")


# -- runs ---------------------------------------------------------------------------------------


class TrustedBots(NamedTuple):
    entrants: list[Entrant]
    makers: dict[str, MakeBot]


def trusted_bots(bots: Iterable[Any]) -> TrustedBots:
    """Load bots into this process. Raise `BotError` if a bot isn't a registered Python bot."""
    found: list[tuple[Entrant, MakeBot]] = []
    for bot in bots:
        if not isinstance(bot, str):
            found.append(_of_object(bot))
            continue
        for entrant in find_entrants([bot]):
            loaded = class_of(entrant.name)
            games, author = tuple(loaded.games), loaded.author
            found.append((msgspec.structs.replace(entrant, games=games, author=author), loaded))
    entrants = each_once([entrant for entrant, _ in found])
    return TrustedBots(entrants, {entrant.name: maker for entrant, maker in found})


def _of_object(bot: Any) -> tuple[Entrant, MakeBot]:
    made = bot if isinstance(bot, type) else type(bot)
    if not issubclass(made, Bot):
        raise SettingsError(
            f"got {bot!r:.80} as a bot, expected the name of a registered bot, or a class or an "
            "object of `arena.bot.Bot`"
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
                for evidence in crashes:
                    where = evidence.stderr.rpartition("  File ")[2]
                    if where not in self._logged:
                        self._logged.add(where)
                        log.warning("a bot raised an exception:\n%s", evidence.stderr)
                seen = Observations(tuple(crashes))
                ended.append(Played(record.key, msgspec.Raw(write_record(record)), seen))
                if time.monotonic() >= due:
                    yield ended
                    ended, due = [], time.monotonic() + GATHER_S
            yield ended
