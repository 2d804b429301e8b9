"""Silence of workers: a stopped one is found and replaced, and a stalled machine silences none."""

import io
import os
from pathlib import Path

import pytest
from msgspec.json import encode

from arena.base.record import write_record
from arena.tournament.executors.local import Heartbeats, Workers
from arena.tournament.executors.worker import BEAT_S, GATHER_S, BatchFinished, Heartbeat, Reports
from arena.tournament.run import open_or_create, play_missing
from tests.arena.playing import NEEDS_PROC
from tests.arena.runs import (
    DICE_BOT,
    ignore,
    make_bot,
    make_bots,
    play_out,
    played,
    schedule_of,
    settings_of,
    silent,
)

VARIANT = "pot-de-vin/3"


@pytest.mark.parametrize(
    ("waits", "lasted_s", "is_silent"),
    [
        (3, BEAT_S, False),
        (4, BEAT_S, True),
        (10_000, 0.0001, False),  # woken by the reports of others
        (3, 3600.0, False),  # a suspended machine, whose parent was not listening either
        (10, -3600.0, False),
    ],
)
def test_detects_silent_worker(waits: int, lasted_s: float, is_silent: bool) -> None:
    heartbeats = Heartbeats(max_s=3)
    for worker in ("quiet", "loud"):
        heartbeats.record(worker)
    for _ in range(waits):
        heartbeats.waited(BEAT_S, lasted_s)
        heartbeats.record("loud")
    assert heartbeats.are_overdue("quiet") == is_silent
    assert not heartbeats.are_overdue("loud")
    heartbeats.record("quiet")
    assert not heartbeats.are_overdue("quiet")


def test_limits_frequency_of_heartbeats() -> None:
    times = iter((100.0, 100.0, 100.1, 100.9, 101.0, 101.5, 500.0, 500.5, 501.0))
    file = io.BytesIO()
    reports = Reports(file, lambda: next(times))
    beats = []
    for _ in range(8):
        reports()
        beats.append(file.getvalue().count(encode(Heartbeat()) + b"\n"))
    assert beats == [1, 1, 1, 2, 2, 3, 3, 4]


def test_groups_reports() -> None:
    times = iter((0.0, 0.01, 0.02, 0.02 + GATHER_S / 2, 0.02 + GATHER_S, 0.02 + 2 * GATHER_S))
    file = io.BytesIO()
    reports = Reports(file, lambda: next(times))
    line = encode(BatchFinished()) + b"\n"
    sent, within_s = [], []
    for added in (1, 1, 1, 0, 0):
        for _ in range(added):
            reports.add(BatchFinished())
        within_s.append(reports())
        sent.append(file.getvalue().count(line))
    assert sent == [1, 1, 1, 3, 3]
    assert within_s == [BEAT_S, GATHER_S, GATHER_S, BEAT_S, BEAT_S]
    reports.add(BatchFinished())
    reports.send()
    assert file.getvalue().count(line) == 4
    assert file.getvalue().replace(encode(Heartbeat()) + b"\n", b"") == 4 * line


def is_stopped(pid: int) -> bool:
    """Return whether a process was stopped by a signal."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] == "T"


class WhileStopped:
    """A clock that stands still, but moves on each time it is asked while a worker is stopped."""

    def __init__(self, pid_file: Path) -> None:
        self.now = 0.0
        self._pid_file = pid_file

    def __call__(self) -> float:
        if self._pid_file.exists() and is_stopped(int(self._pid_file.read_text() or 0)):
            self.now += BEAT_S
        return self.now


STOPPER = """\
import os
import signal

def stop_once(pid):
    try:
        file = os.open({file!r}, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return
    os.write(file, str(pid).encode())
    os.close(file)
    os.kill(pid, signal.SIGSTOP)

"""
"""Stops a process, once in the life of the file."""


@pytest.mark.slow
@NEEDS_PROC
def test_replaces_worker_stopped_by_a_bot(
    tmp_path: Path,
) -> None:
    """The attack that hung a run: a bot without a sandbox stops the worker that asks it."""
    pid_file = tmp_path / "stopped"
    attack = STOPPER.format(file=str(pid_file)) + DICE_BOT.replace(
        '    elif kind == "turn":\n', '    elif kind == "turn":\n        stop_once(os.getppid())\n'
    )
    folders = [make_bot(tmp_path / "bots", "stopper", attack), *make_bots(tmp_path / "bots", 2)]
    run = settings_of(folders, VARIANT, rounds=12)
    notices: list[str] = []
    crew = Workers(1, notices.append)
    crew.heartbeats = Heartbeats(max_s=2)
    crew.clock = WhileStopped(pid_file)
    with open_or_create(tmp_path / "attacked", run, silent) as store:
        play_missing(store, run, crew, ignore)
        attacked = played(store)
    assert int(pid_file.read_text()) != os.getpid()
    assert len(notices) == 1
    assert attacked == [write_record(play_out(game)) for game in schedule_of(run)]
