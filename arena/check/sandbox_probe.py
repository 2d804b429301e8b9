"""The probe of a sandbox: attacks that it has to withstand before a run."""

import contextlib
import os
import select
import shutil
import socket
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import get_args

import msgspec

import arena.sandbox
from arena.base.contracts import AUTO, Attack, Bounds, Sandbox, SandboxSettings
from arena.base.errors import SandboxError
from arena.base.record import Entrant
from arena.plugins import get_sandbox
from arena.process.bot_process import BotProcess
from arena.process.host import hide
from arena.sandbox.cgroup import our_home
from arena.sandbox.memory import MAX_SENT_FILES, MAX_WATCHES

STRONGEST_FIRST = ("isolated", "limits", "none")
"""The levels that `auto` tries, in this order."""
ATTACKS_FILE = Path(arena.sandbox.__file__).with_name("attacks.py")
NOTICED = {
    "watch too many files": "watched",
    "split memory into too many mappings": "mappings",
    "hide open files in sockets": "on the way in a socket",
}
"""The attacks that are noticed while they last, and a word of what is said of each."""
PROBED_MAPPINGS = 2_000
"""The mappings that the probe allows; few, so that they are quickly reached."""
LINGER: Attack = "leave a process behind"
PROBE_S, NOTICE_S, END_S = 30.0, 3.0, 5.0
"""Time limits: of all attacks, of noticing what one holds, and of the end of its processes."""
LOOK_S = 0.01
FOLDER_PREFIX = "arena-probe-"
"""The beginning of the names of probe folders."""
ABANDONED_S = 3600.0
"""The age from which a probe folder is left over: no probe takes so long."""
SMALL = Bounds(memory_mib=64, processes=64, file_mib=1)
"""Bounds that are quickly reached."""
BOUNDED = "the system bounds their memory (control group)"
MEASURED = "no control group bounds their memory: the referee measures what it can see"
"""The two ways in which the memory of a bot is bounded."""
OURS = ("PATH=", "LANG=", "LC_", "HOME=", "PWD=", "TERM=", "TZ=", "PYTHONHASHSEED=")
"""Variables that a bot may know."""


class Target(msgspec.Struct, frozen=True):
    """The argument of the program `attacks.py`."""

    attacks: list[Attack]
    memory_mib: int
    file_mib: int
    referee: int
    """Our process id."""
    started: str
    """The time at which we were started, from /proc/PID/stat: another process may get our id."""
    hidden: list[tuple[str, int, int]]
    """Folders that a bot must not see: path, device and inode."""
    port: int
    """The TCP port at which we listen."""
    watches: int
    """The number of files that a bot may watch by epoll."""
    mappings: int
    """Into how many mappings it may split its memory."""
    sent_files: int
    """How many open files it may have on the way in a socket."""
    environment: list[int]
    """Checksums of our environment variables."""


def choose(
    level: str, bounds: Bounds, readable: Iterable[str | Path], notice: Callable[[str], object]
) -> SandboxSettings:
    """Return sandbox settings of this `level`, which holds on this machine.

    Args:
        level: the name of a sandbox, or `auto` for the strongest built-in one that holds.
        bounds: those of each bot.
        readable: files and folders that every bot may read.
        notice: called with a sentence that says what was chosen for `auto`, and why nothing better.

    Raises:
        SandboxError: it is unknown or does not hold; the text says how to fix that.
    """
    sandbox = SandboxSettings(
        level, "", bounds, tuple([str(Path(path).resolve()) for path in readable])
    )
    if level != AUTO:
        return hold(sandbox)
    refused = ""
    for name in STRONGEST_FIRST:
        try:
            held = hold(msgspec.structs.replace(sandbox, level=name))
        except SandboxError as error:
            if name == STRONGEST_FIRST[-1]:
                raise
            refused = refused or f"; {error}"
            continue
        notice(f"sandbox {name}: {held.promise}{refused}")
        return held
    raise AssertionError("the last one was returned or raised")


def hold(sandbox: SandboxSettings, probe_s: float = PROBE_S) -> SandboxSettings:
    """Return the settings, stamped with the attacks that the sandbox has just withstood.

    The attacks may take `probe_s` seconds.

    Raises:
        SandboxError: it does not hold.
    """
    kind = get_sandbox(sandbox.level)
    if lacking := kind.missing():
        raise SandboxError(f"no sandbox {sandbox.level!r} here: {lacking}")
    if kind.denies:
        hide()
        if succeeded := _attack(kind, probe_s):
            raise SandboxError(
                f"the sandbox {sandbox.level!r} does not hold here: a bot could "
                f"{', '.join(succeeded)}"
            )
    withstood = tuple([attack for attack in get_args(Attack) if attack in kind.denies])
    promise = kind.promise
    if "take too much memory" in withstood:
        home = our_home()
        promise += f"; {BOUNDED if home and home.bounds_memory else MEASURED}"
    return msgspec.structs.replace(sandbox, promise=promise, withstood=withstood)


def _attack(kind: Sandbox, probe_s: float) -> list[str]:
    """Return the attacks that succeed and must not."""
    _delete_abandoned()
    with (
        tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX) as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        own = Path(folder, "own")
        own.mkdir()
        target = Target(
            [attack for attack in get_args(Attack) if attack in kind.denies],
            SMALL.memory_mib,
            SMALL.file_mib,
            os.getpid(),
            Path("/proc/self/stat").read_text("utf-8").rpartition(")")[2].split()[19],
            [*_identities((folder, os.path.expanduser("~"), os.getcwd()))],
            server.getsockname()[1],
            MAX_WATCHES,
            PROBED_MAPPINGS,
            MAX_SENT_FILES,
            [
                zlib.crc32(f"{name}={value}".encode())
                for name, value in os.environ.items()
                if not f"{name}=".startswith(OURS)
            ],
        )
        words = (ATTACKS_FILE.read_text("utf-8"), msgspec.json.encode(target).decode())
        command = (sys.executable, "-I", "-S", "-c", *words)
        attacker = Entrant("the probe", command, str(own), "")
        try:
            process = BotProcess(attacker, sandbox=SandboxSettings(kind.name, bounds=SMALL))
        except OSError as error:
            raise SandboxError(f"the sandbox {kind.name!r} cannot be tried: {error}") from None
        with process, os.fdopen(os.dup(process.stdout), "rb") as output:
            succeeded = _listen(process, probe_s)
            process.kill()
            if LINGER in kind.denies and not _ends(output.fileno()):
                succeeded.append(LINGER)
        return succeeded


def _delete_abandoned() -> None:
    """Delete the folders of probes whose process was killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        with contextlib.suppress(OSError):  # another process deletes it, or it is another user's
            if time.time() - folder.lstat().st_mtime > ABANDONED_S:
                shutil.rmtree(folder)


def _identities(folders: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Yield by what each folder is known, whatever lies in its place elsewhere."""
    for folder in folders:
        with contextlib.suppress(OSError):
            found = os.stat(folder)
            yield folder, found.st_dev, found.st_ino


def _listen(process: BotProcess, probe_s: float) -> list[str]:
    """Return what the attacker says of its success.

    Raises:
        SandboxError: it was not started, or did not come to its end.
    """
    said: list[str] = []
    deadline = time.monotonic() + probe_s
    while "done" not in said:
        wait_s = max(0.0, deadline - time.monotonic())
        readable = select.select([process.stdout], [], [], wait_s)[0]
        lines = process.read_lines() if readable else None
        if lines is None:
            ended = process.exit_text() if readable else f"was not done after {probe_s:.0f} s"
            process.kill()
            process.check_sandbox()
            raise SandboxError(
                f"the sandbox {process.sandbox.level!r} does not work here: its probe {ended} "
                f"{process.last_words}"
            )
        for line in [line.decode("ascii", "replace") for line in lines]:
            if line in NOTICED:
                is_noticed = _is_noticed(process, NOTICED[line])
                os.write(process.stdin, b"\n")
                if is_noticed:
                    continue
            said.append(line)
    return said[:-1]


def _is_noticed(process: BotProcess, word: str) -> bool:
    """Return whether it is said in time, with this word, that a process exceeds a bound."""
    deadline = time.monotonic() + NOTICE_S
    while time.monotonic() < deadline:
        if word in (process.excess(PROBED_MAPPINGS) or ""):
            return True
        time.sleep(LOOK_S)
    return False


def _ends(output: int) -> bool:
    """Return whether the other end of a pipe is closed within `END_S`."""
    deadline = time.monotonic() + END_S
    while time.monotonic() < deadline:
        if not select.select([output], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return False
        if not os.read(output, 1024):
            return True
    return False
