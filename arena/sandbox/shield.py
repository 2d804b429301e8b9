"""The protection of the referee's own processes from bots of the same user."""

import ctypes
import sys

PR_SET_DUMPABLE = 4


def hide() -> bool:
    """Close this process's memory and environment to others of its user; return whether they are.

    Its /proc/PID/mem and /proc/PID/environ cannot be opened then, nor can it be traced, nor does it
    leave a core file.
    """
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
