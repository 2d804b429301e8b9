"""Pipes wait for many processes at a time, and send what was put when it is flushed."""

import os

import pytest

from arena.base.protocol import Bye, write
from arena.process.bot_process import BotProcess
from arena.process.pipes import Pipes, StopRequested
from tests.arena.playing import WAIT_S, code

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
SLEEPS = "import sys, time\nprint('up', flush=True)\ntime.sleep(600)"


def read_from(pipes: Pipes, process: BotProcess) -> list[bytes]:
    """Return the first lines of a process."""
    while True:
        for readable in pipes.wait(WAIT_S):
            lines = readable.read_lines()
            if readable is process and lines:
                return lines


def test_returns_readable_process() -> None:
    with BotProcess(code("ann", SLEEPS)) as ann, BotProcess(code("ben", ECHO)) as ben:
        pipes = Pipes()
        pipes.add(ann)
        pipes.add(ben)
        assert read_from(pipes, ann) == [b"up"]
        pipes.put(ben, write(Bye()))
        pipes.flush()
        assert pipes.wait(WAIT_S) == [ben]


def test_ignores_removed_process() -> None:
    with BotProcess(code("ann", SLEEPS)) as process:
        pipes = Pipes()
        pipes.add(process)
        assert read_from(pipes, process) == [b"up"]
        pipes.put(process, write(Bye()))
        pipes.remove(process)
        pipes.flush()
        assert process.unsent
    assert pipes.wait(0.0) == []


@pytest.mark.parametrize("is_closed", [True, False])
def test_waiting_ends_with_the_orders(is_closed: bool) -> None:
    orders, orderer = os.pipe()
    pipes = Pipes(orders)
    assert pipes.wait(0.0) == []
    if is_closed:
        os.close(orderer)
    else:
        os.write(orderer, b"x")
    with pytest.raises(StopRequested):
        pipes.wait(WAIT_S)
    os.close(orders)
    if not is_closed:
        os.close(orderer)


def test_returns_process_that_exited_without_output() -> None:
    text = "import os, sys\nos.close(1)\nsys.stdin.read()"
    with BotProcess(code("ann", text)) as ann, BotProcess(code("ben", ECHO)) as ben:
        pipes = Pipes()
        pipes.add(ann)
        pipes.add(ben)
        assert pipes.wait(WAIT_S) == [ann]
        assert ann.read_lines() is None
        pipes.await_exit(ann)
        pipes.await_exit(ann)
        assert not ann.has_exited()
        pipes.put(ben, write(Bye()))
        pipes.flush()
        assert read_from(pipes, ben) == [b'{"type":"bye"}']
        ann.hang_up()
        while ann not in (ready := pipes.wait(WAIT_S)):
            assert ready == []
        pipes.remove(ann)
        assert pipes.wait(0.0) == []
