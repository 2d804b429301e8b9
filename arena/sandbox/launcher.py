"""The launch steps of a sandboxed bot: small programs, each of which starts the next."""

import contextlib
import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from arena.base.contracts import Bounds
from arena.base.errors import SandboxError
from arena.base.record import Entrant

try:
    import resource
except ImportError:  # not a Unix: there are no such limits
    resource = None  # type: ignore[assignment]

MIB = 1024 * 1024
OPEN_FILES = 256
"""Descriptors of a process. The system holds memory for each, up to 208 KiB for a socket."""
LOCKED_KIB = 64
PENDING_SIGNALS = 4096
"""Also timers, of which each holds memory."""
SHELL = "/bin/sh"
ANNOUNCED = (SHELL, "-c", 'echo && exec "$@"', "sh")
"""The last step: it writes an empty line to stdout, then becomes the bot.

If the referee was killed before, the write fails and no bot starts. So the step that kills a bot
with its referee must come before this one.
"""


def tool(name: str) -> str:
    """Return the path of a program of this system.

    Raises:
        SandboxError: it is not installed.
    """
    path = shutil.which(name)
    if path is None:
        raise SandboxError(f"the program `{name}` is no longer on this machine: install it again")
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
    return os.path.abspath(
        path
    )  # without `..`, which may lead through folders that the sandbox lacks


def limits_of(bounds: Bounds) -> dict[str, int]:
    """Return the resource limits of each process, by the name of the option of `prlimit`.

    They limit the memory that a process may write to (`RLIMIT_DATA`), not its address space: node
    and java reserve gigabytes of that just to start.
    """
    return {
        "data": 2 * bounds.memory_mib * MIB,
        "fsize": bounds.file_mib * MIB,
        "core": 0,
        "nofile": OPEN_FILES,
        "memlock": LOCKED_KIB * 1024,
        "msgqueue": 0,
        "sigpending": PENDING_SIGNALS,
    }


def prlimit(limits: Mapping[str, int]) -> list[str]:
    """Return the step that sets resource limits. The bot cannot raise them."""
    return [
        tool("prlimit"),
        *[f"--{name}={_capped(name, value)}" for name, value in limits.items()],
        "--",
    ]


def _capped(name: str, value: int) -> int:
    """Return `value`, lowered to the hard limit of this process, which nothing may exceed."""
    _, most = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))
    return value if most == resource.RLIM_INFINITY else min(value, most)


def set_limits(pid: int, limits: Mapping[str, int]) -> None:
    """Set the resource limits of a running process, where the system can do that (Linux)."""
    if hasattr(resource, "prlimit"):
        for name, value in limits.items():
            most = _capped(name, value)
            with contextlib.suppress(OSError):  # it has ended, or belongs to another user
                resource.prlimit(pid, getattr(resource, f"RLIMIT_{name.upper()}"), (most, most))


def tasks_of_this_machine() -> int:
    """Return the number of processes and threads of all users."""
    return int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])
