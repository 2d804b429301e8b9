"""The level `isolated`: a bot alone in a world of its own, made by bubblewrap.

It sees the system's programs, Python with the SDK, and its own code, all of it read-only; a small
/tmp that is empty at its start; no network, no process but its own, and nothing else.
"""

import os
import platform
import re
import shutil
import site
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import arena
import engine
from arena.contracts import Attack, Enclosed, SandboxSettings
from arena.errors import SandboxError
from arena.record import Entrant
from arena.sandbox.launcher import ANNOUNCED, MIB, prlimit, program, tasks_of_this_machine, tool

SYSTEM = (
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr",
    "/nix/store",
    "/gnu/store",
)
"""Programs and libraries of the system."""
MASKED = "/usr/src"
"""Where no program is but sometimes somebody's own work."""
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/java*")
"""The few files under /etc that programs need to start."""
OF_A_PROGRAM = ("bin", "lib", "lib64", "libexec", "conf", "include")
"""What a program elsewhere needs of the folder that it was installed into."""
MOST_LINKS = 40
"""As many links one after another as the system follows."""
ANNOUNCED_WITHIN = (
    *ANNOUNCED[:2],
    'until read -r _ _ state _ < /proc/1/stat && [ "$state" = S ]; do :; done; ' + ANNOUNCED[2],
    *ANNOUNCED[3:],
)
"""The same inside bubblewrap, whose first process starts us before it asks to die with its parent:
only when it sleeps, waiting for us, has it done so."""
TMP_MIB = 32
SHM_MIB = 1
OWN_TASKS = 2
"""Processes of bubblewrap itself."""
COUNTS_BY_NAMESPACE = (5, 14)
"""The first Linux that counts the processes of each sandbox by itself."""
OLDEST = (0, 8)
"""The first bubblewrap that can keep a bot from making namespaces."""


class IsolatedSandbox:
    """One bubblewrap for each process of a bot, and `prlimit` in it. Linux, no root needed."""

    name = "isolated"
    promise = "bots see neither one another, nor your files, nor the network"
    denies: frozenset[Attack] = frozenset(get_args(Attack))
    """All that the probe tries."""

    def lacks(self) -> str | None:
        """Say which tool is missing."""
        if not sys.platform.startswith("linux"):
            return "it needs Linux"
        if not shutil.which("bwrap"):
            return "bubblewrap is not installed (apt install bubblewrap)"
        if not shutil.which("prlimit"):
            return "`prlimit` is not installed (apt install util-linux)"
        return None

    def enclose(self, entrant: Entrant, sandbox: SandboxSettings) -> Enclosed:
        """Return the command in its sandbox; everything in there dies when who started it does."""
        started = program(entrant)
        needed = [*_of_python(), *_of_program(started)]
        readable = {path for path in needed if os.path.exists(path)} | {*_of_bot(entrant)}
        readable |= {str(Path(path).resolve()) for path in sandbox.readable}
        environment = {
            "PATH": f"{os.path.dirname(started)}:/usr/local/bin:/usr/bin:/bin",
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "HOME": "/tmp",
            "PYTHONHASHSEED": "0",
        }
        if site.ENABLE_USER_SITE:  # with another home, Python would not find it
            environment["PYTHONUSERBASE"] = site.getuserbase()
        bwrap = [tool("bwrap"), "--unshare-all", "--unshare-user", "--disable-userns"]
        bwrap += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "arena"]
        bwrap += _system()
        bwrap += ["--proc", "/proc", "--dev", "/dev"]
        # What has no size may fill the memory of the machine.
        bwrap += ["--size", str(SHM_MIB * MIB), "--tmpfs", "/dev/shm"]
        bwrap += ["--size", str(TMP_MIB * MIB), "--tmpfs", "/tmp"]
        masked = [MASKED] if Path(MASKED).is_dir() else []
        for path in masked:
            bwrap += ["--size", str(MIB), "--tmpfs", path]
        for path in _outermost(readable):
            bwrap += ["--ro-bind", path, path]
        bwrap += ["--dir", entrant.folder, "--chdir", entrant.folder]
        # Root is root in there, and may write what has the right mode, as /proc/sys has. The file
        # systems of / and /dev are without a size.
        for path in ("/proc", "/dev", *masked, "/"):
            bwrap += ["--remount-ro", path]
        # The environment of bubblewrap is not hidden from the bot, so it gets the bot's own.
        steps = (*prlimit(sandbox.bounds, _tasks(sandbox)), *ANNOUNCED_WITHIN)
        return Enclosed(
            (*bwrap, "--", *steps, started, *entrant.command[1:]),
            "/",
            environment,
            contains=True,
            own_tasks=OWN_TASKS,
        )

    def remedy(self, said: str) -> str:
        """Say what keeps bubblewrap from its work."""
        if "Unknown option" in said:
            return f"bubblewrap {OLDEST[0]}.{OLDEST[1]} or newer is needed"
        if "Can't find source path" in said or "Can't chdir" in said:
            return "everything on its way must be readable by whoever starts the arena"
        if _setting("user/max_user_namespaces") == 0:
            return "user namespaces are switched off (sysctl user.max_user_namespaces=10000)"
        if _setting("kernel/unprivileged_userns_clone") == 0:
            return "user namespaces are for root only (sysctl kernel.unprivileged_userns_clone=1)"
        if _setting("kernel/apparmor_restrict_unprivileged_userns") == 1:
            return (
                "AppArmor keeps bubblewrap from making user namespaces (allow it with an AppArmor "
                "profile, or sysctl kernel.apparmor_restrict_unprivileged_userns=0)"
            )
        if re.search(r"namespace|uid map|Operation not permitted|Permission denied", said):
            return (
                "this system lets nobody make user namespaces; start a container with "
                "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"
            )
        return ""


def _setting(name: str) -> int | None:
    """Return a setting of the system; None where there is none of this name."""
    try:
        return int(Path("/proc/sys", name).read_text("ascii"))
    except (OSError, ValueError):
        return None


def _tasks(sandbox: SandboxSettings) -> int:
    """Return how many processes and threads the system should allow the bot's user."""
    version = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
    if version >= COUNTS_BY_NAMESPACE:
        return sandbox.bounds.processes + OWN_TASKS
    return tasks_of_this_machine() + sandbox.bounds.processes + OWN_TASKS


def _system() -> Iterator[str]:
    """Yield what shows the system's own files."""
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for setting in _settings():
        yield from ("--ro-bind", setting, setting)


def _settings() -> list[str]:
    """Return the files and folders of SETTINGS that there are."""
    return [str(path) for one in SETTINGS for path in Path("/").glob(one.lstrip("/"))]


def _of_python() -> Iterator[str]:
    """Yield where this Python, its packages and ours are, which Python bots need."""
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    for package in (arena, engine):
        yield from package.__path__
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()


def _of_program(path: str) -> Iterator[str]:
    """Yield what a program needs that is not where the system has its own: it, and its libraries.

    Where a version manager puts them, there is a `bin` with a `lib` beside it.
    """
    place = Path(path)
    for _ in range(MOST_LINKS):
        yield str(place)
        if place.parent.name == "bin":
            prefix = place.parent.parent
            yield from [str(prefix / name) for name in OF_A_PROGRAM if (prefix / name).is_dir()]
        if not place.is_symlink():
            break
        place = Path(os.path.normpath(place.parent / os.readlink(place)))


def _of_bot(entrant: Entrant) -> Iterator[str]:
    """Yield where the bot's own code is."""
    if not entrant.files:
        yield entrant.folder
    for file in entrant.files:
        yield os.path.join(entrant.folder, file)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Return the paths that are in none of the others, and not among the system's.

    Raises:
        SandboxError: one of them holds everything.
    """
    found: list[str] = []
    system = (*SYSTEM, *_settings())
    for path in sorted({os.path.normpath(path) for path in paths}):
        if path in ("/", "/proc", "/dev", "/tmp", "/dev/shm"):
            raise SandboxError(
                f"at the level isolated a bot cannot have {path} for its own: put it into a folder"
            )
        if not (_is_in(path, found) or (_is_in(path, system) and not _is_in(path, [MASKED]))):
            found.append(path)
    return found


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in folders)
