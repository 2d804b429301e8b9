"""The filter of system calls: what it says of each call, and that bots work under it."""

import errno
import subprocess
from itertools import product
from pathlib import Path

import pytest

from arena.base.record import Entrant
from arena.sandbox.isolated import FILTER
from tests.arena.levels import answer, sandbox_settings_of
from tests.arena.playing import PYTHON
from tests.arena.sandbox.bpf import run
from tests.needs import need
from tools.seccomp import ALLOW, DENY, KILL, compile_filter, read_table

TABLE = read_table()
PLACES = dict(enumerate(TABLE.architectures))
X86_64, AARCH64 = TABLE.architectures.values()


def verdict(place: int, number: int, *arguments: int) -> str:
    """Return what the filter says of a call: `allowed`, or the name of the error."""
    architecture = TABLE.architectures[PLACES[place]]
    result = run(FILTER.read_bytes(), architecture, number, arguments)
    names = {DENY | value: name for name, value in TABLE.errors.items()} | {ALLOW: "allowed"}
    return names[result]


# -- what the filter says -----------------------------------------------------------------------


def test_stored_filter_matches_the_table() -> None:
    """If this fails, run `python -m tools.seccomp`."""
    assert FILTER.read_bytes() == compile_filter()
    assert len(compile_filter()) <= 4096 * 8  # the kernel takes no longer one


def test_allows_only_calls_of_the_table() -> None:
    for place in PLACES:
        allowed, denied = TABLE.allowed_numbers(place), TABLE.denied_numbers(place)
        for number in {*range(TABLE.newest + 1)} - {*TABLE.rules(place)}:
            expected = "allowed" if number in allowed else denied.get(number, "EPERM")
            assert verdict(place, number) == expected, number


def test_table_has_kernel_call_numbers() -> None:
    for name, numbers, expected in (
        ("landlock_create_ruleset", (444, 444), "EPERM"),
        ("ptrace", (101, 117), "EPERM"),
        ("personality", (135, 92), "EPERM"),
        ("setxattr", (188, 5), "EPERM"),
        ("memfd_create", (319, 279), "ENOSYS"),
        ("clone3", (435, 435), "ENOSYS"),
        ("futex", (202, 98), "allowed"),
        ("execve", (59, 221), "allowed"),
        ("rseq", (334, 293), "allowed"),
    ):
        for place in PLACES:
            assert verdict(place, numbers[place]) == expected, name


CLOSE_RANGE, CLONE, FCNTL, SOCKET, SETSOCKOPT, PREADV2, MADVISE, PRCTL, IOCTL, PRLIMIT = (
    (436, 436),
    (56, 220),
    (72, 25),
    (41, 198),
    (54, 208),
    (327, 286),
    (28, 233),
    (157, 167),
    (16, 29),
    (302, 261),
)
VFORK, OWN_FILES = 0x4111, 0x3D0B00
THREAD, FORK, NEW_USER, NEW_PID = 0x3D0F00, 0x1200011, 0x10000000, 0x20000000


ARGUMENTS = [
    (CLONE, (THREAD,), "allowed"),
    (CLONE, (FORK,), "allowed"),
    (CLONE, (VFORK,), "allowed"),
    (CLONE, (OWN_FILES,), "EPERM"),  # a thread with descriptors of its own
    (CLOSE_RANGE, (3, 9, 0), "allowed"),
    (CLOSE_RANGE, (3, 9, 4), "allowed"),  # CLOSE_RANGE_CLOEXEC
    (CLOSE_RANGE, (3, 9, 6), "EINVAL"),  # CLOSE_RANGE_UNSHARE
    (CLONE, (NEW_USER | 17,), "EPERM"),
    (CLONE, (THREAD | NEW_PID,), "EPERM"),
    (CLONE, (1 << 40 | FORK,), "allowed"),  # the kernel drops the upper half
    (CLONE, (1 << 40 | NEW_USER,), "EPERM"),
    (FCNTL, (3, 0), "allowed"),  # F_DUPFD
    (FCNTL, (3, 4), "allowed"),  # F_SETFL
    (FCNTL, (3, 1030), "allowed"),  # F_DUPFD_CLOEXEC
    (FCNTL, (3, 5), "EPERM"),  # F_GETLK
    (FCNTL, (3, 6), "EPERM"),
    (FCNTL, (3, 1 << 32 | 6), "EPERM"),
    (FCNTL, (3, 38), "EPERM"),  # F_OFD_SETLKW
    (FCNTL, (3, 10), "EINVAL"),  # F_SETSIG
    (FCNTL, (3, 1024), "EINVAL"),  # F_SETLEASE
    (FCNTL, (3, 1026), "EINVAL"),  # F_NOTIFY
    (FCNTL, (3, 1031), "EINVAL"),  # F_SETPIPE_SZ
    (FCNTL, (3, 1036), "EINVAL"),  # F_SET_RW_HINT
    (SOCKET, (1, 1), "allowed"),
    (SOCKET, (2, 1), "allowed"),
    (SOCKET, (10, 1), "allowed"),
    (SOCKET, (16, 3), "EAFNOSUPPORT"),
    (SOCKET, (40, 1), "EAFNOSUPPORT"),
    (SOCKET, (1 << 32 | 40, 1), "EAFNOSUPPORT"),
    (SETSOCKOPT, (3, 1, 2), "allowed"),  # SOL_SOCKET, SO_REUSEADDR
    (SETSOCKOPT, (3, 1, 7), "EPERM"),  # SO_SNDBUF
    (SETSOCKOPT, (3, 1, 60), "EPERM"),  # SO_ZEROCOPY
    (SETSOCKOPT, (3, 1, 26), "EPERM"),  # SO_ATTACH_FILTER
    (SETSOCKOPT, (3, 1 << 32 | 1, 1 << 32 | 26), "EPERM"),
    (SETSOCKOPT, (3, 1, 51), "EPERM"),  # SO_ATTACH_REUSEPORT_CBPF
    (SETSOCKOPT, (3, 6, 1), "allowed"),  # TCP_NODELAY
    (SETSOCKOPT, (3, 6, 31), "EPERM"),  # TCP_ULP
    (SETSOCKOPT, (3, 0, 2), "allowed"),  # IP_TTL
    (SETSOCKOPT, (3, 0, 35), "EPERM"),  # IP_ADD_MEMBERSHIP
    (SETSOCKOPT, (3, 41, 26), "allowed"),  # IPV6_V6ONLY
    (SETSOCKOPT, (3, 41, 32), "EPERM"),  # IPV6_FLOWLABEL_MGR
    (SETSOCKOPT, (3, 17, 1), "EPERM"),  # SOL_UDP
    (PREADV2, (3, 0, 1, 0, 0, 0), "allowed"),
    (PREADV2, (3, 0, 1, 0, 0, 8), "EOPNOTSUPP"),  # RWF_NOWAIT
    (MADVISE, (0, 0, 4), "allowed"),  # MADV_DONTNEED
    (MADVISE, (0, 0, 12), "EINVAL"),  # MADV_MERGEABLE
    (MADVISE, (0, 0, 20), "EINVAL"),  # MADV_COLD
    (MADVISE, (0, 0, 21), "EINVAL"),
    (PRCTL, (15,), "allowed"),  # PR_SET_NAME
    (PRCTL, (4, 0), "EPERM"),  # PR_SET_DUMPABLE
    (PRCTL, (22, 2), "EPERM"),
    (PRCTL, (67, 1), "EPERM"),  # PR_SET_MEMORY_MERGE
    (PRLIMIT, (0, 7), "allowed"),
    (PRLIMIT, (77, 7), "EPERM"),  # of another process
    (IOCTL, (0, 0x5401), "allowed"),  # TCGETS
    (IOCTL, (0, 0x5412), "EPERM"),  # TIOCSTI
]


def test_filter_checks_arguments() -> None:
    for (numbers, arguments, expected), place in product(ARGUMENTS, PLACES):
        assert verdict(place, numbers[place], *arguments) == expected, arguments


def test_denies_other_architectures_and_newer_calls() -> None:
    program = compile_filter()
    i386, read_of_x32 = 0x40000003, 0x40000000
    assert run(program, i386, 3) == KILL
    for number in (read_of_x32, TABLE.newest + 1, -1):
        for architecture in (X86_64, AARCH64):
            assert run(program, architecture, number) == DENY | errno.ENOSYS


# -- what the kernel does ----------------------------------------------------------------------

POOL = """
import multiprocessing, threading
def square(number):
    return number * number
if __name__ == "__main__":
    thread = threading.Thread(target=print, args=("thread",))
    thread.start()
    thread.join()
    with multiprocessing.Pool(2) as pool:
        print(pool.map(square, range(4)))
"""
NODE = """
const { Worker } = require("worker_threads");
new Worker("require('worker_threads').parentPort.postMessage('thread')", { eval: true })
    .on("message", said => console.log(said));
"""
JAVA = """
public class Bot {
    public static void main(String[] words) throws Exception {
        Thread thread = new Thread(() -> System.out.println("thread"));
        thread.start();
        thread.join();
    }
}
"""
C = """
#include <pthread.h>
#include <stdio.h>
static void *say(void *nothing) { puts("thread"); return nothing; }
int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, say, NULL) != 0) return 1;
    return pthread_join(thread, NULL);
}
"""
JAVA_RUNS = ("java", "-XX:-UsePerfData", "-cp", ".", "Bot")


@pytest.mark.parametrize(
    ("file", "text", "build", "command"),
    [
        ("bot.py", POOL, None, (*PYTHON, "bot.py")),
        pytest.param("bot.js", NODE, None, ("node", "bot.js"), marks=need("node")),
        pytest.param(
            "Bot.java",
            JAVA,
            ("javac", "-J-XX:-UsePerfData", "Bot.java"),
            JAVA_RUNS,
            marks=[pytest.mark.slow, need("javac", "java")],
        ),
        pytest.param(
            "bot.c", C, ("cc", "-pthread", "-o", "bot", "bot.c"), ("./bot",), marks=need("cc")
        ),
    ],
    ids=["python", "node", "java", "c"],
)
def test_programs_can_use_threads(
    file: str, text: str, build: tuple[str, ...] | None, command: tuple[str, ...], tmp_path: Path
) -> None:
    """In Python, a pool of processes too."""
    (tmp_path / file).write_text(text)
    if build:
        subprocess.run(build, cwd=tmp_path, check=True, timeout=120)
    bot = Entrant("anna", command, str(tmp_path), "")
    expected = ["thread", "[0, 1, 4, 9]"] if text == POOL else ["thread"]
    printed = answer("", sandbox_settings_of("isolated"), bot, lines=len(expected))
    assert printed.splitlines() == expected
