"""Bot processes live on between batches of games, frozen, within bounds."""

from collections.abc import Mapping

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Bye, Fault, Start
from arena.base.record import GameRecord, Observations
from arena.match.seats import Player, always
from arena.match.settings import MatchSettings
from arena.tournament.executors import kept_processes
from arena.tournament.executors.kept_processes import KeptProcesses
from tests.arena.match.scripted import bot, pair
from tests.arena.match.scripted_transport import (
    Answer,
    ScriptedProcess,
    ScriptedTransport,
    first_legal,
)
from tests.arena.playing import by_name

pytestmark = pytest.mark.usefixtures("toys")

PLAIN = MatchSettings()
FREEZING = MatchSettings(sandbox=SandboxSettings("isolated"))
GAMES = 3


class Batches:
    """Batches of games between ann and ben, and the processes that play them."""

    def __init__(self, settings: MatchSettings = PLAIN) -> None:
        self.settings = settings
        self.answer_of_ann: Answer = first_legal
        self.transports: list[ScriptedTransport] = []
        self.lives = KeptProcesses(self._open)
        self._games = 0

    def _open(self, settings: MatchSettings) -> ScriptedTransport:
        answers = {"ann": lambda turn: self.answer_of_ann(turn)}
        times = {"ann": 0.0, "ben": 0.0, "cem": 0.0}
        self.transports.append(ScriptedTransport(times, answers))
        return self.transports[-1]

    def play(
        self, rotation: int | None, players: Mapping[str, Player] | None = None
    ) -> list[tuple[GameRecord, Observations]]:
        """Play a row of games and return them."""
        games = [pair(self._games + number, "ann", "ben") for number in range(GAMES)]
        self._games += GAMES
        everybody = players or by_name(bot("ann"), bot("ben"))
        return list(self.lives.watch_games(rotation, games, everybody, self.settings))

    def processes(self, name: str) -> list[ScriptedProcess]:
        """Return the processes of a bot, in the order of their starts."""
        return [process for each in self.transports for process in each.processes.get(name, [])]

    def alive(self) -> list[ScriptedProcess]:
        """Return the processes that have not ended."""
        every = [process for name in ("ann", "ben") for process in self.processes(name)]
        return [process for process in every if not process.is_killed]


@pytest.mark.parametrize("settings", [PLAIN, FREEZING], ids=["plain", "freezing"])
def test_batches_of_a_rotation_share_bot_processes(settings: MatchSettings) -> None:
    batches = Batches(settings)
    with batches.lives:
        for _ in range(3):
            assert len(batches.play(0)) == GAMES
        (ann,) = batches.processes("ann")
        assert not ann.is_killed
    tables = [message.table for message in ann.received if isinstance(message, Start)]
    assert tables == list(range(1, 3 * GAMES + 1))
    assert [message for message in ann.received if isinstance(message, Bye)] == [Bye()]
    assert not batches.alive()


def test_other_rotations_start_other_bot_processes() -> None:
    batches = Batches()
    with batches.lives:
        for rotation in (0, 1, None, 0, None):
            batches.play(rotation)
        assert len(batches.processes("ann")) == 4
        assert len(batches.alive()) == 4
    assert not batches.alive()


def test_freezes_waiting_processes() -> None:
    batches = Batches(FREEZING)
    with batches.lives:
        batches.play("one")
        assert all(process.is_frozen for process in batches.alive())
        batches.play("two")
        assert all(process.is_frozen for process in batches.alive())
        assert len(batches.play("one")) == GAMES


def test_replaces_process_that_breaks() -> None:
    batches = Batches()
    with batches.lives:
        batches.play(0)
        batches.answer_of_ann = lambda turn: "nonsense"
        (first, *_) = batches.play(0)
        assert {fault.seat for fault in first[0].faults} == {0}
        batches.answer_of_ann = first_legal
        assert not any(record.faults for record, _ in batches.play(0))
        assert len(batches.processes("ben")) == 1
        assert len(batches.alive()) == 2


def test_withdrawn_bot_process_exits() -> None:
    batches = Batches()
    with batches.lives:
        batches.play(0)
        withdrawn = {"ann": always(Fault("withdrawn", "too many")), "ben": bot("ben")}
        played = batches.play(0, withdrawn)
        assert {fault.kind for record, _ in played for fault in record.faults} == {"withdrawn"}
        assert batches.processes("ann")[0].is_killed
        assert batches.alive() == batches.processes("ben")


@pytest.mark.parametrize(
    ("processes", "memory_kib", "kept"),
    [(4, 10**6, 4), (3, 10**6, 2), (1, 10**6, 0), (128, 1024 * 5, 4), (128, 1024, 0)],
)
def test_limits_waiting_processes(
    processes: int, memory_kib: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_processes, "MAX_WAITING", processes)
    monkeypatch.setattr(kept_processes, "share_of_memory_kib", lambda: memory_kib)
    batches = Batches()
    with batches.lives:
        for rotation in (0, 1, 2):
            batches.play(rotation)
        assert len(batches.alive()) == kept


def test_kills_waiting_process_that_computes() -> None:
    batches = Batches()
    with batches.lives:
        batches.play("one")
        (ann,) = batches.processes("ann")
        ann.clock += 60
        batches.play("two")
        assert ann.is_killed
        played = batches.play("one")
        assert not any(record.faults for record, _ in played)
        assert len(batches.processes("ann")) == 3
