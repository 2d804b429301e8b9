"""The SDK for bots in Python: write a class with a method `act`, and `run` it.

    from arena.bot import Bot, run

    class MyBot(Bot):
        def act(self, view, legal):
            return legal[0]

    if __name__ == "__main__":
        run(MyBot)

`python -m arena.bot my_bot.py` also runs a bot file, even one that does not call `run`.
"""

import io
import os
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, cast

import msgspec

from arena.protocol import (
    PROTOCOL,
    Act,
    Bye,
    Detail,
    End,
    Hello,
    Message,
    Ready,
    Start,
    Turn,
    read_from_referee,
    write,
)

__all__ = ["Bot", "Detail", "End", "Start", "play", "run"]


class Bot:
    """A player of one game. The SDK makes an object of your class for each game.

    Only `act` is required.
    """

    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    games: ClassVar[Sequence[str]] = ()
    """The games that the bot plays, such as `pot-de-vin`. Empty means all."""
    view_type: ClassVar[Any] = dict[str, Any]
    """The type of views: a dict, or the view Struct of a game for typed attributes."""

    detail: ClassVar[Detail] = "full"
    """The part of each view that the referee sends.

    `brief` gives the same view with less to read, but the bot must not change it. `none` is the
    fastest: `act` then gets None as view.
    """

    table: Start
    """The table: its `variant`, `seat`, `seats`, `teams`."""
    rng: random.Random
    """A random generator. A bot that uses no other one plays the same game the same way."""
    clock_ms: int = 0
    """The time for the current action."""
    note: str = ""
    """A remark on the current action, kept in the record. Set it in `act`."""
    _last_view: Mapping[str, Any] = MappingProxyType({})  # the view that a brief view changes

    def start(self, table: Start) -> None:
        """Handle the start of the game."""

    def events(self, events: list[Any]) -> None:
        """Handle the events since the last turn. Called before `act`."""

    def act(self, view: Any, legal: list[str]) -> str:
        """Return one of the legal actions."""
        raise NotImplementedError(f"{type(self).__name__} has no method `act(self, view, legal)`")

    def end(self, result: End) -> None:
        """Handle the end of the game."""


def new_bot(bot_class: type[Bot], table: Start) -> Bot:
    """Return a new bot after the start of its game."""
    bot = bot_class()
    bot.table = table
    bot.rng = random.Random(table.seed)
    bot.start(table)
    return bot


def ask(bot: Bot, turn: Turn) -> Act:
    """Return the bot's answer to a turn."""
    if type(bot).events is not Bot.events:
        bot.events(msgspec.json.decode(turn.events))
    bot.note = ""
    bot.clock_ms = turn.clock_ms
    action = bot.act(_view(bot, turn), turn.legal)
    if not isinstance(action, str):
        raise TypeError(f"`act` returned {action!r}, expected one of the legal actions")
    return Act(turn.table, turn.turn, action, bot.note)


def _view(bot: Bot, turn: Turn) -> Any:
    """Return the view of a turn in the type that the bot wants."""
    if bot.detail == "none":
        return None
    if bot.detail == "full":
        return msgspec.json.decode(turn.view, type=bot.view_type)
    bot._last_view = restore_view(bot._last_view, turn)
    return msgspec.convert(bot._last_view, bot.view_type)


def restore_view(last: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    """Return the full view of a turn with a brief view. `last` is the full view before it."""
    view = {**last, **msgspec.json.decode(turn.view)}
    if turn.added is not msgspec.UNSET:
        for field, items in msgspec.json.decode(turn.added).items():
            view[field] = [*view[field], *items]
    return view


def play(bot_class: type[Bot], lines: Iterable[bytes], send: Callable[[bytes], object]) -> None:
    """Answer the referee's lines until `bye` or the end of the lines."""
    bots: dict[int, Bot] = {}
    for line in lines:
        reply: Message | None = None
        match read_from_referee(line):
            case Turn() as turn:
                reply = ask(bots[turn.table], turn)
            case Start() as table:
                bots[table.table] = new_bot(bot_class, table)
            case End() as end:
                bots.pop(end.table).end(end)
            case Hello():
                reply = Ready(
                    PROTOCOL,
                    bot_class.name,
                    bot_class.author,
                    tuple(bot_class.games),
                    bot_class.detail,
                )
            case Bye():
                return
        if reply is not None:
            send(write(reply))


def run(bot_class: type) -> None:
    """Play for the referee on stdin and stdout. Output of the bot goes to stderr.

    A class with a method `act` that is not a `Bot` becomes one.
    """
    if not issubclass(bot_class, Bot):
        bot_class = type(bot_class.__name__, (bot_class, Bot), {})
    with os.fdopen(os.dup(1), "wb", buffering=0) as to_referee:
        os.dup2(2, 1)  # a `print` in a bot must not disturb the protocol
        cast(io.TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)
        try:
            play(bot_class, sys.stdin.buffer, to_referee.write)
        except Exception as error:
            print(_own_traceback(error), file=sys.stderr, flush=True)
            sys.exit(1)  # the referee sees the end of the output only now


def _own_traceback(error: BaseException) -> str:
    """Return the traceback of an error without the frames of the SDK."""
    import traceback  # not above: a bot starts faster without it

    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
        trace = trace.tb_next
    return "".join(traceback.format_exception(error.with_traceback(trace)))


def run_file(path: str) -> None:
    """Run a bot file as a program. If that does not play, run the bot class in it.

    Raises:
        SystemExit: the file has no bot class, or more than one.
    """
    import runpy  # not above: a bot that is a program starts faster without it

    folder, name = os.path.split(path)
    sys.argv = [path]
    sys.path.insert(0, folder or ".")
    try:
        defined = runpy.run_path(path, run_name="__main__")
    except Exception as error:
        sys.exit(_own_traceback(error))
    if sys.stdin.closed or not cast(io.BufferedReader, sys.stdin.buffer).peek(1):
        return  # the input has ended: the file has played
    own = {
        thing
        for thing in defined.values()
        if isinstance(thing, type)
        and thing.__module__ == "__main__"
        and callable(getattr(thing, "act", None))
    }
    found = [one for one in own if not any(one in other.__bases__ for other in own)]
    if len(found) != 1:
        names = ", ".join(sorted([one.__name__ for one in found])) or "none"
        sys.exit(
            f"{name}: expected one class with a method `act(self, view, legal)`, found "
            f"{names}; or call `run(MyBot)` at the end"
        )
    run(found[0])


if __name__ == "__main__":
    from arena import bot as this  # the same module that the bot file imports

    if len(sys.argv) != 2:
        sys.exit("usage: python -m arena.bot BOT.py")
    this.run_file(sys.argv[1])
