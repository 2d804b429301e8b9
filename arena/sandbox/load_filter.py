"""A launch step of the level `limits`: it loads a filter of system calls, then becomes the next.

Its arguments are the file of the filter, and the command of the next step. It uses the standard
library only, so that it starts quickly. `setpriv` has an option for this in the newest util-linux
only; bubblewrap loads the filter of the level `isolated` itself.
"""

import ctypes
import os
import sys

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
INSTRUCTION_BYTES = 8
REFUSED = "the system refuses a filter of system calls"


class FilterProgram(ctypes.Structure):
    """`struct sock_fprog`: the length in instructions, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def load(instructions: bytes) -> None:
    """Have the kernel filter the system calls of this process, and of those that it starts.

    Raises:
        OSError: the kernel refuses that.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    program = FilterProgram(len(instructions) // INSTRUCTION_BYTES, instructions)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), REFUSED)


def main() -> None:
    """Load the filter and start the next step."""
    with open(sys.argv[1], "rb") as file:
        load(file.read())
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
