"""A run on one Dask worker: the bots that are sent to it, and their size."""

from pathlib import Path

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits
from arena.contest.entrants import find_entrant
from arena.extras.dask.messages import Arrival, PackedBot, SessionHello
from arena.extras.dask.packed_bots import pack_bot
from arena.extras.dask.tasks import WorkerSession
from tests.arena.runs import DICE_BOT, make_bot

HELLO = SessionHello(
    "session", ("pot-de-vin/3",), SandboxSettings(), None, 0, pin=False, keeps_logs=False
)


def packed_bot(folder: Path, name: str, code: str = DICE_BOT) -> PackedBot:
    return pack_bot("session", find_entrant(str(make_bot(folder, name, code))), Limits())


def test_a_bot_is_unpacked_once_and_removed_at_the_end(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    session = WorkerSession(HELLO, there)
    packed = packed_bot(tmp_path, "traveller")
    assert session.receive(packed) == session.receive(packed) == Arrival()
    assert session.fingerprints == (packed.entrant.fingerprint,)
    assert len([*there.glob("*/bot.py")]) == 1
    assert session.close() == {}
    assert not there.exists()


def test_bots_with_too_many_bytes_for_a_worker_are_refused(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    first, second, large = [
        packed_bot(tmp_path, name, DICE_BOT + "#" * size)
        for name, size in (("first", 0), ("second", 1), ("large", 10_000))
    ]
    size = sum([len(file.data) for file in first.files])
    session = WorkerSession(HELLO, there, max_bots_bytes=2 * size + 1_000)
    other = tuple([msgspec.structs.replace(file, data=b"other") for file in second.files])
    broken = msgspec.structs.replace(second, files=other)
    assert "fingerprint" in session.receive(broken).obstacle
    assert session.receive(first) == Arrival()
    assert "make them smaller" in session.receive(large).obstacle
    assert session.receive(second) == Arrival()
    assert len([*there.iterdir()]) == 2
    session.close()
