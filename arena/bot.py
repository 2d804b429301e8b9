"""The SDK for bots in Python: write a class with a method `act`, and `run` it.

    from arena.bot import Bot, run

    class MyBot(Bot):
        def act(self, view, legal):
            return legal[0]

    if __name__ == "__main__":
        run(MyBot)

`python -m arena.bot my_bot.py` runs a bot file too, also one that does not call `run`.
"""

import io
import os
import random
import runpy
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
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
    """A player of one game: for each game that is started a bot of your class is made.

    Only `act` has to be written.
    """

    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    games: ClassVar[Sequence[str]] = ()
    """The games that the bot plays, such as `pot-de-vin`; none stands for all."""
    view_type: ClassVar[Any] = dict[str, Any]
    """What views are made into: a dict, or a game's own view Struct for typed attributes."""

    detail: ClassVar[Detail] = "full"
    """How much the referee sends of each view: `brief` is less to read for the same view, which
    the bot then must not change; with `none`, which is quickest, `act` gets None for a view."""

    table: Start
    """The table: its `variant`, `seat`, `seats`, `teams`."""
    rng: random.Random
    """The bot's dice. Whoever draws from nothing else plays the same game the same way."""
    clock_ms: int = 0
    """How long the bot may take for the action at hand."""
    note: str = ""
    """A remark on the action at hand, kept in the record; set it in `act`."""
    _last_view: Mapping[str, Any] = MappingProxyType({})  # what a brief view is the change of

    def start(self, table: Start) -> None:
        """Hear that the game begins."""

    def events(self, events: list[Any]) -> None:
        """Hear what happened since the last turn; called before `act`."""

    def act(self, view: Any, legal: list[str]) -> str:
        """Return one of the legal actions."""
        raise NotImplementedError(f"{type(self).__name__} has no method `act(self, view, legal)`")

    def end(self, result: End) -> None:
        """Hear how the game ended."""


def sit_down(bot_class: type[Bot], table: Start) -> Bot:
    """Return a new bot that has been told that its game begins."""
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
    """Return what the bot looks at, in the type that it wants."""
    if bot.detail == "none":
        return None
    if bot.detail == "full":
        return msgspec.json.decode(turn.view, type=bot.view_type)
    bot._last_view = restore_view(bot._last_view, turn)
    return msgspec.convert(bot._last_view, bot.view_type)


def restore_view(last: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    """Return the whole view of a turn whose view is brief, given that of the turn before."""
    view = {**last, **msgspec.json.decode(turn.view)}
    if turn.added is not msgspec.UNSET:
        for field, items in msgspec.json.decode(turn.added).items():
            view[field] = [*view[field], *items]
    return view


def play(bot_class: type[Bot], lines: Iterable[bytes], send: Callable[[bytes], object]) -> None:
    """Answer the referee's lines until it says bye or the lines end."""
    bots: dict[int, Bot] = {}
    for line in lines:
        reply: Message | None = None
        match read_from_referee(line):
            case Turn() as turn:
                reply = ask(bots[turn.table], turn)
            case Start() as table:
                bots[table.table] = sit_down(bot_class, table)
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
    """Play for the referee on stdin and stdout; what the bot prints goes to stderr.

    A class that has a method `act` but is no `Bot` is made one.
    """
    if not issubclass(bot_class, Bot):
        bot_class = type(bot_class.__name__, (bot_class, Bot), {})
    with os.fdopen(os.dup(1), "wb", buffering=0) as to_referee:
        os.dup2(2, 1)  # a `print` in a bot must not break into the protocol
        cast(io.TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)
        try:
            play(bot_class, sys.stdin.buffer, to_referee.write)
        except Exception as error:
            print(_own_traceback(error), file=sys.stderr, flush=True)
            sys.exit(1)  # and only now the referee sees the end of the output


def _own_traceback(error: BaseException) -> str:
    """Return the traceback of an error from the bot's own code on: what its author can mend."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
        trace = trace.tb_next
    return "".join(traceback.format_exception(error.with_traceback(trace)))


def run_file(path: Path) -> None:
    """Run a bot file as a program, and if that does not play, the bot class in it.

    Raises:
        SystemExit: there is no bot class in it, or more than one.
    """
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    try:
        defined = runpy.run_path(str(path), run_name="__main__")
    except Exception as error:
        sys.exit(_own_traceback(error))
    if sys.stdin.closed or not cast(io.BufferedReader, sys.stdin.buffer).peek(1):
        return  # the referee has said all there is: the file has played
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
            f"{path.name}: expected one class with a method `act(self, view, legal)`, found "
            f"{names}; or call `run(MyBot)` at the end"
        )
    run(found[0])


if __name__ == "__main__":
    from arena import bot as this  # the bot file imports `arena.bot`: be the same module as it

    if len(sys.argv) != 2:
        sys.exit("usage: python -m arena.bot BOT.py")
    this.run_file(Path(sys.argv[1]))
