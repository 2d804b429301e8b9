"""Tests of the refreshes of a run's site."""

import contextlib
import os
import signal
import subprocess
import uuid
from pathlib import Path
from typing import cast

import pytest

from arena.base.errors import StoreError
from arena.publish.layout import CATALOGUE, INDEX, STATE, ReplayChoice
from arena.publish.refresh import MAX_REST_S, Refresher, refreshing
from tests.arena.playing import NEEDS_PROC, wait_for
from tests.arena.publish.sites import bytes_in, publish_run
from tests.arena.runs import (
    RUN_OPTIONS,
    bot_options,
    make_bots,
    make_gated_bots,
    marked,
    run_arena,
    start_arena,
)


class Process:
    """Stands for a process that publishes."""

    def __init__(self) -> None:
        self.returncode: int | None = None
        self.said = ""
        self.interruptions = 0
        """Waits that a person interrupts."""

    def poll(self) -> int | None:
        return self.returncode

    def communicate(self) -> tuple[None, str]:
        if self.interruptions:
            self.interruptions -= 1
            raise KeyboardInterrupt
        if self.returncode is None:
            self.returncode = 0
        return None, self.said

    def terminate(self) -> None:
        self.returncode = -15


class World:
    """A clock, and the processes that were started."""

    def __init__(self) -> None:
        self.now = 100.0
        self.started: list[Process] = []
        self.notices: list[str] = []
        self.refresher = Refresher(self.start, self.notices.append, lambda: self.now)

    def start(self) -> "subprocess.Popen[str]":
        self.started.append(Process())
        return cast("subprocess.Popen[str]", self.started[-1])

    def tick_at(self, now: float) -> int:
        self.now = now
        self.refresher.tick()
        return len(self.started)

    def done_at(self, now: float) -> int:
        """Have the last process end, and be found to have ended."""
        self.started[-1].returncode = 0
        return self.tick_at(now)


def test_it_begins_at_once_and_rests_as_long_as_the_run_goes_on_and_a_minute_later_on() -> None:
    world = World()
    assert world.tick_at(100) == 1
    assert world.done_at(102) == 1
    assert world.tick_at(103) == 1
    assert world.tick_at(104) == 2
    assert world.done_at(105) == 2
    assert world.tick_at(109) == 2
    assert world.tick_at(110) == 3
    assert world.done_at(1000 + MAX_REST_S) == 3  # it took long: found to be done so late
    assert world.tick_at(1500) == 3
    assert world.tick_at(1950 + 2 * MAX_REST_S) == 4
    assert world.done_at(1951 + 2 * MAX_REST_S) == 4
    assert world.tick_at(1950 + 3 * MAX_REST_S) == 4
    assert world.tick_at(1951 + 3 * MAX_REST_S) == 5


def test_a_mistake_is_told_once_and_does_not_stop_the_run() -> None:
    world = World()
    for turn in range(3):
        world.tick_at(100 + 1000.0 * turn)
        world.started[-1].said = "a trace\ndisk full\n"
        world.started[-1].returncode = 1
        world.tick_at(101 + 1000.0 * turn)
    assert world.notices == ["cannot refresh the site: disk full"]


def test_the_end_is_published_after_what_is_under_way_and_is_an_error_if_it_fails() -> None:
    world = World()
    assert [world.tick_at(now) for now in (100, 500, 10_000)] == [1, 1, 1], "it waits for the last"
    world.refresher.finish()
    assert [one.returncode for one in world.started] == [0, 0]
    start = world.start

    def fails() -> "subprocess.Popen[str]":
        process = start()
        world.started[-1].returncode = 1
        world.started[-1].said = "disk full"
        return process

    refresher = Refresher(fails, world.notices.append, lambda: world.now)
    with pytest.raises(StoreError, match="cannot refresh the site: disk full"):
        refresher.finish()


def test_who_does_not_wait_for_the_end_stops_it() -> None:
    world = World()
    world.tick_at(100)
    world.started[0].interruptions = 1
    with pytest.raises(KeyboardInterrupt):
        world.refresher.finish()
    world.refresher.stop()
    assert world.started[0].returncode == -15
    world.refresher.stop()  # again does no harm


def test_a_folder_of_others_is_refused_before_a_game_is_played(tmp_path: Path) -> None:
    with refreshing(tmp_path / "run", None, print) as tick:
        tick()
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(StoreError, match="holds files but no site"):
        refreshing(tmp_path / "run", tmp_path, print).__enter__()


@pytest.mark.slow  # it draws the pictures of two sites
def test_a_run_that_publishes_leaves_the_site_that_publish_makes(tmp_path: Path) -> None:
    results = ["--results", str(tmp_path / "results")]
    options = [*bot_options(make_bots(tmp_path / "bots", 2)), "--variant", "bribery/2"]
    options += ["--rounds", "4", "--name", "spring", *RUN_OPTIONS, *results]
    played = run_arena("run", *options, "--set", f"publish={tmp_path / 'site'}")
    assert played.returncode == 0, played.stderr
    assert f"next: open {tmp_path / 'site' / 'index.html'}" in played.stderr
    publish_run(tmp_path / "results" / "spring", tmp_path / "again", ReplayChoice())
    files = [bytes_in(tmp_path / one) for one in ("site", "again")]
    for name in (CATALOGUE, STATE, INDEX):  # they have times
        assert all(one.pop(name) for one in files)
    assert files[0] == files[1]


def publishing(mark: str) -> list[int]:
    """Return the processes with this mark that publish."""
    found = []
    for pid in marked(mark):
        with contextlib.suppress(OSError):  # it has gone
            if b"arena.publish.refresh" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


@NEEDS_PROC
def test_a_refresh_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    """It has not yet published anything, and never does."""
    folders, _ = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    command = ["run", *bot_options(folders), "--variant", "pot-de-vin/3", "--rounds", "24"]
    command += [*RUN_OPTIONS, "--results", str(tmp_path), "--set", f"publish={tmp_path / 'site'}"]
    with start_arena(command, mark) as process:
        try:
            wait_for(lambda: bool(publishing(mark)), "the first refresh")
            (pid,) = publishing(mark)
            os.kill(pid, signal.SIGSTOP)
        finally:
            process.kill()
    os.kill(pid, signal.SIGCONT)
    wait_for(lambda: not marked(mark), "the end of all processes of the run")
    left = {one.name for one in tmp_path.glob("site/*")}
    assert left <= {".new"}, "it may have begun, but has put nothing into place"
