"""Tests of the ladder's signals and times."""

import os
import signal
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.contest.contest_file import read_contest
from arena.contest.inbox import Inbox
from arena.extras.serve.ladder.ladder_files import (
    closing_time,
    is_before_the_end,
    is_final_due,
)
from arena.extras.serve.ladder.ladder_player import CHANGE_SIGNAL, Interrupts
from tests.arena.extras.serve.visiting import Clock, make_contest


@pytest.fixture
def time() -> Clock:
    return Clock()


@pytest.fixture
def interrupts(time: Clock) -> Iterator[Interrupts]:
    made = Interrupts(time)
    with made.listening():
        yield made


def send(number: int) -> None:
    os.kill(os.getpid(), number)


def is_interrupted(
    interrupts: Interrupts, act: Callable[[], object] = lambda: None, after_s: float = 0
) -> bool:
    """Return whether news interrupts `act`."""
    try:
        with interrupts.allowed(after_s):
            act()
    except KeyboardInterrupt:
        return True
    return False


def test_remembers_changes_that_may_not_interrupt(interrupts: Interrupts) -> None:
    send(CHANGE_SIGNAL)
    assert interrupts.has_changes
    assert is_interrupted(interrupts)
    interrupts.take_changes()
    with interrupts.allowed():
        assert not interrupts.has_changes


def test_changes_interrupt_after_the_minimum_time(interrupts: Interrupts, time: Clock) -> None:
    send(CHANGE_SIGNAL)
    assert not is_interrupted(interrupts, lambda: send(CHANGE_SIGNAL), after_s=10)

    def ten_seconds_later() -> None:
        time.now += 10
        send(CHANGE_SIGNAL)

    assert is_interrupted(interrupts, ten_seconds_later, after_s=10)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stop_interrupts_once(interrupts: Interrupts, number: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        send(number)
    assert interrupts.must_stop
    send(number)  # as what is being ended must not be disturbed
    assert is_interrupted(interrupts, after_s=10), "nothing may begin any more"


def test_wait_ends_at_a_change_or_timeout(interrupts: Interrupts) -> None:
    interrupts.wait(0)
    send(CHANGE_SIGNAL)
    interrupts.wait(None)
    assert interrupts.has_changes


# -- times ---------------------------------------------------------------------------------------


DUE = datetime(2026, 12, 1, 18, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
LATER = DUE + timedelta(seconds=1)
LINES = '[deadline]\ndue = "2026-12-01 18:00+00:00"\n'


@pytest.mark.parametrize(
    ("lines", "at", "is_rehearsal", "is_due"),
    [
        (LINES, DUE, True, False),
        (LINES, LATER, False, True),
        (f"{LINES}[serve]\nfinal = false\n", LATER, False, False),
        ("", LATER, False, False),
    ],
)
def test_final_is_due_after_the_deadline(
    tmp_path: Path, lines: str, at: datetime, is_rehearsal: bool, is_due: bool
) -> None:
    contest = read_contest(make_contest(tmp_path / "a", lines))
    assert (is_before_the_end(contest, at), is_final_due(contest, at)) == (is_rehearsal, is_due)


def test_final_waits_for_the_last_extended_deadline(tmp_path: Path) -> None:
    file = make_contest(tmp_path / "a", LINES)
    inbox = Inbox(file.parent)
    inbox.extend("ann", (DUE + HOUR).timestamp())
    assert closing_time(read_contest(file)) == DUE + HOUR
    inbox.set_removed(["ann"], is_removed=True)
    assert closing_time(read_contest(file)) == DUE
