"""Uploads of 10 GB to a real server: refused at once, or as soon as they are too large."""

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.extras.serve.web.middleware import MAX_BODY_BYTES
from tests.arena.extras.serve.serving import WAIT_S, Server, browser, serving
from tests.arena.extras.serve.visiting import csrf_in

FORM = "application/x-www-form-urlencoded"
TEN_GB = 10 * 1024**3
CHUNK = bytes(1024**2)
SOCKET_BYTES = 32 * 1024**2
"""More than the buffers of two sockets hold."""


@pytest.fixture
def server(contest_file: Path) -> Iterator[Server]:
    with serving(contest_file) as started:
        yield started
        assert started.stop() == 0


def post(server: Server, headers: dict[str, str]) -> http.client.HTTPConnection:
    """Send the head of a POST."""
    connection = http.client.HTTPConnection(*server.address, timeout=WAIT_S)
    connection.putrequest("POST", "/teacher/roster/csv")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection


def test_ten_gigabytes_are_refused(server: Server) -> None:
    with browser(server) as teachers:
        page = teachers.get(server.teacher_link).text
        teachers.post(server.teacher_link, data={"csrf": csrf_in(page)})
        csrf = csrf_in(teachers.get("/account").text)
        cookie = "; ".join([f"{name}={value}" for name, value in teachers.cookies.items()])
        own = {"Cookie": cookie, "X-CSRF-Token": csrf, "Content-Type": FORM}

        declared = post(server, {**own, "Content-Length": str(TEN_GB)})
        answer = declared.getresponse()
        assert answer.status == 413
        assert "1 MiB" in answer.read().decode()
        declared.close()

        streamed = post(server, {**own, "Transfer-Encoding": "chunked"})
        assert sent_until_closed(streamed) < MAX_BODY_BYTES + SOCKET_BYTES
        streamed.close()

        stranger = post(server, {"Content-Length": str(TEN_GB)})
        assert stranger.getresponse().status == 401
        stranger.close()
        assert teachers.get("/teacher/roster").status_code == 200


def sent_until_closed(connection: http.client.HTTPConnection) -> int:
    """Send chunks until the server closes the connection, and return the number of bytes."""
    sent = 0
    try:
        while sent < TEN_GB:
            connection.send(b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK))
            sent += len(CHUNK)
    except OSError:
        pass
    return sent
