"""A program that attacks its own sandbox, in order to test the sandbox from the inside.

The program prints the outcome of each attack, or the name of the exception that stopped it.
"""

# ruff: noqa: F401  the texts of the table use what is imported here
import contextlib
import ctypes
import fcntl
import json
import os
import platform
import resource
import shutil
import signal
import socket
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

libc = ctypes.CDLL(None, use_errno=True)
SH = open("/bin/sh", "rb")  # noqa: SIM115  a file that the bots of all sandboxes can read
ON_ARM = platform.machine() == "aarch64"
target: Any = {}


def call(numbers: tuple[int, int], *words: Any) -> int:
    """Make a Linux system call that has different numbers on x86_64 and aarch64.

    Raise `OSError` if the system call fails.
    """
    return check(libc.syscall(numbers[ON_ARM], *words))


def check(result: int) -> int:
    if result == -1:
        raise OSError(ctypes.get_errno(), "denied")
    return result


def any_of(*attempts: Callable[[], Any]) -> Any:
    for attempt in attempts[:-1]:
        with contextlib.suppress(OSError, ValueError):
            return attempt()
    return attempts[-1]()


def mapped(path: str) -> ctypes.c_void_p:
    libc.mmap.restype = ctypes.c_void_p
    file = os.open(path, os.O_RDONLY)
    return ctypes.c_void_p(libc.mmap(None, 4096, 1, 1, file, 0))


def place_of(name: str) -> str:
    """Find a process outside the sandbox, and return its folder in /proc.

    Raise `FileNotFoundError` if the process isn't visible or its process id has been reused.
    """
    pid, started = target[name]
    with open(f"/proc/{pid}/stat") as file:
        if file.read().rpartition(")")[2].split()[19] != started:
            raise FileNotFoundError
    return f"/proc/{pid}"


def seen(hidden: list[tuple[str, int, int]]) -> str:
    """Return the first path that the sandbox should hide but doesn't.

    Raise `FileNotFoundError` if all paths are hidden.
    """
    for path, device, number in hidden:
        with contextlib.suppress(OSError):
            found = os.stat(path)
            if (found.st_dev, found.st_ino) == (device, number):
                return path
    raise FileNotFoundError


def leave_file(folder: str, use: Callable[[str], object] = len) -> str:
    """Create a file in a folder, call `use` with the path of the file, and delete the file.

    Return the path of the folder. Raise `OSError` if the file can't be created.
    """
    path = os.path.join(folder, f".arena-attack-{os.getpid()}")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        use(path)
    finally:
        os.unlink(path)
    return folder


def search_environments(checksums: list[int]) -> None:
    """Search the environments of all visible processes for variables with the given CRC-32
    checksums.

    Raise `FileNotFoundError` if none of the variables is found.
    """
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if any(zlib.crc32(variable) in checksums for variable in file.read().split(b"\0")):
                return
    raise FileNotFoundError


def outcome(attack: Callable[[], object]) -> str:
    try:
        found = attack()
    except Exception as error:
        return type(error).__name__
    return f"did it: {found}" if found else "did it"


def main(*attacks: Callable[[], object]) -> None:
    target.update(json.loads(sys.argv[1]))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for attack in attacks:
        if os.fork() == 0:  # the attack may kill it
            try:
                os.write(1, f"{outcome(attack)}\n".encode())
            finally:
                os._exit(0)
        if os.wait()[1]:
            os.write(1, b"ended\n")
    sys.stdin.read()
