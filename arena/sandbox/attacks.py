"""Attacks on a sandbox: the program that the probe starts inside it.

Its argument is a JSON object, `sandbox_probe.Target`. It prints the names of the attacks that
succeeded, one a line. It uses the standard library only and leaves nothing behind: it deletes
what it wrote, and each attack runs in a process of its own.
"""

import json
import os
import resource
import signal
import socket
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

MIB = 1024 * 1024
LINGER_S = 60
CLONE_NEWUSER = 0x10000000
PLACES = ("/", "/dev", "/etc", "/home", "/opt", "/root", "/run", "/srv", "/usr", "/var/tmp")
SYSTEM_SETTINGS = ("kernel/core_pattern", "kernel/hostname", "vm/swappiness")


def take_memory(target: Any) -> bool:
    taken = bytearray(3 * target["memory_mib"] * MIB)
    return len(taken) > 0


def write_large_file(target: Any) -> bool:
    path = f"/tmp/.arena-probe-{os.getpid()}"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(path)
    return os.pwrite(file, b"x", 2 * target["file_mib"] * MIB) == 1


def raise_limits(target: Any) -> bool:
    for limit in (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        try:
            resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (OSError, ValueError):
            continue
        return True
    return False


def gain_privileges(target: Any) -> bool:
    with open("/proc/self/status") as status:
        return "NoNewPrivs:\t1" not in status.read()


def sees_referee(target: Any) -> bool:
    """Return whether the process with the referee's id is the referee."""
    with open(f"/proc/{target['referee']}/stat") as file:
        return file.read().rpartition(")")[2].split()[19] == str(target["started"])


def look_into_referee(target: Any) -> bool:
    if not sees_referee(target):
        return False
    for name in ("mem", "environ"):
        try:
            with open(f"/proc/{target['referee']}/{name}", "rb"):
                return True
        except OSError:
            continue
    return False


def read_files(target: Any) -> bool:
    for path, device, number in target["hidden"]:
        try:
            found = os.stat(path)
        except OSError:
            continue
        if [found.st_dev, found.st_ino] == [device, number]:
            return True
    return False


def _can_write(folder: str) -> bool:
    path = os.path.join(folder, f".arena-probe-{os.getpid()}")
    try:
        with open(path, "x"):
            pass
    except OSError:
        return False
    os.unlink(path)
    return True


def write_own_folder(target: Any) -> bool:
    return _can_write(".")


def write_elsewhere(target: Any) -> bool:
    return any(map(_can_write, PLACES))


def write_settings(target: Any) -> bool:
    for name in SYSTEM_SETTINGS:
        try:
            os.close(os.open(f"/proc/sys/{name}", os.O_WRONLY))
        except OSError:
            continue
        return True
    return False


def reach_server(target: Any) -> bool:
    with socket.create_connection(("127.0.0.1", target["port"]), 1.0):
        return True


def read_environment(target: Any) -> bool:
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                found = file.read().split(b"\0")
        except OSError:
            continue
        if any(zlib.crc32(one) in target["environment"] for one in found):
            return True
    return False


def make_namespaces(target: Any) -> bool:
    import ctypes

    return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0)


ATTACKS: dict[str, Callable[[Any], bool]] = {
    "take too much memory": take_memory,
    "write too large a file": write_large_file,
    "raise its own limits": raise_limits,
    "gain privileges": gain_privileges,
    "look into the referee": look_into_referee,
    "see other processes": sees_referee,
    "read files outside its folder": read_files,
    "write into its folder": write_own_folder,
    "write outside /tmp": write_elsewhere,
    "write settings of the system": write_settings,
    "reach a server on this machine": reach_server,
    "read the environment of the referee": read_environment,
    "make namespaces of its own": make_namespaces,
}
LINGER = "leave a process behind"
"""The attack that the probe judges: it succeeds if the output stays open after the bot."""


def succeeds(attack: Callable[[Any], bool], target: Any) -> bool:
    """Try an attack in a child, since the attack may kill it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if attack(target) else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def linger() -> None:
    """Leave an orphan process, in a session of its own, that keeps the output open."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            time.sleep(LINGER_S)
        os._exit(0)
    os.wait()


def main() -> None:
    """Try the attacks of the target, print those that succeeded, and a last line."""
    target = json.loads(sys.argv[1])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for name in target["attacks"]:
        if name in ATTACKS and succeeds(ATTACKS[name], target):
            print(name)
    if LINGER in target["attacks"]:
        linger()
    print("done", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
