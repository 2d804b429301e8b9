"""A trial of a sandbox that could not be set up: it finds out whether its bot prevents it."""

import select
import time
from collections.abc import Callable
from pathlib import Path

from arena.contracts import SandboxSettings
from arena.errors import BotError, SandboxError
from arena.process.bot_process import BotProcess
from arena.process.launch import BOT_ERRORS, names_shortage
from arena.protocol import Limits, shorten
from arena.record import Entrant
from arena.sandbox.cgroup_home import Home
from arena.sandbox.launcher import SHELL

MAX_TRIAL_S = 10.0
"""The time for one sandbox to be set up, which takes about 20 ms."""
HARMLESS = Entrant("a harmless program", (SHELL, "-c", ":"), str(Path(__file__).parent), "")
"""A program for which every working sandbox can be set up."""


Circumstances = tuple[Limits, SandboxSettings, Callable[[], Home | None]]
"""The limits of a bot, the settings of its sandbox, and the place for its control group."""


def own_obstacle(entrant: Entrant, circumstances: Circumstances, error: SandboxError) -> BotError:
    """Return the error of a bot whose command or files prevent its sandbox.

    The sandbox must work for a harmless program, fail again for the bot, and work for that program
    once more. So neither a sandbox that does not work here nor a passing trouble of the machine is
    taken for the bot's. A failure for what the machine lacks is never the bot's.

    Args:
        entrant: the bot.
        circumstances: how it was started.
        error: the error of its sandbox.

    Raises:
        SandboxError: `error`, since the bot does not cause it.
    """
    for tried, should_begin in ((HARMLESS, True), (entrant, False), (HARMLESS, True)):
        if _begins(tried, circumstances) != should_begin:
            raise error
    return BotError(
        f"{shorten(str(error))}; for another program it can, so the command or the files of this "
        "bot are the reason"
    )


def _begins(entrant: Entrant, circumstances: Circumstances) -> bool | None:
    """Return whether a program begins to run in its sandbox; None if this machine lacks something.

    The program is killed at once.
    """
    try:
        process = BotProcess(entrant, *circumstances)
    except SandboxError:
        return False
    except OSError as error:
        return False if error.errno in BOT_ERRORS else None
    limits, _, _ = circumstances
    deadline = time.monotonic() + min(limits.start_ms / 1000, MAX_TRIAL_S)
    output = select.poll()  # `select.select` takes no descriptors from 1024 on
    output.register(process.stdout, select.POLLIN)
    with process:
        while not process.has_begun and (left_s := deadline - time.monotonic()) > 0:
            if output.poll(left_s * 1000) and process.read_lines() is None:
                break
        while process.read_stderr():
            pass
        is_short = not process.has_begun and names_shortage(process.last_words)
        return None if is_short else process.has_begun
