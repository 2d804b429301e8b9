"""`arena serve` as a process: a bot is handed in, checked by the checker, and survives a kill."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.contest.settings import RISK
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.submissions.submission_store import SubmissionStore
from tests.arena.command import arena, refused
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.extras.serve.visiting import make_contest
from tests.arena.playing import wait_for
from tests.arena.runs import marked, start_arena


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve a contest in this context, and yield the process and the address."""
    mark = folder.name
    process = start_arena(["serve", str(folder), "--port", "0"], mark)
    try:
        assert process.stdout
        yield process, process.stdout.readline().split()[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
        wait_for(lambda: not marked(mark), "the end of all processes")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[ServerDatabase]:
    """The database of a contest that is not served yet."""
    made = ServerDatabase(make_contest(tmp_path / "contest-in-process").parent / DATABASE)
    yield made
    made.close()


def test_what_is_handed_in_is_checked_also_after_a_kill(
    tmp_path: Path, database: ServerDatabase
) -> None:
    folder = database.path.parent
    people = People(database, lambda: 0.0, lambda size: b"k" * size)
    people.add([Student("ann", "Ann Lee")])
    token = people.make_key("ann", "token")
    source = tmp_path / "my_bot.py"
    source.write_bytes(GOOD)
    with serving(folder) as (process, url):
        answer = arena("submit", source, "--server", url, "--token", token)
        assert answer.exit_code == 0, answer.output
        assert f"ann is accepted as version 1: {url}/submissions/1" in answer.stdout
        process.kill()
    orphan = folder / "submissions" / ".handed-in" / "orphan"
    orphan.mkdir()
    submissions = SubmissionStore(database)
    handed_in = submissions.get(1)
    assert handed_in
    assert handed_in.state == "accepted"
    kept = submissions.add(people.require("ann"), 0.0, "b.py", "key", False)
    stored = folder / "submissions" / ".handed-in" / "key"
    stored.mkdir()
    (stored / "b.py").write_bytes(GOOD + b"#")
    assert submissions.begin_next(), "its checker was killed"
    with serving(folder):
        wait_for(lambda: submissions.progress(kept).state == "accepted", "the verdict")
        assert not orphan.exists()
    assert sorted(one.name for one in (folder / "submissions" / "ann").glob("[!.]*")) == ["1", "2"]


def test_a_weak_sandbox_is_refused_at_the_start(tmp_path: Path) -> None:
    file = make_contest(tmp_path / "weak")
    file.write_text(file.read_text().replace(f'accepted_risk = "{RISK}"', ""))
    said = refused("serve", file.parent, "--port", "0")
    assert "got the sandbox level 'none', expected 'isolated'" in said
    assert RISK in said
