"""A backup that is made while a server checks and plays is served in another place."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.contest.inbox import Inbox
from arena.contest.roster import Student
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.tournament.standings import is_complete
from arena.tournament.store import DATABASE as RUN_DATABASE
from arena.tournament.store import Store
from tests.archives import unpack_tar
from tests.arena.command import arena, printed, stored
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.extras.serve.serving import browser, serving
from tests.arena.extras.serve.visiting import make_contest
from tests.arena.playing import wait_for

RUN = Path("results", "spring")


def keys_of(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / RUN / RUN_DATABASE)) as database:
        return [key for (key,) in database.execute("SELECT key FROM games")]


def is_over(folder: Path, bots: set[str]) -> bool:
    with Store.open(folder / RUN) as store:
        return is_complete(store) and bots <= {
            bot for result in store.results() for bot in result.entrants
        }


@pytest.mark.long  # `test_backup` has the short form
def test_server_continues_from_a_backup(tmp_path: Path) -> None:
    contest = make_contest(tmp_path / "contest").parent
    with closing(ServerDatabase(contest / DATABASE)) as database:
        people = People(database)
        people.add([Student("ann", "Ann Lee"), Student("bob", "Bob")])
        tokens = {name: people.make_key(name, "token") for name in ("ann", "bob")}
    bots = {name: tmp_path / f"{name}.py" for name in tokens}
    for name, file in bots.items():
        file.write_bytes(GOOD + name.encode().join([b"#", b"\n"]))
    backup = tmp_path / "backups" / "contest.tar.gz"
    with serving(contest) as server, browser(server) as teachers:
        teachers.post(server.teacher_link)
        cookies = dict(teachers.cookies)
        message = printed("submit", bots["ann"], "--server", server.url, "--token", tokens["ann"])
        assert f"ann: accepted as version 1: {server.url}/submissions/1" in message
        wait_for(lambda: stored(contest / RUN) > 0, "a game of the ladder")
        with bots["bob"].open("rb") as file:
            headers = {"Authorization": f"Bearer {tokens['bob']}"}
            answer = teachers.post("/api/submissions", files={"file": file}, headers=headers)
        assert answer.status_code in (201, 202), answer.text
        made = arena("backup", contest, "--to", backup)
        assert made.exit_code == 0, made.output
        assert server.stop() == 0
    unpack_tar(backup, tmp_path / "elsewhere")
    again = tmp_path / "elsewhere" / "contest"
    before = keys_of(again)
    assert before
    with serving(again) as server, browser(server) as teachers:
        teachers.cookies.update(cookies)
        assert teachers.get("/teacher").status_code == 200, "the session goes on"
        inbox = Inbox(again)
        wait_for(lambda: bool(inbox.versions("bob")), "the check that waited")
        wait_for(lambda: is_over(again, {"ann", "bob"}), "all games of both bots")
        assert server.stop() == 0
    after = keys_of(again)
    assert set(before) <= set(after), "no game is lost"
    assert len(after) == len(set(after)), "and none is doubled"
