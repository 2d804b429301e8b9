"""The filters of system calls: what they say of each call, and that the kernel obeys them."""

import errno
import functools
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arena.base.record import Entrant
from arena.sandbox import load_filter, seccomp
from arena.sandbox.seccomp import (
    ALLOW,
    DENY,
    KILL,
    LEVELS,
    compile_filter,
    filter_path,
    lacks_filter,
    read_table,
)
from tests.arena.levels import TRIES, answer, sandbox_settings_of
from tests.arena.playing import BOTS, PYTHON
from tests.arena.sandbox.bpf import run
from tests.needs import need

TABLE = read_table()
PLACES = dict(enumerate(TABLE.architectures))
X86_64, AARCH64 = TABLE.architectures.values()
ALLOWED = {
    "read": (0, 63),
    "write": (1, 64),
    "mmap": (9, 222),
    "exit_group": (231, 94),
    "execve": (59, 221),
    "futex": (202, 98),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "prlimit64": (302, 261),
    "kill": (62, 129),
    "wait4": (61, 260),
    "pipe2": (293, 59),
    "rseq": (334, 293),
    "faccessat2": (439, 439),
}
"""Calls that every program or runtime makes."""

compiled = functools.cache(compile_filter)


def said(level: str, place: int, number: int, *arguments: int) -> str:
    """Return what the filter of a level says of a call: `allowed`, or the name of the error."""
    architecture = TABLE.architectures[PLACES[place]]
    result = run(compiled(level), architecture, number, arguments)
    if result == ALLOW:
        return "allowed"
    names = {DENY | value: name for name, value in TABLE.errors.items()}
    return names[result]


# -- what the filters say ----------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_the_stored_filters_are_those_of_the_table(level: str) -> None:
    """If this fails, run `python -m arena.sandbox.seccomp`."""
    assert filter_path(level).read_bytes() == compile_filter(level)


@pytest.mark.parametrize("level", LEVELS)
def test_a_filter_is_no_longer_than_the_kernel_takes(level: str) -> None:
    assert len(compile_filter(level)) <= 4096 * 8


@pytest.mark.parametrize("place", PLACES, ids=PLACES.values())
@pytest.mark.parametrize("level", LEVELS)
def test_calls_of_the_table_are_denied_and_no_others(level: str, place: int) -> None:
    denied = {
        numbers[place]: group.error
        for group in TABLE.denied
        if level == "isolated" or group.limits
        for numbers in group.calls.values()
    }
    checked = {
        numbers[place]
        for rule in TABLE.checked
        if level == "isolated" or rule.limits
        for numbers in rule.calls.values()
    }
    for number in range(TABLE.newest + 1):
        if number not in checked:
            assert said(level, place, number) == denied.get(number, "allowed"), number


@pytest.mark.parametrize("place", PLACES, ids=PLACES.values())
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ALLOWED)
def test_what_every_program_needs_is_allowed(name: str, level: str, place: int) -> None:
    assert said(level, place, ALLOWED[name][place]) == "allowed"


CLOSE_RANGE, CLONE, FCNTL, SOCKET, SETSOCKOPT, PREADV2, MADVISE, PRCTL, IOCTL = (
    (436, 436),
    (56, 220),
    (72, 25),
    (41, 198),
    (54, 208),
    (327, 286),
    (28, 233),
    (157, 167),
    (16, 29),
)
VFORK, OWN_FILES = 0x4111, 0x3D0B00
THREAD, FORK, NEW_USER, NEW_PID = 0x3D0F00, 0x1200011, 0x10000000, 0x20000000


@pytest.mark.parametrize("place", PLACES, ids=PLACES.values())
@pytest.mark.parametrize(
    ("numbers", "arguments", "expected"),
    [
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
        (SETSOCKOPT, (3, 6, 7), "allowed"),  # IPPROTO_TCP
        (PREADV2, (3, 0, 1, 0, 0, 0), "allowed"),
        (PREADV2, (3, 0, 1, 0, 0, 8), "EOPNOTSUPP"),  # RWF_NOWAIT
        (MADVISE, (0, 0, 4), "allowed"),  # MADV_DONTNEED
        (MADVISE, (0, 0, 20), "EINVAL"),  # MADV_COLD
        (MADVISE, (0, 0, 21), "EINVAL"),
        (PRCTL, (15,), "allowed"),  # PR_SET_NAME
        (PRCTL, (4, 0), "EPERM"),  # PR_SET_DUMPABLE
        (PRCTL, (22, 2), "EPERM"),
        (IOCTL, (0, 0x5401), "allowed"),  # TCGETS
        (IOCTL, (0, 0x5412), "EPERM"),  # TIOCSTI
    ],
)
def test_arguments_decide(
    numbers: tuple[int, int], arguments: tuple[int, ...], expected: str, place: int
) -> None:
    assert said("isolated", place, numbers[place], *arguments) == expected


@pytest.mark.parametrize("level", LEVELS)
def test_calls_of_other_architectures_and_newer_calls_are_refused(level: str) -> None:
    program = compile_filter(level)
    i386, read_of_x32 = 0x40000003, 0x40000000
    assert run(program, i386, 3) == KILL
    assert run(program, X86_64, read_of_x32) == DENY | errno.ENOSYS
    for architecture in (X86_64, AARCH64):
        assert run(program, architecture, TABLE.newest + 1) == DENY | errno.ENOSYS
        assert run(program, architecture, -1) == DENY | errno.ENOSYS


def test_limits_denies_less() -> None:
    """A bot at this level may use files and the network as its user may."""
    for numbers in ((73, 32), (27, 232), (221, 223)):  # flock, mincore, fadvise64
        assert said("limits", 0, numbers[0]) == said("limits", 1, numbers[1]) == "allowed"
    assert said("limits", 0, SOCKET[0], 16) == "allowed"


def test_an_unknown_machine_has_no_filter() -> None:
    assert (
        lacks_filter("riscv64")
        == "its filter of system calls knows x86_64 and aarch64, not 'riscv64'"
    )


# -- what the kernel does ----------------------------------------------------------------------

needs_filters = pytest.mark.skipif(
    not sys.platform.startswith("linux") or lacks_filter() is not None,
    reason="need Linux on a known architecture",
)


@needs_filters
@need("setpriv")
def test_the_step_of_limits_loads_the_filter_and_starts_the_next() -> None:
    text = "import os\ntry:\n    os.memfd_create('x')\nexcept OSError as e:\n    print(e.errno)"
    step = ["setpriv", "--no-new-privs", "--", sys.executable, "-I", "-S", load_filter.__file__]
    step.append(str(filter_path("limits")))
    done = subprocess.run(
        [*step, sys.executable, "-c", text], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{errno.ENOSYS}\n"


@needs_filters
def test_a_filter_that_the_kernel_refuses_is_an_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.bpf"
    bad.write_bytes(b"\xff" * seccomp.ARGUMENT_BYTES)
    step = [sys.executable, "-I", "-S", load_filter.__file__, str(bad), "/bin/true"]
    done = subprocess.run(step, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert load_filter.REFUSED in done.stderr


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


@pytest.mark.parametrize("level", LEVELS)
def test_threads_and_processes_of_python_work(level: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(POOL)
    bot = Entrant("anna", (*PYTHON, "bot.py"), str(tmp_path), "")
    assert answer("", sandbox_settings_of(level), bot, lines=2) == "thread\n[0, 1, 4, 9]"


@need("node")
@pytest.mark.parametrize("level", LEVELS)
def test_threads_of_node_work(level: str) -> None:
    bot = Entrant("anna", ("node", "-e", NODE), str(BOTS), "")
    assert answer("", sandbox_settings_of(level), bot) == "thread"


JAVA = """
public class Bot {
    public static void main(String[] words) throws Exception {
        Thread thread = new Thread(() -> System.out.println("thread"));
        thread.start();
        thread.join();
    }
}
"""


@pytest.fixture(scope="module")
def java_bot(tmp_path_factory: pytest.TempPathFactory) -> Entrant:
    """A bot in Java that starts a thread, compiled once."""
    folder = tmp_path_factory.mktemp("java")
    (folder / "Bot.java").write_text(JAVA)
    subprocess.run(["javac", "-J-XX:-UsePerfData", "Bot.java"], cwd=folder, check=True, timeout=120)
    return Entrant("anna", ("java", "-XX:-UsePerfData", "-cp", ".", "Bot"), str(folder), "")


@need("javac", "java")
@pytest.mark.parametrize("level", LEVELS)
def test_threads_of_java_work(level: str, java_bot: Entrant) -> None:
    assert answer("", sandbox_settings_of(level), java_bot) == "thread"


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


@need("cc")
@pytest.mark.parametrize("level", LEVELS)
def test_threads_of_c_work(level: str, tmp_path: Path) -> None:
    (tmp_path / "bot.c").write_text(C)
    subprocess.run(["cc", "-pthread", "-o", "bot", "bot.c"], cwd=tmp_path, check=True)
    bot = Entrant("anna", ("./bot",), str(tmp_path), "")
    assert answer("", sandbox_settings_of(level), bot) == "thread"


@pytest.mark.parametrize("options", ["nolock=1", "immutable=1"])
def test_sqlite_works_without_locks(options: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "book.db") as database:
        database.execute("CREATE TABLE book AS SELECT 'opening' AS move")
    database.close()
    reads = "import sqlite3; print(sqlite3.connect({!r}, uri=True).execute({!r}).fetchone()[0])"
    query = "SELECT move FROM book"
    sandbox = sandbox_settings_of("isolated")
    bot = Entrant(
        "anna", (*PYTHON, "-c", reads.format(f"file:book.db?{options}", query)), str(tmp_path), ""
    )
    assert answer("", sandbox, bot) == "opening"
    locks = TRIES.format("import sqlite3; sqlite3.connect('/tmp/x').execute('CREATE TABLE x (y)')")
    assert answer(locks, sandbox) == "OperationalError"
