"""Tests of child processes, which are restarted, woken and stopped."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from arena.extras.serve.background import NICENESS, Child

ECHO = """
try:
    for line in sys.stdin:
        out.write(line)
except KeyboardInterrupt:
    pass
out.write("over\\n")
"""
"""A program that echoes each input line, and writes a last line when stopped."""

NICE = "sys.stdin.readline(); out.write(f'{os.nice(0)}\\n'); sys.stdin.read()"
"""A program that writes its niceness when woken."""


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """A named pipe to which each child writes."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


@pytest.fixture
def output(fifo: Path) -> Iterator[TextIO]:
    """The lines of all children, without an end."""
    with os.fdopen(os.open(fifo, os.O_RDWR)) as file:
        yield file


def child_of(program: str, fifo: Path, message: list[str]) -> Child:
    """Return a child that first writes `begun`, after which it can be woken."""
    start = "import os, signal, sys; signal.signal(signal.SIGTERM, signal.default_int_handler)\n"
    start += f"out = open({str(fifo)!r}, 'w', buffering=1); out.write('begun\\n')\n"
    command = [sys.executable, "-c", start + program]
    return Child("ladder", command, message.append, pause_s=0)


def test_wakes_and_stops_child(fifo: Path, output: TextIO) -> None:
    message: list[str] = []
    child = child_of(ECHO, fifo, message)
    child.start()
    assert output.readline() == "begun\n"
    child.wake()
    assert output.readline() == "wake\n"
    child.stop()
    assert output.readline() == "over\n"
    assert message == []
    assert child.pid is None


@pytest.mark.parametrize("code", [0, 3])
def test_restarts_child_when_woken_or_failed(fifo: Path, output: TextIO, code: int) -> None:
    message: list[str] = []
    child_of("", fifo, message).stop()  # it was never started
    child = child_of(f"sys.exit({code})", fifo, message)
    child.start()
    for _ in range(3):
        assert output.readline() == "begun\n"
        child.wake() if code == 0 else None
    child.stop()
    assert [f"code {code}" in one for one in message[:2]] == [True] * (2 if code else 0)


def test_restarts_killed_child_with_niceness(fifo: Path, output: TextIO) -> None:
    message: list[str] = []
    child = child_of(NICE, fifo, message)
    child.start()
    assert output.readline() == "begun\n"
    child.wake()
    assert int(output.readline()) == min(19, os.nice(0) + NICENESS)
    pid = child.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert output.readline() == "begun\n"
    assert child.pid != pid
    child.stop()
    assert "SIGKILL" in message[0]
