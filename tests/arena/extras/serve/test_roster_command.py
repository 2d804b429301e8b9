"""`arena roster`: the people of a contest, their links and tokens. It needs no extra."""

import csv
import json
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.contest.inbox import Inbox
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase, keep_address
from tests.arena.command import arena, contest_text, done, printed, refused
from tests.arena.contest.submitted import accept
from tests.arena.runs import make_bots


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    folder = tmp_path / "spring"
    folder.mkdir(parents=True)
    (folder / "contest.toml").write_text(contest_text("random"))
    with closing(ServerDatabase(folder / DATABASE)) as database:
        keep_address(database, "https://arena.example.edu")
    return folder


@pytest.fixture
def people(contest: Path) -> Iterator[People]:
    database = ServerDatabase(contest / DATABASE)
    yield People(database)
    database.close()


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def link_in(row: dict[str, str]) -> str:
    return row["link"].rpartition("/")[2]


def test_adds_student_with_a_link(contest: Path, people: People) -> None:
    (row,) = rows(printed("roster", "add", "--to", contest, "--name", "Müller, Ann"))
    assert row["id"] == "Muller-Ann"
    person = people.of_key(link_in(row), "link")
    assert person is not None
    assert (person.name, person.role) == ("Müller, Ann", "student")


def test_links_start_with_the_address_of_the_server(contest: Path) -> None:
    with closing(ServerDatabase(contest / DATABASE)) as database:
        database.write("DELETE FROM server")
    early = done("roster", "add", "--to", contest, "--name", "Ann")
    assert early.stdout == ""
    assert "--url" in early.stderr
    assert "--url" in refused("roster", "link", "Ann", "--to", contest)
    assert arena("roster", "link", "Ann", "--to", contest, "--url", "example.org").exit_code == 2
    url = "https://arena.example.org/spring"
    (row,) = rows(printed("roster", "link", "--all", "--to", contest, "--url", f"{url}/"))
    assert row["link"].startswith(f"{url}/sign-in/")
    (row,) = rows(printed("roster", "add", "--to", contest, "--name", "Ben"))
    assert row["link"].startswith(f"{url}/sign-in/")


def test_adds_a_class_once(contest: Path, tmp_path: Path) -> None:
    file = tmp_path / "students.csv"
    file.write_text("Name,E-Mail,Team\nZoë,z@x.org,Nobles\n李雷,,Nobles\n", "utf-8-sig")
    first = rows(printed("roster", "add", "--to", contest, "--csv", file))
    assert [row["name"] for row in first] == ["Zoë", "李雷"]
    again = done("roster", "add", "--to", contest, "--csv", file)
    assert again.stdout == ""
    assert all(row["id"] in again.stderr for row in first)
    listed = json.loads(printed("roster", "list", "--to", contest, "--json"))
    assert {one["team"] for one in listed} == {"Nobles"}
    assert len({one["pseudonym"] for one in listed}) == 2


def test_renews_and_revokes_a_link(contest: Path, people: People) -> None:
    (first,) = rows(printed("roster", "add", "--to", contest, "--name", "Ann"))
    (second,) = rows(printed("roster", "link", "--to", contest, "Ann"))
    (token,) = rows(printed("roster", "link", "--to", contest, "--token", "Ann"))
    assert people.of_key(link_in(first), "link") is None
    assert people.of_key(link_in(second), "link") is not None
    assert people.of_key(token["token"], "token") is not None
    done("roster", "revoke", "--to", contest, "Ann")
    assert people.of_key(link_in(second), "link") is None
    assert people.of_key(token["token"], "token") is None


def test_link_all_skips_teachers(contest: Path, people: People) -> None:
    for name in ("Ann", "Bob"):
        done("roster", "add", "--to", contest, "--name", name)
    done("roster", "add", "--to", contest, "--name", "Cy", "--teacher")
    made = rows(printed("roster", "link", "--to", contest, "--all"))
    assert [row["id"] for row in made] == ["Ann", "Bob"]
    assert people.require("Cy").is_teacher


def test_adopts_roster_file_into_new_database(contest: Path) -> None:
    (contest / "class.csv").write_text("id,name\ns1,Zoë\n")
    file = contest / "contest.toml"
    file.write_text(file.read_text().replace("[entrants]", '[entrants]\nroster = "class.csv"'))
    assert "Zoë" in printed("roster", "list", "--to", contest)
    assert (contest / DATABASE).stat().st_mode & 0o777 == 0o600
    database = ServerDatabase(contest / DATABASE)
    database.connect().execute("PRAGMA user_version = 99")
    database.close()
    assert "99" in refused("roster", "list", "--to", contest)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["link", "Anna"], ["Anna", "Ann"]),
        (["revoke", "x"], ["'x'"]),
        (["add", "--name", "Other", "--id", "ann"], ["'Ann'", "Other"]),
        (["add", "--name", "\x1b[31m"], ["[31m"]),
        (["add", "--name", "Ok", "--id", "../x"], ["'../x'"]),
    ],
)
def test_reports_errors(contest: Path, arguments: list[str], parts: list[str]) -> None:
    done("roster", "add", "--to", contest, "--name", "Ann")
    text = refused("roster", *arguments, "--to", contest)
    assert [part for part in parts if part not in text] == []
    for command in ("add", "link"):
        assert arena("roster", command, "--to", contest).exit_code == 2


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
    assert "bot-2 is removed" in printed(*remove)
    said = arena(*run).stderr
    assert "bots that have left: bot-2; their games do not count" in said
    counted = re.search(r"spring: (\d+) games, (\d+) of them played before", said)
    assert counted
    assert counted[1] == counted[2], "no game of the others is played again"
    assert "bot-2" not in printed("leaderboard", results / "spring")
    done("verify", results / "spring")
    assert "bot-2 is restored" in printed(*remove, "--undo")
    assert "bots that are back: bot-2; their games count again" in arena(*run).stderr
    assert (results / "spring/leaderboard.json").read_bytes() == before
    assert (results / "spring-final/leaderboard.json").read_bytes() == final
    copied = contest.parent / "newest"
    assert f"{copied / 'bot-2'}: version 1" in printed("roster", "files", copied, "--to", contest)
    assert (copied / "bot-2" / "bot.toml").is_file()
    assert "'bot-9'" in refused("roster", "remove", "bot-9", "--to", contest)
    assert "say --yes" in refused(*remove, "--files")
    assert "deleted the submissions of bot-2: 0 bots" in printed(*remove, "--files", "--yes"), (
        "the runs name it"
    )
    assert Inbox(contest).all("owner = 'bot-2'")[0].file == ""
