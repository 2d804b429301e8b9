"""The attacks of the table of the probe, and others on the sandbox.

All are tried at `isolated`. `none` shows that the attack is one.
"""

import sys
from collections.abc import Iterator

import pytest

from arena import plugins
from arena.check.sandbox_probe import (
    ALL_ATTACKS_S,
    denied_attacks,
    read_attacks,
    try_attacks,
)
from tests.arena.levels import LEVELS, answer, sandbox_settings_of
from tests.arena.playing import plug_in

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="need Linux")


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with plug_in():
        yield


@pytest.mark.parametrize("level", LEVELS)
def test_attacks_succeed_only_without_a_sandbox(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "of the organiser")
    shown = [row for row in read_attacks() if row.shows]
    rows = shown if level == "none" else denied_attacks(level)
    sandbox_settings_of(level)
    message = try_attacks(plugins.sandboxes()[level], rows, ALL_ATTACKS_S)
    for row, text in zip(rows, message, strict=True):
        expected = ("did it",) if level == "none" else row.error
        assert text.partition(": ")[0] in expected, f"{row.number} {row.title}"


# -- what is held in many places ---------------------------------------------------------------

LIMITS_OF_FIRST = """
with open("/proc/1/limits") as file:
    first = file.read()
with open("/proc/self/limits") as file:
    mine = file.read()
different = {one.partition("  ")[0] for one in set(first.split("\\n")) ^ set(mine.split("\\n"))}
print(*sorted(different))
"""


def test_first_process_inside_has_the_bot_limits() -> None:
    """All but the number of processes, which counts for the user outside."""
    assert answer(LIMITS_OF_FIRST, sandbox_settings_of("isolated")) == "Max processes"


def test_connections_hold_little_memory() -> None:
    """Number 83: each TCP connection could hold 5 MiB; now 250 sockets hold less than 32 MiB."""
    text = """
import socket
server = socket.create_server(("127.0.0.1", 0), backlog=200)
pairs, held = [], 0
try:
    while True:
        pairs.append((socket.create_connection(server.getsockname()), server.accept()[0]))
except OSError:
    pass
for pair in pairs:
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                held += end.send(bytes(1 << 20))
        except BlockingIOError:
            pass
print(len(pairs), held >> 20)
"""
    pairs, held_mib = map(int, answer(text, sandbox_settings_of("isolated")).split())
    assert pairs > 100
    assert held_mib < 32
