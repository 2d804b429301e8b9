"""An upload of 10 GB to a real server: refused as soon as it is too large.

`test_middleware` has the other forms of it.
"""

import http.client
from pathlib import Path

from arena.extras.serve.web.middleware import MAX_BODY_BYTES
from tests.arena.extras.serve.serving import WAIT_S, browser, serving

TEN_GB = 10 * 1024**3
CHUNK = bytes(1024**2)
SOCKET_BYTES = 32 * 1024**2
"""More than the buffers of two sockets hold."""


def test_rejects_ten_gigabytes(contest_file: Path) -> None:
    with serving(contest_file) as server, browser(server) as teachers:
        teachers.post(server.teacher_link)
        connection = http.client.HTTPConnection(*server.address, timeout=WAIT_S)
        connection.putrequest("POST", "/teacher/roster/csv")
        for name, value in {
            "Cookie": "; ".join([f"{name}={value}" for name, value in teachers.cookies.items()]),
            "Content-Type": "application/x-www-form-urlencoded",
            "Transfer-Encoding": "chunked",
        }.items():
            connection.putheader(name, value)
        connection.endheaders()
        assert sent_until_closed(connection) < MAX_BODY_BYTES + SOCKET_BYTES
        connection.close()
        assert teachers.get("/teacher/roster").status_code == 200
        assert server.stop() == 0


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
