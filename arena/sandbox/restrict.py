"""A launch step of the level `limits`: restrictions by Landlock and by a filter of system calls.

Its arguments are the file of the filter, and the command of the next step. It uses the standard
library only, so that it starts quickly. `setpriv` has options for this in the newest util-linux
only; bubblewrap loads the filter of the level `isolated` itself.

A process that Landlock restricts cannot read or write the memory, the open files and the
environment of a process outside its domain, of any account, and the processes that it starts are
in its domain. So each bot has a domain, in which it may do the usual things but write to /proc and
/sys. Linux 6.12 or newer keeps its signals and abstract sockets in the domain, too.
"""

import ctypes
import os
import platform
import struct
import sys
from pathlib import Path

MACHINES = ("x86_64", "aarch64")
"""The architectures that the filters know."""
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
INSTRUCTION_BYTES = 8
REFUSED = "the system refuses a filter of system calls"
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls, on both architectures."""
GET_VERSION, PATH_BENEATH = 1, 1
WRITE_FILE, REFER = 1 << 1, 1 << 13
"""Rights to write to a file, and to move one to another folder, since version 2 of Landlock."""
SCOPES = 3
"""Abstract sockets and signals."""
WITH_REFER, WITH_SCOPES = 2, 6
"""The first versions of Landlock that have these."""
UNWRITABLE = ("proc", "sys")
"""Folders in / with settings of other processes, such as `oom_score_adj` and control groups."""

_libc = ctypes.CDLL(None, use_errno=True)


class FilterProgram(ctypes.Structure):
    """`struct sock_fprog`: the length in instructions, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def filter_path(level: str) -> Path:
    """Return the file with the filter of a level, which `tools.seccomp` compiles."""
    return Path(__file__).with_name(f"{level}.bpf")


def lacks_filter(machine: str = "") -> str | None:
    """Return why there is no filter for an architecture, or for that of this machine, or None."""
    machine = machine or platform.machine()
    if machine in MACHINES:
        return None
    return f"its filter of system calls knows {' and '.join(MACHINES)}, not {machine!r}"


def landlock_version() -> int:
    """Return the version of Landlock that this Linux has, or -1 if it has none."""
    return int(_libc.syscall(CREATE_RULESET, None, 0, GET_VERSION))


def enter_domain() -> None:
    """Have Landlock separate this process, and those that it starts, from all others.

    Raises:
        OSError: the kernel refuses that.
    """
    version = landlock_version()
    rights = WRITE_FILE | (REFER if version >= WITH_REFER else 0)
    attributes = struct.pack("QQQ", rights, 0, SCOPES if version >= WITH_SCOPES else 0)
    ruleset = _check(_libc.syscall(CREATE_RULESET, attributes, len(attributes), 0))
    for folder in os.scandir("/"):
        if folder.is_dir() and folder.name not in UNWRITABLE:
            place = os.open(folder.path, os.O_PATH)
            rule = struct.pack("=Qi", rights, place)
            _check(_libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0))
            os.close(place)
    _check(_libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def load_filter(instructions: bytes) -> None:
    """Have the kernel filter the system calls of this process, and of those that it starts.

    Raises:
        OSError: the kernel refuses that.
    """
    program = FilterProgram(len(instructions) // INSTRUCTION_BYTES, instructions)
    _check(_libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), REFUSED)


def _check(result: int, refused: str = "the system refuses Landlock") -> int:
    """Return the result of a call. Raises `OSError` if it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), refused)
    return result


def main() -> None:
    """Restrict this process, and start the next step."""
    with open(sys.argv[1], "rb") as file:
        instructions = file.read()
    enter_domain()
    load_filter(instructions)
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
