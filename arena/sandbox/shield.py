"""The protection of the referee's own processes from bots of the same user."""

import ctypes
import sys

PR_SET_DUMPABLE = 4


def hide() -> bool:
    """Hide the memory and environment of this process from others of its user.

    Its /proc/PID/mem and /proc/PID/environ can no longer be opened, it cannot be traced, and it
    leaves no core file. Return whether the system supports this.
    """
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
