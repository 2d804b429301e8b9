"""The server process: its start, its address, its end."""

import random
import signal
import socket
from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.check.sandbox_probe import INEXACT
from arena.contest.roster import Student
from arena.contest.settings import RISK
from arena.extras.serve.web.contest_site import open_site
from benchmarks.serve_kills import Options, run
from tests.arena.command import arena, contest_text, refused
from tests.arena.extras.serve.serving import WAIT_S, browser, serving, start
from tests.arena.extras.serve.visiting import make_contest


def test_serves_rejects_a_second_server_and_stops(contest_file: Path) -> None:
    with serving(contest_file) as server:
        assert server.teacher_link.startswith(f"{server.url}/sign-in/")
        with browser(server) as teachers:
            assert "spring" in teachers.get("/").text
            roster = teachers.post(server.teacher_link)
            assert roster.url.path == "/teacher/roster"
            cookies = dict(teachers.cookies)
        with start(contest_file) as second:
            message, mistake = second.communicate(timeout=WAIT_S)
        assert (second.returncode, message) == (1, "")
        assert f"process {server.process.pid}" in mistake
        with (
            pytest.raises(ConnectionError),
            socket.create_connection(("127.0.0.2", server.address[1])),
        ):
            pass
        assert server.stop(signal.SIGTERM) == 0
        assert server.process.stderr
        assert "Traceback" not in server.process.stderr.read()

    with serving(contest_file.parent) as again, browser(again) as teachers:
        teachers.cookies.update(cookies)
        assert teachers.get("/teacher/roster").status_code == 200
        former = server.teacher_link.rpartition("/")[2]
        assert teachers.get(f"/sign-in/{former}").status_code == 404
        assert again.stop(signal.SIGINT) == 0


def test_reports_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start(make_contest(tmp_path / "other"), "--port", str(port)) as process:
            _, mistake = process.communicate(timeout=WAIT_S)
    assert process.returncode == 1
    assert f"port {port}" in mistake
    assert "--port" in mistake
    assert "Traceback" not in mistake


def test_network_server_prints_its_address(contest_file: Path) -> None:
    """Also where a student and a teacher of the roster have what the server would choose."""
    site = open_site(contest_file)
    site.people.add([Student("teacher", "Tea Cher")])
    assistant = site.people.add([Student("cy", "Cy")], "teacher")[0]
    link = site.people.make_key("cy", "link")
    with serving(contest_file, "--host", "0.0.0.0") as server:
        assert server.address[0] != "0.0.0.0"
        with browser(server) as browsing:
            assert "Sign in as Teacher" in browsing.get(server.teacher_link).text
        assert server.stop() == 0
    assert site.people.of_key(link, "link") == assistant
    assert site.people.require("teacher-2").is_teacher
    site.database.close()


def test_links_use_the_address_of_the_proxy(contest_file: Path) -> None:
    with serving(contest_file, "--url", "https://arena.example.edu/") as server:
        assert server.teacher_link.startswith("https://arena.example.edu/sign-in/")
        assert server.stop() == 0


def test_rejects_trusted_header_if_bots_could_send_it(contest_file: Path) -> None:
    with start(contest_file, "--trust-header", "X-Remote-User") as process:
        _, mistake = process.communicate(timeout=WAIT_S)
    assert process.returncode == 1
    assert "--trust-header" in mistake
    assert "Traceback" not in mistake


def test_rejects_weak_sandbox_at_start(contest_file: Path) -> None:
    text = contest_file.read_text()
    contest_file.write_text(text.replace(f'accepted_risk = "{RISK}"', ""))
    message = refused("serve", contest_file, "--port", "0")
    assert "got the sandbox level 'none', expected 'isolated'" in message
    assert RISK in message


def test_server_with_a_deadline_needs_exact_processor_time_or_accept_risk(
    contest_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.extras.serve.server.has_exact_clock", lambda: False)
    contest_file.write_text(contest_file.read_text() + '[deadline]\ndue = "2099-01-01 12:00"\n')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = ("--port", taken.getsockname()[1])
        message = refused("serve", contest_file, *port)
        assert f"cannot play the final of {contest_file}: {INEXACT}, use --accept-risk" in message
        assert "--port" in refused("serve", contest_file, *port, "--accept-risk")


# -- the command ---------------------------------------------------------------------------------


@pytest.mark.skipif(find_spec("uvicorn") is not None, reason="bribe-arena[serve] is installed")
def test_names_missing_extra(tmp_path: Path) -> None:
    (tmp_path / "contest.toml").write_text(contest_text("random"))
    assert "pip install '.[serve]'" in refused("serve", tmp_path)


def test_rejects_folder_without_contest(tmp_path: Path) -> None:
    assert "contest.toml" in refused("serve", tmp_path)
    assert arena("serve", "--port", "70000").exit_code == 2


# -- killed at any moment ------------------------------------------------------------------------


def test_killed_server_neither_loses_nor_duplicates_data(tmp_path: Path) -> None:
    options = Options(kills=2, students=2, uploads=3, pause_s=1.0, rounds=6)
    assert run(options, tmp_path, random.Random(0)) == []
