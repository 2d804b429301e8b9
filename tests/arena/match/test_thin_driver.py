"""The driver with a scripted transport: no process, and a clock that does not wait."""

from collections.abc import Sequence

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits, SeatFault, Turn
from arena.base.record import GameRecord
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from tests.arena.match.scripted import bot, pair
from tests.arena.match.scripted_transport import ScriptedProcess, ScriptedTransport, first_legal
from tests.arena.playing import by_name

pytestmark = pytest.mark.usefixtures("toys")

GAMES = 8
MOVE_S = 0.5


def play(
    transport: ScriptedTransport, settings: MatchSettings, games: int = 1, waits: bool = False
) -> list[GameRecord]:
    """Return the records of games between ann and ben."""
    players = by_name(bot("ann", waits), bot("ben", waits))
    scheduled = [pair(number, "ann", "ben") for number in range(games)]
    with Driver(Dispatcher(players, settings), transport) as driver:
        records = [record for record, _ in driver.play_all(scheduled)]
    return records


def faults(records: list[GameRecord]) -> list[SeatFault]:
    """Return all faults of some games."""
    return [fault for record in records for fault in record.faults]


@pytest.mark.parametrize(("waits", "as_long_as"), [(True, 1), (False, GAMES)])
def test_eight_games_of_waiting_bots_take_the_time_of_one(waits: bool, as_long_as: int) -> None:
    transport = ScriptedTransport({"ann": MOVE_S, "ben": MOVE_S})
    began = transport.now()
    records = play(transport, MatchSettings(waiting_games=8), GAMES, waits)
    assert (len(records), faults(records)) == (GAMES, [])
    one_game_s = 8 * MOVE_S
    assert transport.now() - began == pytest.approx(as_long_as * one_game_s, rel=0.05)


def test_a_deadline_passes_to_the_moment() -> None:
    transport = ScriptedTransport({"ann": 0.0, "ben": 60.0})
    began = transport.now()
    (fault,) = faults(play(transport, MatchSettings(Limits(move_ms=700))))
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "timeout")
    assert transport.now() - began == pytest.approx(0.7)
    assert transport.processes["ben"][0].is_killed


class Busy(ScriptedTransport):
    """A transport that is woken up late, and does not see at first what has come."""

    def wait(self, wait_s: float) -> Sequence[ScriptedProcess]:
        """Return nothing, after a second too many if a bot is pending."""
        readable = super().wait(wait_s)
        if not readable:
            self._time += 1.0
        return readable


def test_an_answer_that_came_while_the_driver_was_busy_counts() -> None:
    """The deadline has passed when the driver looks, but the answer came in the meantime."""
    transport = Busy({"ann": 0.5, "ben": 0.5})
    assert faults(play(transport, MatchSettings(Limits(move_ms=700)))) == []


def test_the_exit_of_a_bot_that_closes_its_output_is_not_waited_for() -> None:
    """It is too late at its turn, and costs the others no time before."""
    transport = ScriptedTransport({"ann": 0.0, "ben": 0.3}, {"ann": lambda turn: closes(turn)})

    def closes(turn: Turn) -> str:
        process = transport.processes["ann"][0]
        process.lives_on = process.has_closed_output = turn.turn == 2
        return first_legal(turn)

    began = transport.now()
    (fault,) = faults(play(transport, MatchSettings(Limits(move_ms=700))))
    assert (fault.seat, fault.action, fault.kind) == (0, 2, "timeout")
    assert transport.now() - began == pytest.approx(0.7 + 4 * 0.3)


def test_a_bot_that_exceeds_its_bounds_is_killed() -> None:
    bounded = SandboxSettings("limits")
    transport = ScriptedTransport({"ann": 0.0, "ben": 0.3}, {"ben": lambda turn: grows(turn)})

    def grows(turn: Turn) -> str:
        transport.processes["ben"][0].excess_text = "took 99 MiB of memory; 64 MiB are allowed"
        return first_legal(turn)

    (fault,) = faults(play(transport, MatchSettings(sandbox=bounded)))
    assert (fault.seat, fault.kind) == (1, "crash")
    assert "took 99 MiB of memory; 64 MiB are allowed" in fault.text
