"""Read the referee's messages and answer them with a bot's actions."""

import gc
import random
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from arena.base.protocol import Act, Bye, End, Hello, Start, Turn, read_from_referee, write
from arena.sdk.alarm import make_alarm, no_alarm
from arena.sdk.bot_class import Bot, ready_line


def play_games(
    bot_class: type[Bot],
    lines: Iterable[bytes],
    send: Callable[[bytes], object],
    owns_process: bool = False,
    hello: bytes = b"",
) -> None:
    """Answer the referee's messages until the referee says goodbye or closes the connection.

    Set `owns_process` to False if the bot shares its process with other code. If the referee's
    first message has already been read and answered, pass the message as `hello`.
    """
    greeting = read_from_referee(hello) if hello else None
    idle_ms = greeting.limits.max_idle_ms if isinstance(greeting, Hello) else 0
    set_alarm = make_alarm() if owns_process else no_alarm
    bots: dict[int, Bot] = {}
    is_settled = not owns_process
    for line in lines:
        match read_from_referee(line):
            case Turn() as turn:
                set_alarm(turn.clock_ms)
                act = ask(bots[turn.table], turn)
                set_alarm(0)
                send(write(act))
            case Start() as table:
                if not is_settled:
                    gc.freeze()  # imported modules stay, but bots are freed after their games
                    is_settled = True
                bots[table.table] = new_bot(bot_class, table, idle_ms)
            case End() as end:
                bots.pop(end.table).end(end)
            case Hello() as greeting:
                idle_ms = greeting.limits.max_idle_ms
                send(ready_line(bot_class))
            case Bye():
                return


def new_bot(make_bot: Callable[[], Bot], table: Start, idle_ms: int = 0) -> Bot:
    bot = make_bot()
    bot.table = table
    bot.idle_ms = idle_ms
    bot.rng = random.Random(table.seed)
    bot.start(table)
    return bot


def ask(bot: Bot, turn: Turn) -> Act:
    if uses_events(bot):
        bot.events(msgspec.json.decode(turn.events))
    if turn.world is not msgspec.UNSET:
        from engine import get_variant  # imported late, so that other bots start faster

        bot.world = get_variant(bot.table.variant).load(turn.world)
    if turn.tensor is not msgspec.UNSET:
        bot.tensor = turn.tensor
    view = None if bot.detail == "none" else msgspec.json.decode(turn.view, type=bot.view_type)
    action, note = choice(bot, view, turn.legal, turn.clock_ms)
    return Act(turn.table, turn.turn, action, note)


def uses_events(bot: Bot) -> bool:
    return type(bot).events is not Bot.events


def choice(bot: Bot, view: Any, legal: list[str], clock_ms: int) -> tuple[str, str]:
    bot.note = ""
    bot.clock_ms = clock_ms
    action = bot.act(view, legal)
    note = bot.note
    if type(action) is str and type(note) is str:
        return action, note
    if not isinstance(action, str):
        raise TypeError(f"`act` returned {action!r}, expected one of the legal actions")
    if not isinstance(note, str):
        raise TypeError(f"`self.note` is {note!r}, expected a text")
    return str.__str__(action), str.__str__(note)  # converts subclasses such as `numpy.str_`
