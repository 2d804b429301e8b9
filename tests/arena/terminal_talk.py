"""Talks with programs in a pseudo-terminal."""

import os
import pty
import select
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence

from tests.arena.playing import WAIT_S


def typed_in_terminal(
    command: Sequence[str],
    talk: Iterable[tuple[str, str]],
    variables: Mapping[str, str] | None = None,
) -> str:
    """Run a command in a terminal. Wait for each text, and type the answer. Return all output.

    `variables` are added to the environment.
    """
    own, others = pty.openpty()
    environment = os.environ | {"COLUMNS": "100", "TERM": "dumb"} | dict(variables or {})
    with subprocess.Popen(
        command, stdin=others, stdout=others, stderr=others, env=environment
    ) as process:
        os.close(others)
        message, seen = "", 0
        deadline = time.monotonic() + WAIT_S
        try:
            for awaited, answer in talk:
                while (at := message.replace("\r", "").find(awaited, seen)) < 0:
                    assert select.select([own], [], [], deadline - time.monotonic())[0], message
                    message += os.read(own, 4096).decode()
                seen = at + len(awaited)
                os.write(own, answer.encode() + b"\n")
            process.wait(WAIT_S)
        finally:
            process.kill()
            os.close(own)
        assert process.returncode == 0, message
        return message
