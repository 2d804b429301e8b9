"""Workers and their bots keep to a core where that can be had, and play alike where it can't."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.base.contracts import Batch
from arena.base.record import Entrant, GameRecord, read_record
from arena.process.host import pin, usable
from arena.tournament.executors.local import Workers
from tests.arena.playing import BOTS, PATIENT, PYTHON, first, make_game
from tests.arena.runs import from_these, silent

NEEDS_PINNING = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="need os.sched_setaffinity"
)
TELLS_ITS_CORES = """
import os
from polite import listen, say

while (message := listen())["type"] != "bye":
    if message["type"] == "hello":
        say(type="ready", protocol=1)
    elif message["type"] == "turn":
        cores = " ".join(map(str, sorted(os.sched_getaffinity(0))))
        reply = {name: message[name] for name in ("table", "turn")}
        say(type="act", action=message["legal"][0], note=cores, **reply)
"""


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    """Return a process that waits."""
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as one:
        yield one
        one.kill()


@NEEDS_PINNING
def test_pins_process_to_a_core(process: subprocess.Popen[bytes]) -> None:
    core = usable()[-1]
    assert pin(process.pid, {core})
    assert os.sched_getaffinity(process.pid) == {core}


def cores_of_bots(workers: int, *, pinned: bool) -> list[set[int]]:
    """Return on which cores the bots of each worker say that they may run."""
    teller = Entrant("tells", (*PYTHON, "-c", TELLS_ITS_CORES), str(BOTS), "")
    entrants = (teller, first())
    batches = [
        Batch(
            (make_game("bribery/2", number, ("tells", "first")),), entrants, PATIENT, worker=number
        )
        for number in range(workers)
    ]
    with Workers(workers, silent, pin=pinned) as crew:
        ended = [done for some in crew.play_batches(from_these(batches)) for done in some]
    played = [read_record(bytes(done.record)) for done in ended]
    assert len(played) == workers
    return [noted(record) for record in played]


def noted(record: GameRecord) -> set[int]:
    """Return the cores that a bot noted, at each turn the same."""
    (note,) = {note.text for note in record.notes}
    return {int(core) for core in note.split()}


@NEEDS_PINNING
def test_worker_and_its_bots_share_one_core() -> None:
    found = cores_of_bots(2, pinned=True)
    assert [len(cores) for cores in found] == [1, 1]
    assert len(set.union(*found)) == min(2, len(usable()))


@NEEDS_PINNING
def test_unpinned_bots_run_on_all_cores() -> None:
    assert cores_of_bots(1, pinned=False) == [set(usable())]
