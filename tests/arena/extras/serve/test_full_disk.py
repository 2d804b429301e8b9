"""Tests of a full disk: pages report it, no acknowledged data is lost, and work continues later."""

import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.base.errors import HostError, StoreError
from arena.contest.roster import Student
from arena.extras.serve.background import WAKE
from arena.extras.serve.web.contest_site import open_site
from tests.arena.extras.serve.ladder_runs import (
    check_run,
    ladder,
    make_gated_contest,
    run_folder,
    state_of,
    stored_games,
    wait_until_over,
)
from tests.arena.extras.serve.sample_submissions import GOOD, check_all, inbox_of
from tests.arena.extras.serve.visiting import Browser, Clock, make_contest, make_random_bytes
from tests.arena.playing import wait_for
from tests.needs import need

SIZE_MIB = 24


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "none", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a file system cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    filling = disk / "filling"
    with filling.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    return filling


@need("mount")
def test_ladder_continues_when_there_is_space_again(disk: Path, tmp_path: Path) -> None:
    file, gate = make_gated_contest(disk, rounds=30)
    run, log = run_folder(file), tmp_path / "ladder.log"

    def has_failed() -> bool:
        state = state_of(file)
        return bool(state and state.activity == "waiting") or "cannot write" in log.read_text()

    with ladder(file, log) as process:
        wait_for(lambda: bool(stored_games(run)), "it plays")
        filling = fill(disk)
        before = stored_games(run)
        gate.unlink()
        wait_for(has_failed, "it cannot write")
        filling.unlink()
        assert process.stdin
        process.stdin.write(WAKE)
        process.stdin.flush()
        wait_until_over(file)
    assert before.items() <= stored_games(run).items()
    check_run(run)


@need("mount")
def test_rejects_submission_until_there_is_space(disk: Path, clock: Clock) -> None:
    file = make_contest(disk / "contest")
    site = open_site(file, clock=clock, random_bytes=make_random_bytes())
    ann = site.people.add([Student("ann", "Ann Lee")])[0]
    browser = Browser(site).sign_in(ann)
    filling = fill(disk)
    files = {"file": ("my_bot.py", GOOD)}
    answer = browser.post("/submissions", files=files)
    assert answer.status_code == 503
    assert "full" in answer.text
    assert not inbox_of(site).all()
    assert browser.get("/").status_code == 200
    filling.unlink()
    assert browser.post("/submissions", files=files).status_code == 200
    assert len(inbox_of(site).all()) == 1
    site.database.close()


def test_check_waits_while_the_disk_is_full(disk: Path, clock: Clock) -> None:
    site = open_site(make_contest(disk / "contest"), clock=clock, random_bytes=make_random_bytes())
    ann = site.people.add([Student("ann", "Ann Lee")])[0]
    browser = Browser(site).sign_in(ann)
    browser.post("/submissions", files={"file": ("my_bot.py", GOOD)})
    filling = fill(disk)
    with pytest.raises((HostError, StoreError, OSError, sqlite3.Error)):
        check_all(site)
    assert inbox_of(site).all()[0].state in ("waiting", "checking")
    filling.unlink()
    assert check_all(site) == 1
    assert inbox_of(site).all()[0].state == "accepted"
    site.database.close()
