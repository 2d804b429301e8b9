"""A bot process is written to and read from without waiting for it, and leaves nothing behind."""

import hashlib
import os
import select
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from arena.base.errors import BotUnavailable
from arena.base.protocol import Bye, Hello, Limits, write
from arena.base.record import Entrant
from arena.process.bot_process import BotProcess, dismiss
from tests.arena.levels import sandbox_settings_of
from tests.arena.playing import (
    NEEDS_PROC,
    WAIT_S,
    children,
    code,
    descriptors,
    is_running,
    wait_for,
    wait_to_read,
)

HELLO = Hello(1, "0.1.0", "anna", Limits())
WAITS = "import sys; sys.stdin.read()"


def run(text: str) -> BotProcess:
    """Start a bot that is this text."""
    return BotProcess(code("anna", text))


def lines_of(bot: BotProcess, count: int) -> list[bytes]:
    """Return this number of lines of a bot."""
    lines: list[bytes] = []
    while len(lines) < count:
        wait_to_read(bot.stdout)
        came = bot.read_lines()
        assert came is not None, f"the bot has gone after {lines}: {bot.last_words}"
        lines += came
    assert len(lines) == count
    return lines


def wait_for_end(bot: BotProcess) -> None:
    """Read until the bot closes its output."""
    while True:
        wait_to_read(bot.stdout)
        if bot.read_lines() is None:
            return


def read_all_stderr(bot: BotProcess) -> None:
    """Read until the bot closes its stderr."""
    wait_to_read(bot.stderr)
    while bot.read_stderr():
        wait_to_read(bot.stderr)


# -- reading -----------------------------------------------------------------------------------


def test_keeps_the_end_of_stderr() -> None:
    text = f"""
import sys
sys.stderr.write("x" * {3 * Limits().stderr_bytes} + "\\n" + "y" * 1000 + "\\nthe end\\n")
"""
    with run(text) as bot:
        read_all_stderr(bot)
        assert len(bot.last_words) <= Limits().stderr_bytes
        assert bot.last_words.endswith("xx\n" + "y" * 1000 + "\nthe end")


def test_stderr_may_be_binary() -> None:
    with run(r"import os; os.write(2, b' caf\xc3\xa9 \xff ')") as bot:
        read_all_stderr(bot)
        assert bot.last_words == "café \\xff"


# -- writing -----------------------------------------------------------------------------------


def test_bot_that_does_not_read_blocks_nobody() -> None:
    with run("import signal; signal.pause()") as bot:
        for _ in range(100):
            bot.send(Hello(1, "x" * 100_000, "anna", Limits()))
        assert bot.unsent
        bot.flush()
        assert bot.unsent


def test_sends_waiting_lines_in_order() -> None:
    messages = [Hello(1, letter * 100_000, "anna", Limits()) for letter in "abcdef"]
    text = """
import hashlib, sys
print("here", flush=True)
print(hashlib.sha256(b"".join([sys.stdin.buffer.readline() for _ in range(7)])).hexdigest())
"""
    with run(text) as bot:
        for message in messages:
            bot.send(message)
        bot.send(Bye())
        assert bot.unsent
        while bot.unsent:
            assert select.select([], [bot.stdin], [], WAIT_S)[1]
            bot.flush()
        sent = b"".join(write(message) for message in [*messages, Bye()])
        assert lines_of(bot, 2) == [b"here", hashlib.sha256(sent).hexdigest().encode()]


def test_writing_to_an_exited_bot_is_ignored() -> None:
    with run("") as bot:
        wait_for_end(bot)
        wait_for(lambda: bot.has_exited(), "the bot to exit")
        bot.send(HELLO)
        assert not bot.unsent


# -- ending ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        ("", "exited with code 0"),
        ("import sys; sys.exit(3)", "exited with code 3"),
        ("import os; os.kill(os.getpid(), 15)", "was killed by SIGTERM"),
        ("import os; os.kill(os.getpid(), 37)", "was killed by signal 37"),
    ],
)
def test_describes_how_a_bot_ended(text: str, expected_text: str) -> None:
    with run(text) as bot:
        wait_for_end(bot)
        assert bot.exit_text(WAIT_S) == expected_text
        bot.check_available()


@pytest.mark.parametrize("level", ["none", "isolated"])
def test_only_unsandboxed_bot_may_stop_the_run(level: str) -> None:
    text = "import sys; print('asking\\na wrong key', file=sys.stderr); sys.exit(69)"
    settings = sandbox_settings_of(level)
    with BotProcess(code("anna", text), sandbox=settings) as bot:
        wait_for_end(bot)
        assert bot.exit_text(WAIT_S) == "exited with code 69"
        expected = pytest.raises(BotUnavailable, match=r"anna cannot play: a wrong key$")
        with expected if level == "none" else nullcontext():
            bot.check_available()


@NEEDS_PROC
def test_kills_bot_that_closes_its_output() -> None:
    with run("import os, signal; os.close(1); signal.pause()") as bot:
        wait_for_end(bot)
        assert bot.exit_text(grace_s=0.1) == "closed its output but kept running"
        assert not children()


PARENT = """
import os, signal, sys
ready, told = os.pipe()
child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(told, b"x")
    while True:
        signal.pause()
os.read(ready, 1)
print(child, flush=True)
"""


@NEEDS_PROC
def test_kills_child_processes_of_an_exited_bot() -> None:
    with run(PARENT + "os.close(1); os._exit(5)") as bot:
        (line,) = lines_of(bot, 1)
        # The child holds the pipes, so that the end of the output never comes.
        assert bot.exit_text(WAIT_S) == "exited with code 5"
        wait_for(lambda: not is_running(int(line)), "the child to end")


POLITE = """
import sys
from pathlib import Path
for line in sys.stdin:
    Path(sys.argv[1]).write_text(line)
Path(sys.argv[2]).write_text("left")
"""


@NEEDS_PROC
def test_kills_bots_that_do_not_exit(tmp_path: Path) -> None:
    received, left = tmp_path / "heard", tmp_path / "left"
    command = (*code("polite", POLITE).command, str(received), str(left))
    polite = BotProcess(Entrant("polite", command, str(tmp_path), ""))
    stubborn = run("import signal; print('here', flush=True); signal.pause()")
    with polite, stubborn:
        assert lines_of(stubborn, 1) == [b"here"]
        assert dismiss([polite], WAIT_S) == []
        assert (received.read_bytes(), left.read_text()) == (write(Bye()), "left")
        assert dismiss([stubborn], 0.01) == [stubborn]
        assert not children()


@NEEDS_PROC
def test_bots_share_the_exit_timeout() -> None:
    stubborn = [run("import signal; signal.pause()") for _ in range(8)]
    began = time.monotonic()
    dismiss(stubborn, 1.0)
    assert time.monotonic() - began < 8.0  # seven seconds of room: the machine may be busy
    assert not children()


@NEEDS_PROC
def test_leaves_no_process_and_no_descriptor() -> None:
    before = descriptors()
    for _ in range(3):
        with run(WAITS) as bot:
            bot.send(HELLO)
        dismiss([run(""), run(WAITS)])
        with run("") as bot:
            wait_for_end(bot)
            bot.exit_text()
    assert descriptors() == before
    assert not children()


@NEEDS_PROC
@pytest.mark.parametrize(
    ("command", "folder"),
    [(("no-such-program-of-anybody",), "."), (("true",), "no such folder"), (("./",), "/")],
)
def test_failed_start_leaves_nothing_behind(command: tuple[str, ...], folder: str) -> None:
    before = descriptors()
    with pytest.raises(OSError):  # noqa: PT011  # which one is a matter of the system
        BotProcess(Entrant("anna", command, folder, ""))
    assert descriptors() == before
    assert not children()


def test_bot_inherits_no_descriptors() -> None:
    ours = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(ours, True)
    text = f"""
import os
try:
    os.fstat({ours})
    print("inherited")
except OSError:
    print("closed")
print(os.getpgid(0) == os.getsid(0) == os.getpid())
"""
    try:
        with run(text) as bot:
            assert lines_of(bot, 2) == [b"closed", b"True"]
    finally:
        os.close(ours)
