"""Load a Python bot into this process, so that a debugger can stop in the bot's code."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import arena.bot
from arena.base.record import Entrant
from arena.bot import Bot, as_bot, bot_class_in
from arena.contest.entrants import is_registered
from arena.tournament.in_process import class_of

READS_STDIN = re.compile(r"\bstdin\b|\binput\(")


@contextmanager
def load_bot(entrant: Entrant) -> Iterator[type[Bot] | None]:
    """Execute a bot's Python file in this process, and yield the bot class.

    Yield None instead of a class if the bot isn't written in Python or reads stdin itself,
    because such bots need their own process. Raise `SystemExit` unless the file contains exactly
    one bot class. Exceptions in the bot's file propagate to the caller.
    """
    is_python = entrant.command[0] == sys.executable
    names = [word for word in entrant.command[1:] if word.endswith(".py")]
    path = Path(entrant.folder, *names[:1])
    code = path.read_text("utf-8") if names and is_python else ""
    if is_registered(entrant) or not code or ("arena.bot" not in code and READS_STDIN.search(code)):
        yield class_of(entrant.name) if is_python and is_registered(entrant) else None
        return
    arguments = entrant.command[entrant.command.index(names[0]) + 1 :]
    program = ModuleType("__main__")
    program.__file__ = str(path)
    given: list[type] = []
    argv, search, main, run = sys.argv, sys.path, sys.modules["__main__"], arena.bot.run
    sys.argv, sys.path = [str(path), *arguments], [str(path.parent), *search]
    sys.modules["__main__"] = program
    vars(arena.bot)["run"] = given.append  # the file's own call of `run` must not start playing
    try:
        exec(compile(code, path, "exec"), vars(program))  # noqa: S102  # trusted by the user
        yield as_bot(given[0] if given else bot_class_in(vars(program), path.name))
    finally:
        sys.argv, sys.path, sys.modules["__main__"] = argv, search, main
        vars(arena.bot)["run"] = run
