"""A bot that uses half of its budget has no fault, and one that uses too much always has one."""

from collections.abc import Callable

import pytest

from arena.base.protocol import Limits
from arena.match.driver import watch_games
from arena.match.settings import MatchSettings
from arena.process.local import LocalProcesses
from arena.sandbox.cgroup import Home
from tests.arena.levels import no_home, own_home, sandbox_settings_of
from tests.arena.playing import NEEDS_PROC, by_name, children, code, first, make_game, plug_in

pytestmark = [pytest.mark.slow, NEEDS_PROC]

MOVE_MS = 200
LIMITS = Limits(start_ms=120_000, move_ms=MOVE_MS, idle_ms=1_000)
GAMES = 3
PLAYS = """
import hashlib, json, os, sys, threading, time

def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

def fork(does):
    if os.fork() == 0:
        does()
        os._exit(0)

def in_process(seconds):
    burn(seconds)

def in_threads(seconds):
    until = time.process_time() + seconds
    def work():
        while time.process_time() < until:
            hashlib.sha256(bytes(100_000)).digest()
    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

def in_children(seconds):
    for _ in range(round(seconds / 0.01)):
        fork(lambda: burn(0.01))
        os.wait()

def in_orphans(seconds):
    ended, end = os.pipe()
    def work():
        os.setsid()
        burn(seconds / 4)
        os.write(end, b"x")
    for _ in range(4):
        fork(lambda: fork(work))
        os.wait()
    for _ in range(4):
        os.read(ended, 1)
    os.close(ended)
    os.close(end)

print('{"type":"ready","protocol":1}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        SPEND
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
"""


def faults(spends: str, home: Callable[[], Home | None] = own_home) -> list[str]:
    """Return the kinds of the faults in some games of a bot that does this for each answer."""
    bot = code("bot", PLAYS.replace("SPEND", spends))
    settings = MatchSettings(LIMITS, sandbox_settings_of("isolated"))

    def open_transport(settings: MatchSettings) -> LocalProcesses:
        return LocalProcesses(settings.limits, settings.sandbox, home=home)

    with plug_in():
        games = [make_game("high-card/2", number, ("bot", "first")) for number in range(GAMES)]
        played = list(watch_games(games, by_name(bot, first()), settings, open_transport))
    assert not children()
    return [fault.kind for record, _ in played for fault in record.faults]


@pytest.mark.parametrize("where", ["process", "threads", "children", "orphans"])
def test_counts_processor_time_of_threads_children_and_orphans(where: str) -> None:
    assert faults(f"in_{where}({0.5 * MOVE_MS / 1000})") == []
    assert faults(f"in_{where}({1.3 * MOVE_MS / 1000})") == ["timeout"] * GAMES


def test_counts_living_processes_without_control_group() -> None:
    assert faults(f"in_threads({0.5 * MOVE_MS / 1000})", no_home) == []
    assert faults(f"in_threads({1.3 * MOVE_MS / 1000})", no_home) == ["timeout"] * GAMES


def test_limits_sleep_by_idle_time() -> None:
    assert faults("time.sleep(0.5)") == []
    assert faults("time.sleep(1.3)") == ["timeout"] * GAMES
