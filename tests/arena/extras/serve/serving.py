"""A real server, started by `arena serve` on a free port."""

import contextlib
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from httpx2 import Client

from tests.arena.runs import ARENA

WAIT_S = 60


class Server(NamedTuple):
    process: subprocess.Popen[str]
    url: str
    teacher_link: str

    @property
    def address(self) -> tuple[str, int]:
        host, _, port = self.url.removeprefix("http://").rpartition(":")
        return host, int(port)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(WAIT_S)


def start(place: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*ARENA, "serve", str(place), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextlib.contextmanager
def serving(place: Path, *options: str) -> Iterator[Server]:
    with start(place, *options) as process:
        try:
            assert process.stdout
            lines = [process.stdout.readline(), process.stdout.readline()]
            found = [re.search(r"https?://\S+", line) for line in lines]
            assert found[0], lines
            assert found[1], lines
            yield Server(process, found[0][0], found[1][0])
        finally:
            process.terminate()


def browser(server: Server) -> Client:
    return Client(base_url=server.url, follow_redirects=True, timeout=WAIT_S)
