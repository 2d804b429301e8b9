"""What the referee's own processes do so that bots of the same user cannot look into them."""

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
