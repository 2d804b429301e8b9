"""Tests of `arena submit --server`."""

import contextlib
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import SettingsError, SubmissionError
from arena.commands.server_client import submit
from tests.arena.command import arena
from tests.arena.contest.submitted import PLAIN, TOML, write

GONE = "http://127.0.0.1:1"
WAITING: dict[str, Any] = {"id": 7, "bot": "ann", "url": "http://it/submissions/7"}
STEPS = [
    {"name": "starts", "outcome": "passed", "text": "well"},
    {"name": "plays", "outcome": "failed", "text": "badly", "card": "ann: crash\x1b[2J"},
]


class Server(ThreadingHTTPServer):
    """A server with prepared answers that records all requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[tuple[int, object]] = []
        self.requests: list[tuple[str, str, str, bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind = f"Content-Type: {self.headers.get('Content-Type', '')}\r\n\r\n"
        token = self.headers["Authorization"]
        self.server.requests.append((self.command, self.path, token, kind.encode() + body))
        status, content = self.server.answers.pop(0)
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "https://elsewhere/")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)

    do_GET = do_POST = answer  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def state(name: str, **more: object) -> tuple[int, object]:
    return 200, {**WAITING, "state": name, **more}


def test_sends_folder_as_zip_of_its_code(tmp_path: Path, server: Server) -> None:
    folder = write(tmp_path / "My bot" / "bot.toml", TOML).parent
    for name in ("play.py", "play.log", ".git/config", "__pycache__/play.pyc"):
        write(folder / name)
    server.answers = [state("unchanged", version=1)]
    answer = submit(folder, f"{server.url}/", " abc \n")
    assert answer == "ann: unchanged, the same as version 1: http://it/submissions/7"
    ((method, path, token, sent),) = server.requests
    assert (method, path, token) == ("POST", "/api/submissions", "Bearer abc")
    (part,) = BytesParser().parsebytes(sent).get_payload()
    assert part.get_param("name", header="content-disposition") == "file"  # type: ignore[union-attr]
    assert part.get_filename() == "My bot.zip"  # type: ignore[union-attr]
    content = part.get_payload(decode=True)  # type: ignore[union-attr]
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["bot.toml", "play.py"]  # type: ignore[arg-type]


def test_sends_file_unchanged(tmp_path: Path, server: Server) -> None:
    server.answers = [state("accepted", version=1)]
    submit(write(tmp_path / "a.py"), server.url, "abc")
    assert PLAIN.encode() in server.requests[0][3]
    with pytest.raises(SubmissionError, match=r"expected a \.py file, a \.zip file or a folder"):
        submit(write(tmp_path / "a.txt"), server.url, "abc")
    with pytest.raises(SubmissionError, match=r"cannot read .*missing\.py"):
        submit(tmp_path / "missing.py", server.url, "abc")


def test_prints_each_step_until_the_verdict(tmp_path: Path, server: Server) -> None:
    server.answers = [
        (201, {**WAITING, "state": "waiting", "checks_before": 1}),
        state("checking", steps=STEPS[:1]),
        state("accepted", steps=STEPS[:1], version=3, late=True),
    ]
    command = ("submit", write(tmp_path / "a.py"), "--server", server.url, "--token", "abc")
    result = arena(*command)
    assert result.exit_code == 0
    assert result.stdout.count("starts") == 1
    assert result.stdout.endswith("ann: accepted as version 3, late: http://it/submissions/7\n")
    assert "stored as submission 7" in result.stderr


def test_prints_reason_of_refusal(tmp_path: Path, server: Server) -> None:
    server.answers = [state("refused", steps=STEPS, reason="ann fails")]
    result = arena("submit", write(tmp_path / "a.py"), "--server", server.url, "--token", "abc")
    assert result.exit_code == 1
    assert "ann: crash\\x1b[2J" in result.stdout
    assert "Error: ann fails (http://it/submissions/7)" in result.stderr


@pytest.mark.parametrize(
    ("status", "content", "text"),
    [
        (401, {"error": "The token is not valid"}, "The token is not valid"),
        (403, {"error": "too late\x1b["}, r"too late\\x1b\["),
        (404, b"<html>", "answered 404"),
        (200, {"id": "seven"}, "not a contest server"),
        (500, [], "answered 500"),
        (500, {"error": {"code": 7}}, "answered 500"),
        (302, b"", "answered 302 https://elsewhere/"),
    ],
)
def test_prints_errors_of_the_server(
    tmp_path: Path, server: Server, status: int, content: object, text: str
) -> None:
    server.answers = [(status, content)]
    with pytest.raises(SubmissionError, match=text):
        submit(write(tmp_path / "a.py"), server.url, "abc")


@pytest.mark.parametrize("url", [GONE, "http://no-such-host.invalid"])
def test_reports_unreachable_server(tmp_path: Path, url: str) -> None:
    with pytest.raises(SubmissionError, match=f"^{url}.*; check the address"):
        submit(write(tmp_path / "a.py"), url, "abc")


def test_submission_survives_a_lost_connection(tmp_path: Path, server: Server) -> None:
    server.answers = [(201, {**WAITING, "state": "waiting", "steps": STEPS[:1]}), (502, b"")]
    result = arena("submit", write(tmp_path / "a.py"), "--server", server.url, "--token", "abc")
    assert result.stdout.count("starts") == 1
    assert "the bot was stored, see http://it/submissions/7" in result.stderr


def test_rejects_invalid_addresses_and_tokens(tmp_path: Path) -> None:
    source = write(tmp_path / "a.py")
    for url in ("arena.example", "ftp://arena.example"):
        with pytest.raises(SettingsError, match="expected an address such as"):
            submit(source, url, "abc")
    for url, token in (("http://a:b:c", "a"), (GONE, "ab\r\nc"), (GONE, "ä€")):
        with pytest.raises(SubmissionError, match="check the address, the token and the network"):
            submit(source, url, token)
    assert arena("submit", source, "--server", "http://a").exit_code == 2
    more = arena("submit", source, "--server", "http://a", "--token", "b", "--name", "Ann")
    assert "--name is for contests on this machine" in more.stderr
