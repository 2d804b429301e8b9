"""Give each bot its own Linux user id.

Linux limits the number of processes, pending signals and pipes per user. If all bots ran as the
same user, a single bot could use up the limits for all of them.

If the arena runs as root, each bot gets a user id that isn't in use. Without root, bots get
subordinate user ids from `/etc/subuid`, which requires the `newuidmap` program.
"""

import contextlib
import functools
import os
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

try:
    import fcntl
    import pwd
except ImportError:  # not a Unix: no bots run there
    fcntl = pwd = None  # type: ignore[assignment]

# In the user namespace of a bot, user 0 sets up the sandbox and user 1 runs the bot.
BOT = 1
# The highest ids are tried first, because containers use the lowest ids.
MAX_IDS = 4096
# All ids that systemd assigns to users and containers are lower.
LAST_OF_ROOT = 1_900_065_535
# Shells use file descriptors with a single digit for other files.
FIRST_DESCRIPTOR = 10
# The user namespace exists until the stdin of this command is closed.
HOLDS = ("unshare", "--user", "--", "/bin/sh", "-c", "echo && read -r _")
SUBUID, SUBGID, PROC = Path("/etc/subuid"), Path("/etc/subgid"), Path("/proc")
OWN = "each bot has a kernel user id of its own"
SHARED = "bots share one kernel user id"


class KernelUser:
    def __init__(
        self, number: int, namespace: int, lock: socket.socket, pool: "list[KernelUser]"
    ) -> None:
        self.number = number
        self.namespace = namespace
        self._lock = lock
        self._pool = pool

    def give_back(self) -> None:
        """Make the user id available to other bots. All processes of the bot must have ended."""
        self._pool.append(self)


class KernelUsers:
    def __init__(self, candidates: Iterable[tuple[int, int]]) -> None:
        self._candidates = iter(candidates)
        self._free: list[KernelUser] = []

    def take(self) -> KernelUser:
        """Return a user id that no other bot on this machine uses.

        Raise `OSError` if no user id is left or the system doesn't allow user namespaces.
        """
        if self._free:
            return self._free.pop()
        for number, group in self._candidates:
            if lock := lock_of(number):
                try:
                    return KernelUser(number, _namespace_of(number, group), lock, self._free)
                except OSError:
                    lock.close()
                    raise
        raise OSError("no kernel user id is left: other runs have them all")


def lock_of(number: int) -> socket.socket | None:
    """Reserve a user id for this process, or return None if another process uses that user id."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        lock.bind(f"\0arena-user-{number}")
    except OSError:
        lock.close()
        return None
    return lock


def _namespace_of(number: int, group: int) -> int:
    with subprocess.Popen(HOLDS, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        if not (holder.stdout and holder.stdout.read(1)):
            raise OSError("the system denies user namespaces")
        for kind, ours, other in (("uid", os.getuid(), number), ("gid", os.getgid(), group)):
            if os.getuid() == 0:
                (PROC / f"{holder.pid}" / f"{kind}_map").write_text(
                    f"0 {ours} 1\n{BOT} {other} 1\n"
                )
            else:
                words = (f"new{kind}map", holder.pid, 0, ours, 1, BOT, other, 1)
                mapped = subprocess.run([*map(str, words)], capture_output=True, check=False)
                if mapped.returncode:
                    raise OSError(" ".join(mapped.stderr.decode(errors="replace").split()))
        opened = os.open(PROC / f"{holder.pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR)
        finally:
            os.close(opened)


def our_users() -> KernelUsers | str:
    """Return the user ids that bots can run under, or an error message if there are none."""
    return _users_of(os.getpid())


@functools.cache
def _users_of(pid: int) -> KernelUsers | str:
    if os.geteuid() == 0:
        users = KernelUsers(unused_ids())
    else:
        if missing := [name for name in ("newuidmap", "newgidmap") if not shutil.which(name)]:
            return f"`{missing[0]}` is not installed (apt install uidmap)"
        name = pwd.getpwuid(os.getuid()).pw_name
        ids = [*zip(subordinate_ids(SUBUID, name), subordinate_ids(SUBGID, name), strict=False)]
        if not ids:
            start = max((100_000, *(end for _, end in _ranges(SUBUID) + _ranges(SUBGID))))
            return f"add the line `{name}:{start}:65536` to {SUBUID} and to {SUBGID}"
        users = KernelUsers(ids)
    try:
        user = users.take()
    except OSError as error:
        return str(error)
    user.give_back()
    tried = subprocess.run(
        ("bwrap", "--userns", str(user.namespace), "--dev-bind", "/", "/", "true"),
        pass_fds=(user.namespace,),
        capture_output=True,
        check=False,
    )
    return tried.stderr.decode(errors="replace").strip() if tried.returncode else users


def unused_ids() -> Iterator[tuple[int, int]]:
    """Yield unused user ids with their group ids, highest first."""
    last = LAST_OF_ROOT
    for kind in ("uid", "gid"):  # a container may have fewer
        lines = (PROC / f"self/{kind}_map").read_text("ascii").splitlines()
        last = min(last, max(int(line.split()[0]) + int(line.split()[2]) - 1 for line in lines))
    taken = _ranges(SUBUID) + _ranges(SUBGID)
    for number in range(last, max(BOT, last - MAX_IDS), -1):
        if not any(start <= number < end for start, end in taken):
            with contextlib.suppress(KeyError):
                pwd.getpwuid(number)
                continue
            yield number, number


def subordinate_ids(file: Path, name: str) -> list[int]:
    """Read a user's subordinate ids from `/etc/subuid` or `/etc/subgid`, in descending order."""
    names = (name, str(os.getuid()))
    found: list[int] = []
    for start, end in _ranges(file, names):
        found += range(end - 1, max(start, end - 1 - MAX_IDS), -1)
    return found


def _ranges(file: Path, names: Iterable[str] = ()) -> list[tuple[int, int]]:
    found = []
    with contextlib.suppress(OSError):
        for line in file.read_text("utf-8", "replace").splitlines():
            with contextlib.suppress(ValueError):
                name, start, count = line.split(":")
                if not names or name in names:
                    found.append((int(start), int(start) + int(count)))
    return found
