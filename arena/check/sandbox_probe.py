"""Test a sandbox with a set of attacks before bots run in it."""

import contextlib
import os
import select
import socket
import sys
import tempfile
import time
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import indent

import msgspec

import arena.sandbox
from arena.base.contracts import AUTO, Attack, Bounds, Sandbox, SandboxSettings
from arena.base.errors import SandboxError
from arena.base.lock import ScratchFolder
from arena.base.record import Entrant
from arena.plugins import get_sandbox
from arena.process.bot_process import BotProcess
from arena.process.host import hide
from arena.process.local import HARMLESS
from arena.sandbox.cgroup import our_home
from arena.sandbox.launcher import SHELL
from arena.sandbox.users import OWN, SHARED, our_users

FOLDER = Path(arena.sandbox.__file__).parent
ATTACKS_FILE, TABLE = FOLDER / "attacks.py", FOLDER / "attacks.toml"
# The program `attacks.py` prints this before the details of a successful attack.
DID_IT = "did it"
# The first time limit applies before a run, and the second if all attacks are tried.
PROBE_S, ALL_ATTACKS_S = 30.0, 120.0
FOLDER_PREFIX = "arena-probe-"
SMALL = Bounds(memory_mib=64, processes=64, file_mib=1)
BOUNDED = "the kernel limits their memory (control group)"
MEASURED = "their memory is measured ten times a second, without a control group"
INEXACT = (
    "processor time is not exact without a control group, because short-lived child processes are "
    "not counted; start the arena with `systemd-run --user --scope -p Delegate=yes arena ...`"
)
OURS = ("PATH=", "LANG=", "LC_", "HOME=", "PWD=", "TERM=", "TZ=", "PYTHONHASHSEED=")


class AttackRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sandbox attack. The fields are documented in `attacks.toml`."""

    number: int
    title: str
    does: str
    error: tuple[str, ...]
    probe: Attack | None = None
    shows: bool = True


def read_attacks() -> list[AttackRow]:
    return msgspec.convert(tomllib.loads(TABLE.read_text("utf-8"))["attack"], list[AttackRow])


def denied_attacks(level: str) -> list[AttackRow]:
    """Return the attacks that a sandbox must stop."""
    rows = read_attacks()
    if level == "isolated":
        return rows
    return [row for row in rows if row.probe in get_sandbox(level).denies]


class Target(msgspec.Struct, frozen=True):
    """The resources that `attacks.py` tries to access from inside the sandbox."""

    memory_mib: int
    file_mib: int
    # The start time detects a reused process id.
    referee: tuple[int, str]
    """The process id and start time of the referee process."""
    rival: tuple[int, str]
    hidden: list[tuple[str, int, int]]
    """The path, device number and inode of each folder that bots must not see."""
    port: int
    environment: list[int]
    """The CRC-32 checksum of `NAME=value` for each environment variable that bots must not see."""


def choose(
    level: str, bounds: Bounds, readable: Iterable[str | Path], notice: Callable[[str], object]
) -> SandboxSettings:
    """Return the settings of a sandbox that works on this machine.

    Args:
        level: the name of a sandbox, or `auto` for the strongest built-in sandbox that works.
        bounds: the limits of each bot.
        readable: the files and folders that every bot may read.
        notice: called with a message about the sandbox that `auto` selected.

    Raises:
        SandboxError: The sandbox doesn't exist or doesn't work on this machine. The message
            explains how to fix it.
    """
    sandbox = SandboxSettings(
        level, "", bounds, tuple([str(Path(path).resolve()) for path in readable])
    )
    if level != AUTO:
        return hold(sandbox)
    refused = ""
    try:
        held = hold(msgspec.structs.replace(sandbox, level="isolated"))
    except SandboxError as error:
        refused = f"; {error}"
        held = hold(msgspec.structs.replace(sandbox, level="none"))
    notice(f"sandbox {held.level}: {held.promise}{refused}")
    return held


def hold(sandbox: SandboxSettings, probe_s: float = PROBE_S) -> SandboxSettings:
    """Test a sandbox by running attacks inside it.

    Return the sandbox settings, completed with the names of the attacks that were blocked.

    Raises:
        SandboxError: An attack succeeded or took too long, or the sandbox isn't available.
    """
    kind = get_sandbox(sandbox.level)
    if lacking := kind.missing():
        raise SandboxError(f"the sandbox {sandbox.level!r} does not work here: {lacking}")
    rows = [row for row in read_attacks() if row.probe in kind.denies]
    if rows:
        outcomes = zip(rows, try_attacks(kind, rows, probe_s), strict=True)
        if succeeded := [
            f"{row.probe}{outcome.removeprefix(DID_IT)}"
            for row, outcome in outcomes
            if outcome.startswith(DID_IT)
        ]:
            raise SandboxError(
                f"the sandbox {sandbox.level!r} is not safe here: a bot could "
                f"{', '.join(succeeded)}"
            )
    promise = kind.promise
    if "take too much memory" in kind.denies:
        home = our_home()
        promise += f"; {BOUNDED if home and home.bounds_memory else MEASURED}"
    if kind.name == "isolated":
        promise += f"; {SHARED if isinstance(our_users(), str) else OWN}"
    if not has_exact_clock():
        promise += f"; {INEXACT}"
    withstood = tuple([str(row.probe) for row in rows])
    return msgspec.structs.replace(sandbox, promise=promise, withstood=withstood)


def has_exact_clock() -> bool:
    """Return whether processor time can be measured exactly on this machine."""
    return our_home() is not None


def try_attacks(kind: Sandbox, rows: Sequence[AttackRow], probe_s: float = PROBE_S) -> list[str]:
    """Run each attack inside a sandbox, and return one report per attack.

    Raises:
        SandboxError: The sandbox can't be set up, or the attacks exceed the time limit `probe_s`.
    """
    hide()
    with (
        ScratchFolder(Path(tempfile.gettempdir()), FOLDER_PREFIX) as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        own = folder / "own"
        own.mkdir()
        rival = Entrant("the rival", (SHELL, "-c", "echo; read line"), HARMLESS.folder, "")
        with _start(kind, rival) as other:
            _listen(other, 1, time.monotonic() + probe_s)
            target = Target(
                SMALL.memory_mib,
                SMALL.file_mib,
                _identity(os.getpid()),
                _identity(other.pid),
                [*_places((os.path.expanduser("~"), os.getcwd(), str(folder)))],
                server.getsockname()[1],
                [
                    zlib.crc32(f"{name}={value}".encode())
                    for name, value in os.environ.items()
                    if not f"{name}=".startswith(OURS)
                ],
            )
            words = (_program(rows), msgspec.json.encode(target).decode())
            command = (sys.executable, "-I", "-S", "-c", *words)
            with _start(kind, Entrant("the probe", command, str(own), "")) as attacker:
                return _listen(attacker, len(rows), time.monotonic() + probe_s)


def _program(rows: Sequence[AttackRow]) -> str:
    names = [f"attack_{number}" for number in range(len(rows))]
    functions = [
        f"def {name}():\n{indent(row.does, '    ')}\n"
        for name, row in zip(names, rows, strict=True)
    ]
    call = f"main({', '.join(names)})\n"
    return "\n".join([ATTACKS_FILE.read_text("utf-8"), *functions, call])


def _start(kind: Sandbox, entrant: Entrant) -> BotProcess:
    try:
        return BotProcess(entrant, sandbox=SandboxSettings(kind.name, bounds=SMALL))
    except OSError as error:
        raise SandboxError(f"the sandbox {kind.name!r} cannot be tried: {error}") from None


def _identity(pid: int) -> tuple[int, str]:
    return pid, Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[19]


def _places(folders: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    for folder in folders:
        with contextlib.suppress(OSError):
            found = os.stat(folder)
            yield folder, found.st_dev, found.st_ino


def _listen(process: BotProcess, number: int, deadline: float) -> list[str]:
    lines_read: list[bytes] = []
    while len(lines_read) < number:
        wait_s = max(0.0, deadline - time.monotonic())
        readable = select.select([process.stdout], [], [], wait_s)[0]
        lines = process.read_lines() if readable else None
        if lines is None:
            ended = process.exit_text() if readable else "was not done in time"
            process.kill()
            process.check_sandbox()
            raise SandboxError(
                f"the sandbox {process.sandbox.level!r} does not work here: its probe {ended} "
                f"{process.last_words}"
            )
        lines_read += lines
    return [line.decode("utf-8", "replace") for line in lines_read]
