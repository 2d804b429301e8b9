"""Games are played by processes, many at a time, and each is recorded once."""

import sys
from collections.abc import Sequence

import msgspec
import pytest

from arena.base.protocol import Limits
from arena.base.record import Entrant, Game
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.playing import play_games
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from tests.arena.bad_bots import (
    NEVER,
    SHORT,
    assert_stand_in_plays_on,
    play_with,
    watch_with,
    watching,
)
from tests.arena.playing import (
    PATIENT,
    as_json,
    bundled,
    by_name,
    code,
    first,
    make_game,
    program,
    wait_to_read,
)

pytestmark = pytest.mark.usefixtures("toys")


@pytest.mark.parametrize(
    ("variant", "tables", "number"),
    [("high-card/3", 1, 9), ("high-card/3", 8, 9), ("pot-de-vin/3", None, 3)],
)
def test_records_do_not_depend_on_how_many_games_are_under_way(
    variant: str, tables: int, number: int
) -> None:
    names = ("random", "first", "unlucky")
    games = [make_game(variant, each, names) for each in range(number)]
    assert as_json(
        play_games(games, unlucky(), MatchSettings(PATIENT, tables=tables))
    ) == expected_of_unlucky(games)


def unlucky() -> dict[str, Entrant]:
    """Return a random bot, one that takes the first action, and one that its dice may crash."""
    crashing = program("unlucky", "crashes_on_bad_luck")
    command = (sys.executable, "-B", "-P", "-m", "arena.bot", "crashes_on_bad_luck.py")
    return by_name(bundled("random"), first(), msgspec.structs.replace(crashing, command=command))


_unlucky: dict[str, bytes] = {}


def expected_of_unlucky(games: Sequence[Game]) -> list[bytes]:
    """Return the records of games that are each played alone: with a room for every game."""
    for game in games:
        if game.key not in _unlucky:
            settings = MatchSettings(PATIENT, tables=1, always_charge=True)
            with Driver(Dispatcher(unlucky(), settings)) as driver:
                (_unlucky[game.key],) = as_json([record for record, _ in driver.play_all([game])])
    expected = sorted(_unlucky[game.key] for game in games)
    crashed = sum(b'"crash"' in record for record in expected)
    assert 0 < crashed < len(expected), "the test wants games with and without a crash"
    return expected


# -- what is kept of a fault -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "action", "kind", "turns"),
    [("crashes_between_turns", 7, "crash", 2), ("speaks_unasked", 7, "malformed", 2)],
)
def test_what_a_bot_does_between_turns_is_charged_with_its_next_turn(
    name: str, action: int, kind: str, turns: int
) -> None:
    record = play_with(program(name))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, action, kind)
    assert_stand_in_plays_on(record, turns)


def test_what_was_asked_is_recorded_also_of_a_bot_that_left_before_it_was_asked() -> None:
    """The text of a fault does not depend on who is quicker, the bot or the referee."""
    bad: list[BotProcess] = []

    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad":
            bad[:] = [bot]
        elif bot.entrant.name == "other" and turn == 2:
            wait_to_read(bad[0].stdout)  # it has left, and it is not its turn

    record = play_with(program("crashes_between_turns"), open_transport=watching(seen))
    (fault,) = record.faults
    assert (fault.text, fault.legal) == ("exited with code 3", ("hide 5", "hide 10"))


def test_the_evidence_has_what_was_asked_and_the_end_of_stderr() -> None:
    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad" and turn == 2:
            wait_to_read(bot.stdout)  # its stderr came before

    _, observed = watch_with(program("sends_broken_json"), open_transport=watching(seen))
    (evidence,) = observed.evidence
    assert evidence.stderr == "this is not JSON"
    asked = msgspec.json.decode(evidence.asked)
    assert (asked["type"], asked["turn"], asked["view"]["hand"]) == ("turn", 2, [5, 10, 11])
    assert evidence.wall_ms is not None


# -- clocks ------------------------------------------------------------------------------------


def test_the_clock_of_a_question_runs_only_when_the_bot_could_think_on_it() -> None:
    """Answers of a tenth of a second, which take more than the limit together, are in time."""
    number, limits = 24, Limits(start_ms=120_000, move_ms=2_000)  # a busy machine takes its part
    games = [make_game("high-card/2", each, ("thinks", "first")) for each in range(number)]
    entrants = by_name(program("thinks"), first())
    settings = MatchSettings(limits, tables=number, excused_share=NEVER)
    records = list(play_games(games, entrants, settings))
    assert [record.faults for record in records] == [()] * number


def test_the_start_of_a_bot_is_not_on_the_clock_of_its_first_move() -> None:
    slow_start = "import time, runpy; time.sleep(1.2); runpy.run_path('ten_lines/ten_lines.py')"
    assert play_with(code("slow", slow_start), SHORT).faults == ()
