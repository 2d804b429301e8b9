"""Bots that compute while others are asked, to make them late: numbers 41, 50 and 116.

All processes share one core. The rivals need 150 ms of it for an answer, of 4 s that are allowed:
beside 40 spinners that would take them 6 s.
"""

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from arena.base.protocol import Limits
from arena.base.record import Entrant, GameRecord
from arena.match.driver import watch_games
from arena.match.settings import MatchSettings
from arena.process import host
from arena.process.local import LocalProcesses
from arena.sandbox.cgroup import Home, our_home
from tests.arena.levels import no_home, sandbox_settings_of
from tests.arena.playing import NEEDS_PROC, by_name, children, code, make_game, plug_in

NAMES = ("rival", "attacker", "other")
LIMITS = Limits(start_ms=120_000, move_ms=4_000)
PLAYS = """
print('{"type":"ready","protocol":1}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        before(message["turn"])
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
        after(message["turn"])
"""
RIVAL = """
import json, sys, time

def before(turn):
    until = time.process_time() + 0.15
    while time.process_time() < until:
        pass

def after(turn):
    pass
"""
ATTACKER = """
import json, os, signal, sys

def spin():
    while True:
        pass

def fork(spinners, does):
    for _ in range(spinners):
        if os.fork() == 0:
            os.setsid()
            try:
                os.sched_setaffinity(0, range(os.cpu_count()))
            except OSError:
                pass
            does()
"""
SPINS = """
def before(turn):
    pass

def after(turn):
    if turn == 1:
        fork(40, spin)
"""
CONTINUES = """
def before(turn):
    if turn == 1:
        told, tell = os.pipe()
        fork(1, lambda: spin_continued(tell))
        os.read(told, 1)

def after(turn):
    pass

def spin_continued(tell):
    target = os.getpid()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.dup2(tell, 3)
        loop = "echo >&3; while kill -CONT $0 2>/dev/null; do sleep 0.02; done"
        os.execve("/bin/sh", ["sh", "-c", loop, str(target)], {})
    spin()
"""
"""A spinner, and a daemon without a mark that has it go on. It ends when the spinner does."""


CALLS = """
import mmap

def before(turn):
    pass

def after(turn):
    if turn == 1:
        fork(8, call)

def call():
    view = memoryview(mmap.mmap(-1, 2 << 20))
    pages = os.open("/proc/self/pagemap", os.O_RDONLY)
    while True:
        os.preadv(pages, [view] * 1000, 0)
"""
"""Each call takes most of a second, and the process stops at its end only."""


each_home = pytest.mark.parametrize("home", [no_home, our_home])


@pytest.fixture(autouse=True)
def _on_one_core() -> Iterator[None]:
    usable = host.usable()
    if not host.pin(0, {usable[-1]}):
        pytest.skip("need to keep processes to one core")
    with plug_in():
        yield
    host.pin(0, set(usable))


def play(attack: str, home: Callable[[], Home | None], limits: Limits = LIMITS) -> GameRecord:
    """Return the record of a game."""
    rival = code("rival", RIVAL + PLAYS)
    attacker = code("attacker", ATTACKER + attack + PLAYS)
    other = Entrant("other", rival.command, rival.folder, "")
    settings = MatchSettings(limits, sandbox_settings_of("isolated"))

    def open_transport(settings: MatchSettings) -> LocalProcesses:
        return LocalProcesses(settings.limits, settings.sandbox, home=home)

    game = make_game("high-card/3", 1, NAMES)
    players = by_name(rival, attacker, other)
    ((record, _),) = watch_games([game], players, settings, open_transport)
    assert not children()
    return record


@pytest.mark.slow
@NEEDS_PROC
@each_home
@pytest.mark.parametrize(
    ("attack", "limits"),
    [(SPINS, LIMITS), (CALLS, replace(LIMITS, bank_ms=900))],
    ids=["spinners", "long calls of the kernel"],
)
def test_pondering_bot_does_not_delay_rivals(
    attack: str, limits: Limits, home: Callable[[], Home | None]
) -> None:
    """The bank of the rivals is little more than they need."""
    faults = play(attack, home, limits).faults
    assert {NAMES[fault.seat] for fault in faults} <= {"attacker"}


@pytest.mark.slow
@NEEDS_PROC
@each_home
def test_thawing_a_frozen_bot_does_not_delay_rivals(
    home: Callable[[], Home | None],
) -> None:
    faults = play(CONTINUES, home).faults
    assert {NAMES[fault.seat] for fault in faults} <= {"attacker"}
