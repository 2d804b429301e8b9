"""Build the command that starts a bot with resource limits."""

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
# A socket can use up to 208 KiB of kernel memory.
OPEN_FILES = 256
LOCKED_KIB = 64
# The number of pending signals also limits the number of timers.
PENDING_SIGNALS = 4096
SHELL = "/bin/sh"
# Writes an empty line just before the bot starts. If the referee has died, the line can't be
# written and the bot isn't started.
ANNOUNCED = (SHELL, "-c", 'echo && exec "$@"', "sh")


def tool(name: str) -> str:
    """Return the path of a system program. Raise `SandboxError` if it isn't installed."""
    path = shutil.which(name)
    if path is None:
        raise SandboxError(f"the program `{name}` is no longer on this machine: install it again")
    return path


def program(entrant: Entrant) -> str:
    """Return the path of the program that runs a bot.

    Raise `FileNotFoundError` if the program doesn't exist.
    """
    name = entrant.command[0]
    path = shutil.which(os.path.join(entrant.folder, name) if os.sep in name else name)
    if path is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return os.path.abspath(
        path
    )  # without `..`, which may lead through folders that the sandbox lacks


def limits_of(bounds: Bounds) -> dict[str, int]:
    """Return the `prlimit` options that limit each process of a bot."""
    # Only writable memory is limited, because Node.js and Java reserve gigabytes of address space.
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
    return [
        tool("prlimit"),
        *[f"--{name}={_capped(name, value)}" for name, value in limits.items()],
        "--",
    ]


def _capped(name: str, value: int) -> int:
    _, most = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))
    return value if most == resource.RLIM_INFINITY else min(value, most)


def set_limits(pid: int, limits: Mapping[str, int]) -> None:
    if hasattr(resource, "prlimit"):
        for name, value in limits.items():
            most = _capped(name, value)
            with contextlib.suppress(OSError):  # the process has ended, or belongs to another user
                resource.prlimit(pid, getattr(resource, f"RLIMIT_{name.upper()}"), (most, most))


def tasks_of_this_machine() -> int:
    return int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])
