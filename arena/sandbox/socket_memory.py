"""The memory that a bot can hold in sockets, which belongs to no process."""

import os
from collections.abc import Iterable

SOCKET_KIB = 256
"""What a socket can hold: 208 KiB as a rule, and what the sandbox lets a TCP connection have."""
USED = "sockets: used "


def held_mib(pids: Iterable[int]) -> int:
    """Return the MiB that the sockets of a bot can hold, or 0 if it shares the network of others.

    Sockets count as if they were full: no file of the system tells how full they are.

    Args:
        pids: processes of a bot. They share the network of the last one that is alive.
    """
    for pid in reversed(list(pids)):
        try:
            if os.readlink(f"/proc/{pid}/ns/net") == os.readlink("/proc/self/ns/net"):
                return 0
            with open(f"/proc/{pid}/net/sockstat") as file:
                first = file.readline()
        except OSError:
            continue
        if first.startswith(USED):
            return int(first.removeprefix(USED)) * SOCKET_KIB // 1024
    return 0
