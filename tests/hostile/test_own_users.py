"""Bots that use up what Linux grants a user: numbers 110, 111, 132 and 133.

Each bot has a kernel user id of its own, so a rival has all that it may.
"""

import pytest

from arena.sandbox.users import our_users
from tests.arena.levels import answer, read, sandbox_settings_of, start
from tests.arena.playing import NEEDS_PROC

pytestmark = NEEDS_PROC

LIBRARY = """
import ctypes, fcntl, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
signals = {signal.SIGRTMIN}
def queue(number):
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    return [libc.sigqueue(os.getpid(), signal.SIGRTMIN, None) for _ in range(number)][-1]
def send():
    ours, theirs = socket.socketpair()
    socket.send_fds(ours, [b"x"], [0] * 16)
    return ours, theirs
"""
HOLDS = "\nprint('holds it', flush=True)\nsignal.pause()"
ATTACKS = {
    "111 descriptors in flight": (
        "held = [send() for _ in range(16)]\ntry:\n    held += [send()]\nexcept OSError: pass",
        "print(len(send()))",
        "2",
    ),
    "132 pages in pipes": (
        """
for _ in range(12):
    held = [os.pipe() for _ in range(100)]
    told, tell = os.pipe()
    if os.fork():
        os.read(told, 1)
        os.close(told), os.close(tell)
        [os.close(end) for pipe in held for end in pipe]
    else:
        os.write(tell, b"x")
        signal.pause()
""",
        "print(fcntl.fcntl(os.pipe()[1], 1032))",
        "65536",
    ),
    "133 pending signals": ("queue(5_000)", "print(queue(1_000))", "0"),
}
"""What a bot does, what its rival then does, and what comes of it."""


@pytest.mark.parametrize(("attack", "act", "expected"), ATTACKS.values(), ids=ATTACKS)
def test_bot_exhausts_only_resources_of_its_own_user(attack: str, act: str, expected: str) -> None:
    sandbox = sandbox_settings_of("isolated")
    if isinstance(lacking := our_users(), str):
        pytest.skip(f"need a kernel user id for each bot: {lacking}")
    with start(LIBRARY + attack + HOLDS, sandbox) as bot:
        assert read(bot) == ["holds it"]
        assert answer(LIBRARY + act, sandbox) == expected
