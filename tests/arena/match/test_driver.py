"""Tests of games between bot processes."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import pytest

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits, SeatFault, Turn
from arena.base.record import Entrant, Game, GameRecord
from arena.match.driver import Driver, local_processes
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from arena.process.pipes import StopRequested
from tests.arena.bad_bots import (
    SHORT,
    between_others,
    play_with,
    watch_with,
    watching,
)
from tests.arena.match.scripted import bot, pair
from tests.arena.match.scripted_transport import ScriptedProcess, ScriptedTransport, first_legal
from tests.arena.playing import (
    NEEDS_PROC,
    PATIENT,
    as_json,
    bundled,
    by_name,
    children,
    code,
    first,
    make_game,
    play_games,
    program,
    wait_to_read,
)

pytestmark = pytest.mark.usefixtures("toys")


@pytest.mark.parametrize(
    ("variant", "tables", "number"),
    [
        ("high-card/3", 8, 9),
        pytest.param("high-card/3", 1, 9, marks=pytest.mark.slow),
        pytest.param("pot-de-vin/3", None, 3, marks=pytest.mark.slow),
    ],
)
def test_records_do_not_depend_on_concurrent_games(variant: str, tables: int, number: int) -> None:
    names = ("random", "first", "unlucky")
    games = [make_game(variant, each, names) for each in range(number)]
    assert as_json(
        play_games(games, unlucky(), MatchSettings(PATIENT, tables=tables))
    ) == expected_of_unlucky(games)


def unlucky() -> dict[str, Entrant]:
    """Return a random bot, a bot that plays the first action, and one that crashes at random."""
    crashing = program("unlucky", "crashes_on_bad_luck")
    command = (sys.executable, "-B", "-P", "-m", "arena.bot", "crashes_on_bad_luck.py")
    return by_name(bundled("random"), first(), msgspec.structs.replace(crashing, command=command))


_unlucky: dict[str, bytes] = {}


def expected_of_unlucky(games: Sequence[Game]) -> list[bytes]:
    """Return the records of games that are played one at a time."""
    for game in games:
        if game.key not in _unlucky:
            settings = MatchSettings(PATIENT, tables=1, always_charge=True)
            with Driver(unlucky(), settings) as driver:
                (_unlucky[game.key],) = as_json([record for record, _ in driver.play_all([game])])
    expected = sorted(_unlucky[game.key] for game in games)
    crashed = sum(b'"crash"' in record for record in expected)
    assert 0 < crashed < len(expected), "the test wants games with and without a crash"
    return expected


# -- what is kept of a fault -------------------------------------------------------------------


def test_records_request_of_a_bot_that_exited_early() -> None:
    """The text of a fault doesn't depend on whether the bot or the referee is faster."""
    bad: list[BotProcess] = []

    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad":
            bad[:] = [bot]
        elif bot.entrant.name == "other" and turn == 2:
            wait_to_read(bad[0].stdout)  # it has left, and it is not its turn

    record = play_with(program("crashes_between_turns"), open_transport=watching(seen))
    (fault,) = record.faults
    assert (fault.text, fault.legal) == ("exited with code 3", ("hide 5", "hide 10"))


def test_evidence_has_request_and_end_of_stderr() -> None:
    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad" and turn == 2:
            wait_to_read(bot.stdout)  # its stderr came before

    _, observed = watch_with(program("sends_broken_json"), open_transport=watching(seen))
    (evidence,) = observed.evidence
    assert evidence.stderr == "this is not JSON"
    asked = msgspec.json.decode(evidence.asked)
    assert (asked["type"], asked["turn"], asked["view"]["hand"]) == ("turn", 2, [5, 10, 11])
    assert evidence.wall_ms is not None


def test_truncates_stderr() -> None:
    logs = "import sys\nsys.stderr.write('a' * 1000 + 'b' * 10)\nsys.exit(1)"
    for kept, expected in ((10, "b" * 10), (0, ""), (20, "a" * 10 + "b" * 10)):
        limits = Limits(120_000, 120_000, stderr_bytes=kept)
        _, seen = watch_with(code("bad", logs), limits)
        assert seen.evidence[0].stderr == expected


# -- by a scripted transport: no process, and a clock that does not wait ---------------------------


def faults(transport: ScriptedTransport, settings: MatchSettings) -> tuple[SeatFault, ...]:
    players = by_name(bot("ann"), bot("ben"))
    with Driver(players, settings, transport) as driver:
        ((record, _),) = driver.play_all([pair(0, "ann", "ben")])
    return record.faults


def test_bot_that_computes_too_long_is_killed_in_time() -> None:
    transport = ScriptedTransport({"ann": 0.0, "ben": 60.0})
    began = transport.now()
    (fault,) = faults(transport, MatchSettings(Limits(move_ms=700)))
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "timeout")
    assert transport.now() - began == pytest.approx(0.7, abs=0.01)
    assert transport.processes["ben"][0].is_killed


class Busy(ScriptedTransport):
    """A transport that wakes up late and then finds nothing to read."""

    def wait(self, wait_s: float) -> Sequence[ScriptedProcess]:
        """Return nothing, and take a second too long if a bot is thinking."""
        readable = super().wait(wait_s)
        if not readable:
            self._time += 1.0
        return readable


def test_accepts_answer_received_while_driver_was_busy() -> None:
    transport = Busy({"ann": 0.5, "ben": 0.5})
    assert faults(transport, MatchSettings(Limits(move_ms=700))) == ()


def test_closed_output_is_a_fault_without_waiting() -> None:
    """The bot exceeds its idle time at its next turn. The other bots lose no time."""
    transport = ScriptedTransport({"ann": 0.0, "ben": 0.3}, {"ann": lambda turn: closes(turn)})

    def closes(turn: Turn) -> str:
        process = transport.processes["ann"][0]
        process.lives_on = process.has_closed_output = turn.turn == 2
        return first_legal(turn)

    began = transport.now()
    (fault,) = faults(transport, MatchSettings(Limits(move_ms=700)))
    assert (fault.seat, fault.action, fault.kind) == (0, 2, "timeout")
    assert transport.now() - began == pytest.approx(0.7 + 4 * 0.3, abs=0.2)


def test_kills_bot_that_exceeds_its_bounds() -> None:
    bounded = SandboxSettings("isolated")
    transport = ScriptedTransport({"ann": 0.0, "ben": 0.3}, {"ben": lambda turn: grows(turn)})

    def grows(turn: Turn) -> str:
        transport.processes["ben"][0].excess_text = "used 99 MiB of memory; the limit is 64 MiB"
        return first_legal(turn)

    (fault,) = faults(transport, MatchSettings(sandbox=bounded))
    assert (fault.seat, fault.kind) == (1, "crash")
    assert "used 99 MiB of memory; the limit is 64 MiB" in fault.text


# -- the end -----------------------------------------------------------------------------------


@NEEDS_PROC
@pytest.mark.parametrize("bad", ["ten_lines/ten_lines", "crashes_in_act", "closes_its_output"])
def test_no_process_survives_the_games(bad: str) -> None:
    play_with(program("bad", bad), SHORT)
    assert not children()


def some_games() -> Iterator[GameRecord]:
    """Return games, of which those with the bad bot are replayed."""
    names = [("first", "bad"), ("first", "other")]
    games = [make_game("high-card/2", number, names[number % 2]) for number in range(6)]
    entrants = between_others(program("bad", "crashes_in_act"))
    return play_games(games, entrants, MatchSettings(PATIENT, tables=1))


@NEEDS_PROC
@pytest.mark.parametrize("played", [0, 3, 5])
def test_no_process_survives_aborted_games(played: int) -> None:
    records = some_games()
    for _ in range(played + 1):
        next(records)
    assert children()
    records.close()  # type: ignore[attr-defined]
    assert not children()


@NEEDS_PROC
@pytest.mark.parametrize("kind", ["closed", "readable"])
def test_stops_when_orders_end(kind: str) -> None:
    orders, orderer = os.pipe()
    games = [make_game("high-card/2", number, ("first", "silent")) for number in range(3)]
    entrants = by_name(first("first"), program("silent", "falls_silent"))
    try:
        records = play_games(
            games, entrants, MatchSettings(PATIENT), partial(local_processes, orders=orders)
        )
        if kind == "readable":
            os.write(orderer, b"{}\n")
        else:
            os.close(orderer)
        with pytest.raises(StopRequested):
            next(records)
        assert not children()
    finally:
        os.close(orders)
        if kind == "readable":
            os.close(orderer)
