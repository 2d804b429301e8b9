"""`arena roster`: who has submitted, the newest bots, and removed people. It needs no extra."""

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.contest.inbox import Inbox
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from tests.arena.command import arena, contest_text, done, printed, refused
from tests.arena.contest.submitted import accept
from tests.arena.runs import make_bots


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    folder = tmp_path / "spring"
    folder.mkdir(parents=True)
    (folder / "contest.toml").write_text(contest_text("random"))
    return folder


def test_removal_adopts_roster_file(contest: Path) -> None:
    (contest / "class.csv").write_text("id,name\ns1,Zoë\n")
    file = contest / "contest.toml"
    file.write_text(file.read_text().replace("[entrants]", '[entrants]\nroster = "class.csv"'))
    assert "removed s1" in printed("roster", "remove", "s1", "--to", contest)
    assert (contest / DATABASE).stat().st_mode & 0o777 == 0o600
    with closing(ServerDatabase(contest / DATABASE)) as database:
        assert [person.name for person in People(database).removed()] == ["Zoë"]
        database.connect().execute("PRAGMA user_version = 99")
    assert "99" in refused("roster", "remove", "s1", "--to", contest)


def test_removes_the_bot_rather_than_the_teacher_with_its_id(contest: Path) -> None:
    with closing(ServerDatabase(contest / DATABASE)) as database:
        teacher = People(database).add_teacher().id
        accept(contest, teacher)
        done("roster", "remove", teacher, "--to", contest)
        assert (Inbox(contest).lineup(), bool(People(database).get(teacher))) == ([], True)


def test_status_lists_submissions_and_refusals(contest: Path, tmp_path: Path) -> None:
    file = contest / "contest.toml"
    file.write_text(file.read_text().replace("[entrants]", '[entrants]\nroster = "students.csv"'))
    (contest / "students.csv").write_text("id,name\ns1,Zoë\ns2,Ann\ns3,李雷\n")
    good, bad = make_bots(tmp_path, 1)[0], tmp_path / "bad.py"
    bad.write_text("x = 1\n")
    done("submit", good, "--to", contest, "--as", "s1", "--no-check")
    assert "not accepted" in arena("submit", bad, "--to", contest, "--name", "Ann").stderr
    rows = {row["id"]: row for row in json.loads(printed("roster", "status", contest, "--json"))}
    assert [rows[student]["versions"] for student in ("s1", "s2", "s3")] == [1, 0, 0]
    assert (rows["s2"]["refused"], rows["s3"]["refused"]) == (1, 0)
    assert "not accepted" in rows["s2"]["refusal"]
    text = printed("roster", "status", "--to", contest)
    assert rows["s2"]["refusal"] in text
    assert text.endswith("2 without an accepted bot: Ann (s2), 李雷 (s3)\n")


def test_status_shows_times_with_offset(contest: Path, berlin: None) -> None:
    for number, (month, hour) in enumerate(((7, 15), (12, 16))):
        at = datetime(2026, month, 1, hour, 55, tzinfo=UTC)
        accept(contest, f"s{number}", at=at)
    text = printed("roster", "status", "--to", contest)
    assert "2026-07-01 17:55 CEST" in text
    assert "2026-12-01 17:55 CET" in text


def test_removed_bot_leaves_the_run_and_returns(contest: Path) -> None:
    for bot in make_bots(contest.parent / "made", 5):
        done("submit", bot, "--to", contest, "--no-check")
    results = contest / "results"
    run = ("run", contest, "--sandbox", "none")
    done(*run)
    done(*run, "--final", "--accept-risk")
    final = (results / "spring-final/leaderboard.json").read_bytes()
    before = (results / "spring/leaderboard.json").read_bytes()
    remove = ("roster", "remove", "bot-2", "--to", contest)
    assert "removed bot-2" in printed(*remove)
    message = arena(*run).stderr
    assert "bots that have left: bot-2; their games do not count" in message
    counted = re.search(r"spring: (\d+) games, (\d+) of them played before", message)
    assert counted
    assert counted[1] == counted[2], "no game of the others is played again"
    assert "bot-2" not in printed("leaderboard", results / "spring")
    done("verify", results / "spring")
    assert "restored bot-2" in printed(*remove, "--undo")
    assert "bots that are back: bot-2; their games count again" in arena(*run).stderr
    assert (results / "spring/leaderboard.json").read_bytes() == before
    assert (results / "spring-final/leaderboard.json").read_bytes() == final
    copied = contest.parent / "newest"
    assert f"{copied / 'bot-2'}: version 1" in printed("roster", "files", copied, "--to", contest)
    assert (copied / "bot-2" / "bot.toml").is_file()
    assert "'bot-9'" in refused("roster", "remove", "bot-9", "--to", contest)
    stored = {path.name for path in (contest / "bots").iterdir()}
    done(*remove, "--files")
    assert {path.name for path in (contest / "bots").iterdir()} == stored, "the runs name them"
    assert {row.fingerprint for row in Inbox(contest).all("owner = 'bot-2'")} == {""}
