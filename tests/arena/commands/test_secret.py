"""The secret of a run as people meet it: drawn, kept, resumed, published and checked."""

import json
import os
import shutil
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.contest.secret_file import read_secret, write_secret
from arena.tournament.run import open_or_create
from arena.tournament.store import Store
from tests.arena.command import VARIANT, arena, done, printed, refused, stored
from tests.arena.playing import NEEDS_PROC, wait_for
from tests.arena.runs import (
    PATIENT_OPTIONS,
    RUN_OPTIONS,
    SECRET,
    bot_options,
    make_bots,
    make_gated_bots,
    marked,
    silent,
    start_arena,
)


class Contest:
    """Bots, a secret, and the command that plays them."""

    def __init__(self, parent: Path, bots: list[Path] | None = None) -> None:
        self.secret = parent / "secret.txt"
        write_secret(self.secret, SECRET)
        self.bots = bots or make_bots(parent / "bots", 4)
        self.results = parent / "results"
        self.command = [
            "run", *bot_options(self.bots), "--variant", VARIANT, "--rounds", "6",
            "--results", str(self.results), *RUN_OPTIONS,
        ]  # fmt: skip

    def play(self, name: str, *options: object) -> Path:
        """Play a run to its end, and return its folder."""
        done(*self.command, "--name", name, *options)
        return self.results / name


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    """A contest, and its run `spring` with a secret."""
    contest = Contest(tmp_path_factory.mktemp("contest"))
    contest.play("spring", "--set", f"secret={contest.secret}", "--workers", 2)
    return contest


@pytest.fixture(scope="module")
def seeded(contest: Contest) -> Path:
    """The run `seeded` of the contest, which has a seed."""
    return contest.play("seeded", "--seed", 0)


@pytest.fixture
def copy(contest: Contest, tmp_path: Path) -> Contest:
    """A copy of the contest with its run `spring`, which a test may spoil."""
    made = Contest(tmp_path, contest.bots)
    shutil.copytree(contest.results / "spring", made.results / "spring")
    return made


# -- drawing and keeping -----------------------------------------------------------------------


def test_leaderboard_prints_secret_hash_or_seed(contest: Contest, seeded: Path) -> None:
    again = arena(
        *contest.command, "--name", "spring", "--set", f"secret={contest.secret}", "--all"
    )
    assert SECRET.hash in arena("leaderboard", contest.results / "spring", "--all").stdout
    assert SECRET.hash in again.stderr
    board = json.loads((contest.results / "spring" / "leaderboard.json").read_text())
    assert board["secret_hash"] == SECRET.hash
    assert SECRET.text not in again.stdout + again.stderr
    assert "seed 0" in printed("leaderboard", seeded, "--all")
    assert "bots could predict" in printed("leaderboard", seeded, "--all")
    assert not (seeded / "secret.txt").exists()


# -- nobody else learns it ---------------------------------------------------------------------


@NEEDS_PROC
def test_secret_is_not_in_command_lines_or_environments(tmp_path: Path) -> None:
    """Of any process of a run under way: bots of the same user may read both."""
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    folder = tmp_path / "results" / "spring"
    arguments = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", "24"]
    arguments += [*PATIENT_OPTIONS, "--workers", "2", "--name", "spring"]
    arguments += ["--set", "machine.pin=false"]
    with start_arena([*arguments, "--results", str(folder.parent)], mark) as process:
        try:
            wait_for(lambda: stored(folder) > 0, "the first games")
            secret = read_secret(folder / "secret.txt").text.encode()
            pids = marked(mark)
            seen = list(said_by(pids))
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    gate.unlink()
    assert len(pids) >= 6  # the run, two workers, and three bots at least
    assert any(b"arena.tournament.executors.worker" in one for one in seen)
    for one in seen:
        assert secret not in one
        assert bytes.fromhex(secret.decode()) not in one


def said_by(pids: list[int]) -> Iterator[bytes]:
    """Yield the command lines and environments of processes."""
    for pid in pids:
        for name in ("cmdline", "environ"):
            yield Path(f"/proc/{pid}/{name}").read_bytes()


# -- publishing and verifying ------------------------------------------------------------------


@pytest.mark.slow  # it draws the pictures of sites
def test_publishes_secret_after_the_run(contest: Contest, tmp_path: Path) -> None:
    site = tmp_path / "site"
    folder = contest.results / "spring"
    done("publish", folder, "--to", site)
    for path in site.rglob("*"):
        assert path.is_dir() or SECRET.text.encode() not in path.read_bytes(), path
    about = (site / "about.html").read_text()
    assert SECRET.hash in about
    done("publish", folder, "--to", site, "--with-secret")
    assert (site / "files/secret.txt").read_text() == f"{SECRET.text}\n"
    about = (site / "about.html").read_text()
    assert f"<dd>{SECRET.text}</dd>" in about
    assert "--secret secret.txt" in about
    done("publish", folder, "--to", site)
    assert not (site / "files/secret.txt").exists()


def test_never_publishes_secret_of_an_unfinished_run(
    copy: Contest, seeded: Path, tmp_path: Path
) -> None:
    folder = copy.results / "spring"
    with Store.open(folder) as store:
        settings = store.settings()
    open_or_create(folder, msgspec.structs.replace(settings, rounds=9), silent).close()
    text = refused("publish", folder, "--to", tmp_path / "site", "--with-secret")
    assert "6 of 9 games" in text
    assert not (tmp_path / "site").exists()
    assert "secret" in refused("publish", seeded, "--to", tmp_path / "site", "--with-secret")


def test_verify_needs_a_lost_secret(copy: Contest) -> None:
    folder = copy.results / "spring"
    (folder / "secret.txt").unlink()
    assert "secret.txt is missing" in refused("verify", folder)
    assert arena("verify", folder, "--secret", copy.secret).exit_code == 0
