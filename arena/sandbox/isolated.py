"""Run each bot in a bubblewrap sandbox.

A bot can read system programs, the Python installation with the SDK, and its own code. The bot
can write to its own /tmp folder, which is small and starts empty. The bot has no network access
and can't see other processes. A seccomp filter blocks system calls that could affect other
programs or consume unlimited resources.

Each sandbox consists of two nested bubblewrap processes, because bubblewrap itself can't limit
the number of files in /tmp or the size of socket buffers. The outer process sets these limits.
The inner process runs the bot. The bot can't change the limits.

If possible, each bot gets its own Linux user id. The sandbox switches to this user id just
before it starts the bot.
"""

import os
import platform
import re
import shutil
import site
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import get_args

import arena
import engine
from arena.base.contracts import Attack, SandboxedCommand, SandboxSettings
from arena.base.errors import SandboxError
from arena.base.record import Entrant
from arena.plugins import bots
from arena.sandbox.launcher import (
    ANNOUNCED,
    MIB,
    SHELL,
    limits_of,
    prlimit,
    program,
    tasks_of_this_machine,
    tool,
)
from arena.sandbox.users import BOT, KernelUser, KernelUsers, our_users

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
# This folder may contain private files, and no program needs it.
MASKED = "/usr/src"
# The real path of the bot's folder would reveal the run's name.
INSIDE = "/bot"
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/java*")
PROGRAM_FOLDERS = ("bin", "lib", "lib64", "libexec", "conf", "include")
MAX_LINKS = 40
# Process 1 in the sandbox is only killed together with its parent once process 1 is asleep.
ANNOUNCED_INSIDE = (
    *ANNOUNCED[:2],
    'until read -r _ _ state _ < /proc/1/stat && [ "$state" = S ]; do :; done; ' + ANNOUNCED[2],
    *ANNOUNCED[3:],
)
TOOLS = (("prlimit", "util-linux"), ("setpriv", "util-linux"), ("mount", "mount"))
TMP_MIB, TMP_FILES = 32, 2048
# The first mount point of the bot's /tmp. /sys exists on every Linux, and no bot can see it.
TMP_FROM = "/sys"
FILTER = Path(__file__).with_name("isolated.bpf")
MACHINES = ("x86_64", "aarch64")
# Portable shells only allow file descriptors with a single digit.
FILTER_FD = 9
TCP_BYTES = "4096 16384 65536"
"""The minimum, initial and maximum size of a TCP buffer in bytes."""
# Runs in the outer bubblewrap. $0 is the seccomp filter, $1 is the `mount` program, and the other
# arguments are the command of the inner bubblewrap.
PREPARES = (
    f'"$1" -t tmpfs -o size={TMP_MIB}m,nr_inodes={TMP_FILES},mode=1777 arena {TMP_FROM} && '
    f"echo {TCP_BYTES} > /proc/sys/net/ipv4/tcp_rmem && "
    f"echo {TCP_BYTES} > /proc/sys/net/ipv4/tcp_wmem && "
    f'shift && exec "$@" {FILTER_FD}< "$0"'
)
# These capabilities are needed to mount folders, set buffer sizes, map user 0 and disable
# namespaces.
RIGHTS = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SETFCAP", "CAP_SYS_RESOURCE")
FORBIDS_NAMESPACES = "echo 0 > /proc/sys/user/max_user_namespaces && "
CHANGES_USER = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_READ_SEARCH")
# The bot must be able to read the files of the user who started the run.
READS = "-all,+dac_read_search"
HIDDEN_FILES = ("/proc/keys", "/proc/key-users")
HIDDEN_FOLDERS = ("/proc/sys", "/dev/pts")
OWN_TASKS = 3
# Older versions of bubblewrap can't prevent a bot from creating namespaces.
MIN_BUBBLEWRAP = (0, 8)


def setting_of_this_machine(name: str) -> int | None:
    try:
        return int(Path("/proc/sys", name).read_text("ascii"))
    except (OSError, ValueError):
        return None


class IsolatedSandbox:
    """Runs each bot in bubblewrap, which requires Linux but no root privileges."""

    name = "isolated"
    promise = "bots can't see each other, your files or the network"
    denies: frozenset[Attack] = frozenset(get_args(Attack))

    def missing(self) -> str | None:
        if not sys.platform.startswith("linux"):
            return "it needs Linux"
        if not shutil.which("bwrap"):
            return "bubblewrap is not installed (apt install bubblewrap)"
        for name, package in TOOLS:
            if not shutil.which(name):
                return f"`{name}` is not installed (apt install {package})"
        machine = platform.machine()
        if machine not in MACHINES:
            return f"its filter of system calls knows {' and '.join(MACHINES)}, not {machine!r}"
        return None

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return the sandboxed command of a bot. The bot is killed when the calling process
        exits.
        """
        folder = entrant.folder
        inside = folder if any(bot.folder == folder for bot in bots().values()) else INSIDE
        own = [*_bot_paths(entrant)]
        started, *words = [
            _moved(word, folder, inside) for word in (program(entrant), *entrant.command[1:])
        ]
        needed = [*_python_paths(), *_program_paths(program(entrant), folder)]
        readable = {path for path in needed if os.path.exists(path) and not _is_in(path, own)}
        readable |= {str(Path(path).resolve()) for path in sandbox.readable}
        readable |= {*own} if inside == folder else set()
        shown = {path: path for path in _outermost(readable)}
        shown |= {_checked(path): _moved(path, folder, inside) for path in own}
        environment = {
            "PATH": f"{os.path.dirname(started)}:/usr/local/bin:/usr/bin:/bin",
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "HOME": "/tmp",
            "PYTHONHASHSEED": "0",
        }
        if site.ENABLE_USER_SITE:  # with another HOME, Python would not find it
            environment["PYTHONUSERBASE"] = site.getuserbase()
        user = users.take() if isinstance(users := our_users(), KernelUsers) else None
        # The system may limit the number of processes per user.
        others = 0 if user else tasks_of_this_machine()
        # The bot can read the environment of bubblewrap, so that gets the bot's own.
        before = (
            *prlimit(limits_of(sandbox.bounds)),
            *_prepare(user),
            *_enclose(shown, inside, user),
            *prlimit({"nproc": sandbox.bounds.processes + others}),
            *ANNOUNCED_INSIDE,
        )
        return SandboxedCommand(
            (*before, started, *words),
            "/",
            environment,
            contains=True,
            files=(user.namespace,) if user else (),
            on_end=user.give_back if user else None,
            own_tasks=OWN_TASKS,
        )

    def remedy(self, said: str) -> str:
        if "Unknown option" in said:
            return f"bubblewrap {MIN_BUBBLEWRAP[0]}.{MIN_BUBBLEWRAP[1]} or newer is needed"
        if "Can't find source path" in said or "Can't chdir" in said:
            return "make all folders on that path readable for the user who starts the arena"
        setting = setting_of_this_machine
        if setting("user/max_user_namespaces") == 0:
            return "user namespaces are switched off (sysctl user.max_user_namespaces=10000)"
        if setting("kernel/unprivileged_userns_clone") == 0:
            return "user namespaces are for root only (sysctl kernel.unprivileged_userns_clone=1)"
        if setting("kernel/apparmor_restrict_unprivileged_userns") == 1:
            return (
                "AppArmor denies bubblewrap user namespaces (allow them with an AppArmor profile, "
                "or sysctl kernel.apparmor_restrict_unprivileged_userns=0)"
            )
        if re.search(r"namespace|uid map|Operation not permitted|Permission denied", said):
            return (
                "this system denies user namespaces; start a container with "
                "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"
            )
        return ""


def _prepare(user: KernelUser | None) -> Iterator[str]:
    # Without `--die-with-parent`, with which a process could wait forever during its setup.
    yield from (tool("setpriv"), "--pdeathsig", "KILL", "--", tool("bwrap"), "--unshare-net")
    if user:
        yield from ("--userns", str(user.namespace))
    else:
        yield from ("--unshare-user", "--uid", "0", "--gid", "0")
    yield from ("--cap-drop", "ALL")
    for right in (*RIGHTS, *(CHANGES_USER if user else ())):
        yield from ("--cap-add", right)
    yield from ("--dev-bind", "/", "/", "--", SHELL, "-c")
    yield from (f"{FORBIDS_NAMESPACES if user else ''}{PREPARES}", str(FILTER), tool("mount"))


def _enclose(shown: Mapping[str, str], folder: str, user: KernelUser | None) -> Iterator[str]:
    yield from (tool("bwrap"), "--unshare-ipc", "--unshare-pid", "--unshare-uts")
    yield from ("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
    if user:
        yield from ("--block-fd", str(user.namespace))  # fails to read it at once, and closes it
        for right in CHANGES_USER:
            yield from ("--cap-add", right)
    else:
        yield from ("--unshare-user", "--disable-userns")
        yield from ("--uid", str(os.getuid()), "--gid", str(os.getgid()))
    yield from ("--hostname", "arena")
    yield from _system()
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--bind", TMP_FROM, "/tmp", "--bind", TMP_FROM, "/dev/shm")
    for path in filter(os.path.exists, HIDDEN_FILES):
        yield from ("--ro-bind", "/dev/null", path)
    masked = [path for path in (MASKED, *HIDDEN_FOLDERS) if os.path.isdir(path)]
    for path in masked:  # a file system without a size may fill the memory of the machine
        yield from ("--size", str(MIB), "--tmpfs", path)
    for path, place in shown.items():
        yield from ("--ro-bind", path, place)
    yield from ("--dir", folder, "--chdir", folder)
    # Root is root inside and may write files by their mode. The file systems of / and /dev have no
    # size.
    for path in (*masked, "/proc", "/dev", "/"):
        yield from ("--remount-ro", path)
    yield from ("--seccomp", str(FILTER_FD), "--")
    if user:
        yield from (tool("setpriv"), f"--reuid={BOT}", f"--regid={BOT}", "--clear-groups")
        for kind in ("inh-caps", "ambient-caps", "bounding-set"):
            yield f"--{kind}={READS}"
        yield "--"


def _system() -> Iterator[str]:
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for setting in _settings():
        yield from ("--ro-bind", setting, setting)


def _settings() -> list[str]:
    return [str(path) for pattern in SETTINGS for path in Path("/").glob(pattern.lstrip("/"))]


def _python_paths() -> Iterator[str]:
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    for package in (arena, engine):
        yield from package.__path__
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()


def _program_paths(path: str, own_folder: str) -> Iterator[str]:
    # A version manager installs a program in a folder `bin` and its libraries in a folder next to
    # it. For programs in the bot's own folder, its author could make other files visible that way.
    place = Path(path)
    for _ in range(MAX_LINKS):
        yield str(place)
        if place.parent.name == "bin" and not _is_in(str(place), [own_folder]):
            prefix = place.parent.parent
            yield from [str(prefix / name) for name in PROGRAM_FOLDERS if (prefix / name).is_dir()]
        if not place.is_symlink():
            break
        place = Path(os.path.normpath(place.parent / os.readlink(place)))


def _bot_paths(entrant: Entrant) -> Iterator[str]:
    if not entrant.files:
        yield entrant.folder
    for file in entrant.files:
        yield os.path.join(entrant.folder, file)


def _outermost(paths: Iterable[str]) -> list[str]:
    found: list[str] = []
    system = (*SYSTEM, *_settings())
    for path in sorted({_checked(path) for path in paths}):
        if not (_is_in(path, found) or (_is_in(path, system) and not _is_in(path, [MASKED]))):
            found.append(path)
    return found


def _checked(path: str) -> str:
    path = os.path.normpath(path)
    if path in ("/", "/proc", "/dev", "/tmp", "/dev/shm", TMP_FROM):
        raise SandboxError(
            f"sandbox 'isolated' cannot show a bot all of {path}: put the bot into a folder"
        )
    return path


def _moved(word: str, folder: str, place: str) -> str:
    return place + word[len(folder) :] if _is_in(word, [folder]) else word


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
