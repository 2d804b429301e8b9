"""Play games with Python bots in this process, for tests, notebooks and training.

Bots get the same views and events as in their own process. Time is not measured.
"""

import contextlib
import importlib
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import DEFAULT_LIMITS, End, Fault, Limits, Start, encode, printable
from arena.base.record import Evidence, Game, GameRecord
from arena.bot import Bot
from arena.match.broken_game import game_error
from arena.match.referee import record_of, referee, start_game, start_message
from arena.match.seats import Answer, Ask, Reply, lacks_worlds
from arena.plugins import bots
from arena.sdk.games import choice, hears, new_bot

MakeBot: TypeAlias = Callable[[], Bot]
"""Any callable that creates a bot, such as a bot class."""
CRASHES = (Exception, SystemExit, GeneratorExit)
"""Exceptions that count as a crash of the bot. Ctrl-C isn't among them."""
MAX_TRACEBACK_CHARS = 4096


def class_of(name: str) -> type[Bot]:
    """Return the class of a registered Python bot. Raises `BotError` if there is none."""
    if name not in bots():
        raise BotError(f"unknown bot {name[:80]!r}; registered are {', '.join(bots())}")
    command = bots()[name].command
    for word in command[1:]:
        for thing in _defined_in(word) if _is_module_name(word) else ():
            if isinstance(thing, type) and issubclass(thing, Bot) and thing.name == name:
                return thing
    raise BotError(
        f"the bot {name!r} can't play in this process: expected a command `python -m MODULE`, "
        f"with a class of the bot's name in the module, got `{' '.join(command)}`"
    )


def _is_module_name(word: str) -> bool:
    return all(part.isidentifier() for part in word.split("."))


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
    """Play a game with bots in this process and return its record.

    For each seat, `players` contains a function that creates the bot, or a fault if a stand-in
    plays. The bots' time is not measured. `crashes` collects the traceback of each exception
    raised by a bot.

    Raises `BotError` if a bot requires worlds, but the variant doesn't have them. Raises
    `GameError` if the game itself raises an exception.
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
    deaf = [seat for seat, bot in enumerate(seated) if isinstance(bot, Fault) or not hears(bot)]
    deciders = [_decider(bot, clock_ms) for bot in seated]
    refereeing = referee(state, deaf=deaf, worlds=game.worlds)
    answers: list[Answer] = []
    try:
        asked = next(refereeing)
        while True:
            try:
                answer = deciders[asked.seat](asked)
            except CRASHES as error:  # charge any exception to the bot
                answer = _crash(error, asked.seat, crashes)
            answers.append(answer)
            asked = refereeing.send(answer)
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
        self._is_listening, self._is_looking = hears(bot), bot.detail != "none"

    def __call__(self, asked: Ask) -> Reply:
        bot, view = self._bot, None
        if self._is_listening:
            bot.events(msgspec.json.decode(encode(asked.events)))
        if self._is_looking:
            view = msgspec.json.decode(encode(asked.view), type=bot.view_type)
        if bot.worlds and asked.state.variant.has_worlds:
            bot.world = asked.state.variant.load(asked.world)
        if bot.tensors:
            bot.tensor = asked.tensor
        return Reply(*choice(bot, view, list(asked.legal), self._clock_ms))


def _new_bot(player: MakeBot | Fault, table: Start, crashes: list[Evidence]) -> Bot | Fault:
    if isinstance(player, Fault):
        return player
    try:
        return new_bot(player, table)
    except CRASHES as error:
        return _crash(error, table.seat, crashes)


def _decider(bot: Bot | Fault, clock_ms: int) -> Callable[[Ask], Answer]:
    return (lambda _: bot) if isinstance(bot, Fault) else Decider(bot, clock_ms)


def _crash(error: BaseException, seat: int, crashes: list[Evidence]) -> Fault:
    text = "".join(traceback.format_exception(error))
    crashes.append(Evidence(seat, stderr=printable(text[-MAX_TRACEBACK_CHARS:])))
    return Fault("crash", f"raised {type(error).__name__}: {error}")
