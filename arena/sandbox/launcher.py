"""The small programs before a bot's command, each starting the next."""

import errno
import os
import shutil
from pathlib import Path

from arena.contracts import Bounds
from arena.errors import SandboxError
from arena.record import Entrant

try:
    import resource
except ImportError:  # not a Unix: there are no such limits
    resource = None  # type: ignore[assignment]

MIB = 1024 * 1024
SHELL = "/bin/sh"
ANNOUNCED = (SHELL, "-c", 'echo && exec "$@"', "sh")
"""Says on stdout that all steps before it are done, then becomes the bot.

It cannot say so to a referee that has been killed meanwhile: then there is no bot. So what ends a
bot with its referee has to be in force before.
"""


def tool(name: str) -> str:
    """Return the path of a program of this system.

    Raises:
        SandboxError: it is not installed.
    """
    path = shutil.which(name)
    if path is None:
        raise SandboxError(f"there is no program `{name}` on this machine any more")
    return path


def program(entrant: Entrant) -> str:
    """Return the path of the program that a bot's command starts.

    Raises:
        FileNotFoundError: there is none.
    """
    name = entrant.command[0]
    path = shutil.which(os.path.join(entrant.folder, name) if os.sep in name else name)
    if path is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return os.path.abspath(path)  # without `..`, which may lead through what is not there inside


def prlimit(bounds: Bounds, tasks: int) -> list[str]:
    """Return the step that limits one process; it and its children cannot raise that again.

    The memory that is limited here is what a process may write to (`RLIMIT_DATA`), not the whole
    of its addresses: node and java reserve gigabytes of those just to start.

    Args:
        bounds: those of the bot.
        tasks: processes and threads that its user may have.
    """
    limits = {
        "data": 2 * bounds.memory_mib * MIB,
        "fsize": bounds.file_mib * MIB,
        "nproc": tasks,
        "core": 0,
    }
    return [
        tool("prlimit"),
        *[f"--{name}={_at_most_ours(name, value)}" for name, value in limits.items()],
        "--",
    ]


def _at_most_ours(name: str, value: int) -> int:
    """Return a limit that may be set: nobody can have more than they allow their own processes."""
    _, most = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))
    return value if most == resource.RLIM_INFINITY else min(value, most)


def tasks_of_this_machine() -> int:
    """Return how many processes and threads there are, of all users."""
    return int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])
