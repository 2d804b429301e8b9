"""SDK for bots written in Python.

    from arena.bot import Bot, run

    class MyBot(Bot):
        def act(self, view, legal):
            return legal[0]

    if __name__ == "__main__":
        run(MyBot)

`python -m arena.bot my_bot.py` also runs a bot file, even one that doesn't call `run`.
"""

from __future__ import annotations

import gc
import os
import sys

from arena.sdk.bot_class import UNAVAILABLE, Bot, ready_line

TYPE_CHECKING = False  # see `arena.sdk.bot_class`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

    from arena.base.protocol import Detail, End, Start

# The threshold of generation 0 for garbage collection, unless the bot sets its own.
YOUNG_OBJECTS = 10_000
_USUAL_OBJECTS = gc.get_threshold()[0]
NO_INPUT = (
    "a bot can't call `input()` or read stdin: the referee's messages come there; "
    "decide from `view` and `legal` (a debugger works in `arena debug`)"
)

__all__ = ["Bot", "Detail", "End", "Start", "cannot_play", "play", "run"]


def __getattr__(name: str) -> Any:
    if name not in ("Detail", "End", "Start"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from arena.base import protocol

    return getattr(protocol, name)


def play(
    bot_class: type[Bot],
    lines: Iterable[bytes],
    send: Callable[[bytes], object],
    owns_process: bool = False,
) -> None:
    """Play games until the referee sends `bye` or closes the connection.

    Set `owns_process` only if no other code runs in the bot's process.
    """
    lines = iter(lines)
    hello = b""
    for line in lines:
        match line.removeprefix(b'{"type":"').partition(b'"')[0]:
            case b"hello":
                hello = line
                send(ready_line(bot_class))
            case b"bye":
                return
            case _:  # a game begins, or the line is formatted differently
                from itertools import chain

                play_games = _play_games()
                return play_games(bot_class, chain([line], lines), send, owns_process, hello)


def _play_games() -> Callable[
    [type[Bot], Iterable[bytes], Callable[[bytes], object], bool, bytes], None
]:
    import arena.base.quick_msgspec  # noqa: F401  # before what imports msgspec
    from arena.sdk.games import play_games

    return play_games


def run(bot_class: type) -> None:
    """Run a bot that communicates with the referee over stdin and stdout.

    Anything the bot prints goes to stderr. Any class with an `act` method works, even one that
    doesn't inherit from `Bot`.
    """
    bot_class = as_bot(bot_class)
    young, *older = gc.get_threshold()
    if young == _USUAL_OBJECTS and 0 < young < YOUNG_OBJECTS:  # 0 stands for never
        gc.set_threshold(YOUNG_OBJECTS, *older)
    with os.fdopen(os.dup(1), "wb", buffering=0) as to_referee:
        os.dup2(2, 1)  # a `print` in a bot must not disturb the protocol
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        from_referee = sys.stdin
        sys.stdin = _NoInput()
        try:
            play(bot_class, from_referee.buffer, to_referee.write, owns_process=True)
        except Exception as error:
            print(own_traceback(error), file=sys.stderr, flush=True)
            sys.exit(1)  # only now does the referee see the end of the output
        finally:
            if alarm := sys.modules.get("arena.sdk.alarm"):  # otherwise the bot has set no limit
                alarm.stop_alarm()
            sys.stdin = from_referee


def as_bot(bot_class: type) -> type[Bot]:
    """Return `bot_class` if it is a subclass of `Bot`. Otherwise, return a new class that inherits
    from both `bot_class` and `Bot`.
    """
    if not isinstance(bot_class, type):
        name = type(bot_class).__name__
        raise TypeError(f"`run` takes the class, not a bot of it: write `run({name})`")
    if issubclass(bot_class, Bot):
        return bot_class
    return type(bot_class.__name__, (bot_class, Bot), {})


def cannot_play(reason: str) -> NoReturn:
    """Exit because the bot needs something that is unavailable, such as a valid API key.

    If the bot runs without a sandbox, the run stops and `reason` is shown to the user. Finished
    games are kept. In a sandbox, the exit counts as a crash.
    """
    print(" ".join(reason.split()), file=sys.stderr, flush=True)
    sys.exit(UNAVAILABLE)


class _NoInput:
    closed = False
    encoding = "utf-8"

    def __init__(self) -> None:
        self.buffer = self

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise OSError(NO_INPUT)

    def read(self, *size: int) -> str:
        raise RuntimeError(NO_INPUT)

    readline = readlines = __iter__ = __next__ = read


def own_traceback(error: BaseException) -> str:
    """Return the traceback of an error and its causes, without the arena's own stack frames."""
    import traceback  # imported late, so that bots start faster

    whole = traceback.TracebackException.from_exception(error)
    shown = [whole]
    for part in shown:
        part.stack[:] = [frame for frame in part.stack if not _is_ours(frame.filename)]
        if not part.stack:
            part.stack = None  # type: ignore[assignment]  # so it has no heading
        shown += [cause for cause in (part.__cause__, part.__context__) if cause]
    return "".join(whole.format())


def _is_ours(file: str) -> bool:
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = os.path.relpath(file, root) if os.path.isabs(file) else file
    return own == "<frozen runpy>" or own.startswith(("arena/", "engine/"))


def run_file(path: str) -> None:
    """Run a bot file as a program.

    If the file doesn't call `run`, run the bot class that the file defines.

    Raises:
        SystemExit: The file does not define exactly one bot class.
    """
    _play_games()  # first, so that the bot's folder can't replace the modules that this imports
    folder, name = os.path.split(path)
    sys.argv = [path]
    sys.path.insert(0, folder or ".")
    # Not by `runpy.run_path`, which imports `typing`: a bot starts faster without it.
    sys.modules["__main__"] = program = type(sys)("__main__")
    program.__file__ = path
    try:
        with open(path, "rb") as file:
            exec(compile(file.read(), path, "exec"), vars(program))  # noqa: S102  # in its own process
    except Exception as error:
        sys.exit(own_traceback(error))
    if sys.stdin.closed or not sys.stdin.buffer.peek(1):  # type: ignore[union-attr]
        return  # the input has ended, so the file has played its games
    run(bot_class_in(vars(program), name))


def bot_class_in(program: dict[str, Any], file: str) -> type:
    """Return the bot class defined in a bot file.

    Raises:
        SystemExit: The file does not define exactly one bot class.
    """
    own = {
        thing
        for thing in program.values()
        if isinstance(thing, type)
        and thing.__module__ == "__main__"
        and callable(getattr(thing, "act", None))
    }
    classes = [bot for bot in own if not any(bot in other.__bases__ for other in own)]
    if len(classes) != 1:
        names = ", ".join(sorted([bot.__name__ for bot in classes])) or "none"
        sys.exit(
            f"{file}: expected one class with a method `act(self, view, legal)`, found "
            f"{names}; or call `run(MyBot)` at the end"
        )
    return classes[0]


if __name__ == "__main__":
    from arena import bot as this  # the same module that the bot file imports

    if len(sys.argv) != 2:
        sys.exit("usage: python -m arena.bot BOT.py")
    this.run_file(sys.argv[1])
