"""Attacks on a sandbox: the program that the probe starts inside it.

Its argument is a JSON object, `sandbox_probe.Target`. It prints the names of the attacks that
succeeded, one a line. It uses the standard library only and leaves nothing behind: it deletes
what it wrote, and each attack runs in a process of its own.
"""

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import platform
import resource
import select
import signal
import socket
import struct
import sys
import time
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

MIB = 1024 * 1024
LINGER_S = 60
CLONE_NEWUSER = 0x10000000
PTRACE_ATTACH, PTRACE_DETACH = 16, 17
IPC_PRIVATE, IPC_RMID = 0, 0
MANY_FILES = 20_000
FILES_OF_ALL = ("/bin/sh", "/etc/ld.so.cache")
"""Files that the bots of all sandboxes can read."""
F_OFD_SETLK, F_SETLEASE, F_SET_RW_HINT = 37, 1024, 1036
EXOTIC_FAMILIES = (16, 17, 38, 40)
"""AF_NETLINK, AF_PACKET, AF_ALG, AF_VSOCK."""
SYSTEM_CALLS = {  # where the C library has no function: the numbers on x86_64 and on aarch64
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "cachestat": (451, 451),
    "vmsplice": (278, 75),
    "splice": (275, 76),
    "close_range": (436, 436),
}
F_SETPIPE_SZ, CLOSE_RANGE_UNSHARE = 1031, 2
KEYCTL_GET_KEYRING_ID, SESSION_KEYRING, PROCESS_KEYRING, KEYCTL_UNLINK = 0, -3, -2, 9
PLACES = ("/", "/dev", "/etc", "/home", "/opt", "/root", "/run", "/srv", "/usr", "/var/tmp")
SYSTEM_SETTINGS = ("kernel/core_pattern", "kernel/hostname", "vm/swappiness")


def _can(*attempts: Callable[[], object]) -> bool:
    """Return whether one of these works. What it opens is closed with its process."""
    for attempt in attempts:
        with contextlib.suppress(OSError, ValueError):
            attempt()
            return True
    return False


def take_memory(target: Any) -> bool:
    taken = bytearray(3 * target["memory_mib"] * MIB)
    return len(taken) > 0


def write_large_file(target: Any) -> bool:
    path = f"/tmp/.arena-probe-{os.getpid()}"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(path)
    return os.pwrite(file, b"x", 2 * target["file_mib"] * MIB) == 1


def raise_limits(target: Any) -> bool:
    without = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    limits = (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)
    return _can(*[partial(resource.setrlimit, limit, without) for limit in limits])


def gain_privileges(target: Any) -> bool:
    with open("/proc/self/status") as status:
        return "NoNewPrivs:\t1" not in status.read()


def sees_referee(target: Any) -> bool:
    """Return whether the process with the referee's id is the referee."""
    with open(f"/proc/{target['referee']}/stat") as file:
        return file.read().rpartition(")")[2].split()[19] == str(target["started"])


def look_into_referee(target: Any) -> bool:
    paths = [f"/proc/{target['referee']}/{name}" for name in ("mem", "environ")]
    return sees_referee(target) and _can(*[partial(open, path, "rb") for path in paths])


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
    paths = [f"/proc/sys/{name}" for name in SYSTEM_SETTINGS]
    return _can(*[partial(os.open, path, os.O_WRONLY) for path in paths])


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
        if any(zlib.crc32(variable) in target["environment"] for variable in found):
            return True
    return False


def make_namespaces(target: Any) -> bool:
    return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0)


def take_over_process(target: Any) -> bool:
    """Trace a child; as an attacker would the first process of the sandbox."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(tell)
        os.read(told, 1)  # until its parent is done
        os._exit(0)
    libc = ctypes.CDLL(None)
    traced = libc.ptrace(PTRACE_ATTACH, child, None, None) == 0
    if traced:
        os.waitpid(child, 0)
        libc.ptrace(PTRACE_DETACH, child, None, None)
    os.close(tell)
    os.waitpid(child, 0)
    return bool(traced)


def choose_cores(target: Any) -> bool:
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


def hold_uncounted(target: Any) -> bool:
    libc = ctypes.CDLL(None)
    segment = libc.shmget(IPC_PRIVATE, mmap.PAGESIZE, 0o600)
    if segment != -1:
        libc.shmctl(segment, IPC_RMID, None)
        return True
    queue = libc.msgget(IPC_PRIVATE, 0o600)
    if queue != -1:
        libc.msgctl(queue, IPC_RMID, None)
        return True
    return (
        _call("vmsplice", os.pipe()[1], None, 0, 0) != -1
        or _call("splice", 0, None, os.pipe()[1], None, 0, 0) != -1
        or _call("close_range", 3, 3, CLOSE_RANGE_UNSHARE) != -1
        or _can(
            partial(os.memfd_create, "arena-probe"),
            partial(fcntl.fcntl, os.pipe()[0], F_SETPIPE_SZ, 1 << 20),
            partial(socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM),
        )
    )


def make_many_files(target: Any) -> bool:
    folder = f"/tmp/.arena-probe-{os.getpid()}"
    os.mkdir(folder)
    made = 0
    try:
        for made in range(MANY_FILES):
            os.close(os.open(f"{folder}/{made}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        return True
    finally:
        for number in range(made + 1):
            with contextlib.suppress(OSError):
                os.unlink(f"{folder}/{number}")
        os.rmdir(folder)


def _call(name: str, *words: Any) -> int:
    """Return the result of a system call, -1 where it fails."""
    numbers = dict(zip(("x86_64", "aarch64"), SYSTEM_CALLS[name], strict=True))
    return int(ctypes.CDLL(None).syscall(numbers[platform.machine()], *words))


def use_up_shares(target: Any) -> bool:
    """Take some of what the kernel grants the user, and so all bots of a run together."""
    if ctypes.CDLL(None).inotify_init() != -1:
        return True
    if _call("add_key", b"user", b"arena-probe", b"x", 1, PROCESS_KEYRING) != -1:
        return True
    return make_namespaces(target)


def keep_keys(target: Any) -> bool:
    key = _call("add_key", b"user", b"arena-probe", b"x", 1, SESSION_KEYRING)
    if key != -1:
        _call("keyctl", KEYCTL_UNLINK, key, SESSION_KEYRING)
        return True
    if _call("keyctl", KEYCTL_GET_KEYRING_ID, SESSION_KEYRING, 0) != -1:
        return True
    with open("/proc/keys") as file:
        return bool(file.read())


def use_files_of_all(target: Any) -> bool:
    """Leave a mark on a file that others can read, or watch it."""
    if ctypes.CDLL(None).inotify_init() != -1:
        return True
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 1, 0)
    attempts: list[Callable[[int], object]] = [
        lambda file: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda file: fcntl.fcntl(file, fcntl.F_SETLK, lock),
        lambda file: fcntl.fcntl(file, fcntl.F_GETLK, lock),
        lambda file: fcntl.fcntl(file, F_OFD_SETLK, lock),
        lambda file: fcntl.fcntl(file, F_SETLEASE, fcntl.F_RDLCK),
        lambda file: fcntl.fcntl(file, F_SET_RW_HINT, struct.pack("Q", 0)),
    ]
    return _any_succeeds(attempts)


def see_pages(target: Any) -> bool:
    """Ask which pages of a file are in memory, or move them out of it."""
    nothing = ctypes.create_string_buffer(64)
    own = mmap.mmap(-1, mmap.PAGESIZE)
    start = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(own)))
    if ctypes.CDLL(None).mincore(start, mmap.PAGESIZE, nothing) == 0:
        return True
    if _call("cachestat", 0, nothing, nothing, 0) != -1:
        return True
    attempts: list[Callable[[int], object]] = [
        lambda file: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT),
        lambda file: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED),
    ]
    return _any_succeeds(attempts)


def _any_succeeds(attempts: list[Callable[[int], object]]) -> bool:
    """Return whether one of these can be done to a file of the system."""
    for path in filter(os.path.exists, FILES_OF_ALL):
        with open(path, "rb") as file:
            if _can(*[partial(attempt, file.fileno()) for attempt in attempts]):
                return True
    return False


def take_terminals(target: Any) -> bool:
    return bool(os.openpty())


def open_exotic_sockets(target: Any) -> bool:
    return _can(*[partial(socket.socket, family, socket.SOCK_DGRAM) for family in EXOTIC_FAMILIES])


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
    "take over another process": take_over_process,
    "choose its cores": choose_cores,
    "hold memory that is not counted": hold_uncounted,
    "make too many files": make_many_files,
    "keep keys in the kernel": keep_keys,
    "use up what the user's programs share": use_up_shares,
    "lock or watch files of the system": use_files_of_all,
    "see which files are in memory": see_pages,
    "open sockets of the kernel": open_exotic_sockets,
    "take pseudo-terminals": take_terminals,
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


def hold_watches(target: Any) -> object:
    """Return more watches of files by epoll than a bot may have."""
    watched, epolls = os.pipe()[0], [select.epoll() for _ in range(1 + target["watches"] // 100)]
    for copy in [os.dup(watched) for _ in range(100)]:
        for epoll in epolls:
            epoll.register(copy)
    return epolls


def hold_mappings(target: Any) -> object:
    """Return memory in more mappings than the probe allows: neighbours have other rights."""
    libc, number = ctypes.CDLL(None), 2 * target["mappings"]
    memory = mmap.mmap(-1, number * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for page in range(0, number, 2):
        place = ctypes.c_void_p(start + page * mmap.PAGESIZE)
        libc.mprotect(place, ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ)
    return memory


def hold_sent_files(target: Any) -> object:
    """Return a pair of sockets with more open files on the way than a bot may have."""
    pair = socket.socketpair()
    socket.send_fds(pair[0], [b"x"], [pair[0].fileno()] * (1 + target["sent_files"]))
    return pair


HOLDS: dict[str, Callable[[Any], object]] = {
    "watch too many files": hold_watches,
    "split memory into too many mappings": hold_mappings,
    "hide open files in sockets": hold_sent_files,
}
"""The attacks that the probe has to notice while they last."""


def hold(name: str, target: Any) -> None:
    """Try one of `HOLDS` in a child of a child, a new process, until a byte is read."""
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            held = HOLDS[name](target)
            if os.fork() == 0:
                print(name, flush=True)
                os.read(0, 1)
            else:
                os.wait()
            del held
        os._exit(0)
    os.wait()


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
            print(name, flush=True)  # a fork would have what is not written yet, too
        elif name in HOLDS:
            hold(name, target)
    if LINGER in target["attacks"]:
        linger()
    print("done", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
