"""A driver for bots in this process: for tests, notebooks and training.

The bots get the same messages as bot processes, in JSON. There is no clock.
"""

import contextlib
import importlib
from collections.abc import Iterable, Sequence

from arena.bot import Bot
from arena.bot_games import ask, new_bot
from arena.errors import BotError
from arena.match.referee import record_of, referee, start_game
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Answer, Ask, Reply
from arena.plugins import bots
from arena.protocol import DEFAULT_LIMITS, End, Fault, Limits, Start
from arena.record import Game, GameRecord


def class_of(name: str) -> type[Bot]:
    """Return the class of a registered bot in Python.

    It has the name of the bot, and is in a module that the command of the bot names.

    Raises:
        BotError: no bot is registered by this name, or its command names no such module.
    """
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
    """Return what a module defines: nothing if there is no such module."""
    try:
        return vars(importlib.import_module(module)).values()
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            return ()
        raise


def play_in_process(
    game: Game, bot_classes: Sequence[type[Bot]], limits: Limits = DEFAULT_LIMITS
) -> GameRecord:
    """Play a game with a bot of each class by seat, and return its record.

    The bots are told how long they may take, but the time is not measured.
    """
    state = start_game(game.variant, game.deal)
    variant = state.variant
    bots = [
        _new_bot(
            bot_class,
            Start(0, variant.game, variant.id, seat, variant.seats, variant.teams, seed),
        )
        for seat, (bot_class, seed) in enumerate(zip(bot_classes, game.seeds, strict=True))
    ]
    turns = [SeatMessages(0, bot_class.detail, limits) for bot_class in bot_classes]
    refereeing = referee(state)
    answer: Answer | None = None
    while True:
        try:
            # A generator is started by sending it None.
            asked = refereeing.send(answer)  # type: ignore[arg-type]
        except StopIteration as stop:
            record = record_of(game, state, stop.value)
            break
        answer = _answer(bots[asked.seat], turns[asked.seat], asked)
    for seat, bot in enumerate(bots):
        if isinstance(bot, Bot):
            with contextlib.suppress(Exception):  # the game is over: nothing is at stake
                bot.end(End(0, record.points, record.ranks, record.faults_of(seat)))
    return record


def _new_bot(bot_class: type[Bot], table: Start) -> Bot | Fault:
    try:
        return new_bot(bot_class, table)
    except Exception as error:  # whatever a bot's code raises is the bot's fault
        return _crash(error)


def _answer(bot: Bot | Fault, turns: SeatMessages, asked: Ask) -> Answer:
    if isinstance(bot, Fault):
        return bot
    turn = turns.turn(asked)
    try:
        act = ask(bot, turn)
    except Exception as error:
        return _crash(error)
    if not isinstance(act.action, str) or not isinstance(act.note, str):
        return Fault("malformed", f"expected action and note as text, got {act.action!r}")
    return Reply(act.action, act.note)


def _crash(error: Exception) -> Fault:
    return Fault("crash", f"raised {type(error).__name__}: {error}")
