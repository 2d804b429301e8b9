"""Scripted talks with the dispatcher: which bot is asked, which is charged and when."""

import pytest

from arena.base.protocol import End, Fault, Hello, Limits, Ready, Start, Turn, read_from_referee
from arena.match.charging import MAX_STALL_REPLAYS, Reading
from arena.match.commands import (
    Inspect,
    Kill,
    Measure,
    ProcessFacts,
    Send,
    StartProcess,
    TooLate,
)
from arena.match.match_state import MAX_FAILED_STARTS
from arena.match.settings import MatchSettings
from tests.arena.match.scripted import Talk, bot, pair, under_way

pytestmark = pytest.mark.usefixtures("toys")

ALONE = MatchSettings(tables=1)
LATE = MatchSettings(Limits(start_ms=5_000, move_ms=1_000), tables=1)


# -- a game ------------------------------------------------------------------------------------


def test_bots_are_started_and_greeted_and_asked_when_they_are_ready() -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=ALONE)
    begun = talk.begin(pair(1, "ann", "ben"))
    assert [type(command) for command in begun] == [StartProcess, StartProcess, Send, Send]
    first = begun[0]
    assert isinstance(first, StartProcess)
    assert isinstance(first.hello, Hello)
    assert (first.process, first.entrant.name, first.hello.bot) == (1, "ann", "ann")
    for seat, name in enumerate(("ann", "ben")):
        (start,) = talk.sent[talk.number(name)]
        assert isinstance(start, Start)
        assert (start.table, start.seat) == (1, seat)
    (asked,) = talk.ready("ann")
    assert isinstance(asked, Send)
    turn = read_from_referee(asked.line)
    assert isinstance(turn, Turn)
    assert (asked.process, turn.turn) == (talk.number("ann"), 1)


def test_a_game_is_recorded_and_all_are_told() -> None:
    talk = under_way(1)
    talk.act_all()
    (recorded,) = talk.records
    assert recorded.record.faults == ()
    assert len(recorded.record.actions) == 8
    assert [timing.answers for timing in recorded.seen.timings] == [4, 4]
    for number in (1, 2):
        end = talk.sent[number][-1]
        assert isinstance(end, End)
        assert end.points == recorded.record.points
    assert not talk.dispatcher.games.by_table


def test_the_times_of_answers_are_taken_from_when_the_bot_could_think() -> None:
    talk = under_way(1)
    for seat_s in (0.25, 0.5) * 4:
        talk.now += seat_s
        talk.act(next(number for number, turns in talk.pending.items() if turns))
    ((first, second),) = [recorded.seen.timings for recorded in talk.records]
    assert (first.total_us, first.worst_us) == (1_000_000, 250_000)
    assert (second.total_us, second.worst_us) == (2_000_000, 500_000)


# -- faults ------------------------------------------------------------------------------------


def test_an_illegal_action_is_inspected_before_the_game_goes_on() -> None:
    talk = under_way(1)
    talk.now = 0.2
    (inspect,) = talk.act(1, "cheat")
    assert isinstance(inspect, Inspect)
    talk.dispatcher.inspected(inspect, ProcessFacts("log", 30, 2_048))
    talk.go_on()
    talk.act_all()
    (recorded,) = talk.records
    ((fault,), (evidence,)) = recorded.record.faults, recorded.seen.evidence
    assert (fault.seat, fault.action, fault.kind) == (0, 0, "illegal")
    assert (evidence.wall_ms, evidence.cpu_ms, evidence.memory_kib) == (200, 30, 2_048)
    assert (evidence.stderr, '"cheat"' in evidence.came) == ("log", True)
    assert recorded.record.title.startswith("high-card/2")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"hello", "malformed"),
        (b'{"type":"ready","protocol":1}', "malformed"),
        (b'{"type":"act","table":9,"turn":1,"action":"hide 1"}', "malformed"),
        (b'{"type":"act","table":1,"turn":2,"action":"hide 1"}', "malformed"),
        (b'{"type":"act","table":1,"turn":1,"action":"hide 1","x":"%s"}' % (b"x" * 2_000), "flood"),
    ],
)
def test_a_wrong_line_ends_its_process(line: bytes, kind: str) -> None:
    talk = under_way(1, Limits(output_kib=1))
    (kill,) = talk.say(1, line)
    assert isinstance(kill, Kill)
    assert (kill.process, kill.cause, kill.came) == (1, kind, line)
    talk.carry_out(kill)
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    assert (fault.seat, fault.kind) == (0, kind)


def test_a_bot_that_breaks_in_its_only_game_is_charged_and_a_stand_in_plays_on() -> None:
    talk = under_way(1)
    talk.acts(1, 2)
    talk.broke(1, text="exited with code 1")
    talk.act_all()
    (recorded,) = talk.records
    ((fault,), (evidence,)) = recorded.record.faults, recorded.seen.evidence
    assert (fault.seat, fault.action, fault.kind) == (0, 2, "crash")
    assert fault.text == "exited with code 1"
    assert ('"turn":2' in evidence.asked, evidence.stderr, evidence.seat) == (True, "log", 0)


def test_a_bot_that_breaks_before_its_turn_is_charged_at_its_next_turn() -> None:
    talk = under_way(1)
    talk.act(1)
    talk.broke(1)
    assert talk.pending[2], "the other bot is still asked"
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    assert (fault.seat, fault.action) == (0, 2)
    assert talk.records[0].seen.evidence[0].asked == ""


def test_with_always_charge_all_games_are_charged() -> None:
    settings = MatchSettings(tables=2, always_charge=True)
    talk = Talk(bot("ann"), bot("ben"), settings=settings)
    talk.begin(pair(1, "ann", "ben"), pair(2, "ann", "ben"))
    talk.ready("ann", "ben")
    talk.broke(1)
    talk.act_all()
    assert [[fault.kind for fault in recorded.record.faults] for recorded in talk.records] == [
        ["crash"]
    ] * 2


# -- starts ------------------------------------------------------------------------------------


def test_a_bot_that_cannot_be_started_is_charged_and_not_started_for_ever() -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=ALONE)
    for number in range(MAX_FAILED_STARTS + 2):
        talk.begin(pair(number, "ann", "ben"))
        if number < MAX_FAILED_STARTS:
            talk.dispatcher.not_started(talk.number("ann"), "cannot start `ann`")
            talk.go_on()
        if number == 0:
            talk.ready("ben")
        talk.act_all()
    assert len(talk.numbers["ann"]) == MAX_FAILED_STARTS
    assert len(talk.records) == MAX_FAILED_STARTS + 2
    for recorded in talk.records:
        ((fault,), (evidence,)) = recorded.record.faults, recorded.seen.evidence
        assert (fault.kind, fault.text) == ("start", "cannot start `ann`")
        assert (evidence.seat, evidence.asked) == (0, "")


def test_bots_are_introduced() -> None:
    talk = Talk(bot("ann"), bot("ben"), bot("cem"))
    talk.dispatcher.bots.start_all()
    talk.go_on()
    talk.ready("ann")
    talk.broke(talk.number("ben"), text="exited with code 1")
    talk.dispatcher.not_started(talk.number("cem"), "cannot start it")
    assert talk.dispatcher.bots.introductions() == {
        "ann": Ready(1),
        "ben": Fault("start", "exited with code 1"),
        "cem": Fault("start", "cannot start it"),
    }
    charge = talk.dispatcher.bots.charge_of("ben")
    assert charge
    assert '"type":"hello"' in charge.evidence.asked
    assert not talk.dispatcher.requests.unanswered
    assert [talk.dispatcher.bots.process_of(name) for name in ("ann", "ben")] == [1, None]


# -- deadlines and stalls ----------------------------------------------------------------------


def test_a_bot_that_is_not_ready_in_time_is_killed() -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=LATE)
    talk.begin(pair(1, "ann", "ben"))
    talk.ready("ben")
    assert talk.pass_time(4.9) == []
    measure, too_late, kill = talk.pass_time(0.1)
    assert (type(measure), type(too_late)) == (Measure, TooLate)
    assert isinstance(kill, Kill)
    assert (kill.process, kill.cause, kill.text) == (1, "timeout", "not ready within 5000 ms")
    talk.carry_out(kill)
    talk.act_all()
    assert [fault.kind for fault in talk.records[0].record.faults] == ["start"]


def test_a_bot_that_is_too_late_is_charged() -> None:
    talk = under_way(1, LATE.limits)
    talk.pass_time(0.01)
    assert [type(command) for command in talk.pass_time(0.05)] == [Measure]
    talk.dispatcher.measured(1, Reading(40))
    measure, too_late, kill = talk.pass_time(0.95)
    assert (type(measure), type(too_late)) == (Measure, TooLate)
    assert isinstance(kill, Kill)
    assert "1000 ms" in kill.text
    talk.carry_out(kill)
    talk.act_all()
    ((evidence,),) = [recorded.seen.evidence for recorded in talk.records]
    assert (evidence.wall_ms, evidence.cpu_ms) == (1_010, 0)


@pytest.mark.parametrize("stalls", range(1, MAX_STALL_REPLAYS + 2))
def test_a_time_out_while_the_host_stalled_is_excused_so_often(stalls: int) -> None:
    talk = under_way(1, LATE.limits)
    for number in range(stalls):
        if number:
            talk.say(talk.number("ann"), b'{"type":"ready","protocol":1}')
        talk.dispatcher.requests.stalls.woke(0.05, 0.5)
        kill = talk.pass_time(1.0)[-1]
        talk.carry_out(kill)
    if stalls <= MAX_STALL_REPLAYS:
        talk.say(talk.number("ann"), b'{"type":"ready","protocol":1}')
    talk.act_all()
    (recorded,) = talk.records
    assert recorded.seen.stalls == min(stalls, MAX_STALL_REPLAYS)
    kinds = [fault.kind for fault in recorded.record.faults]
    assert kinds == (["timeout"] if stalls > MAX_STALL_REPLAYS else [])
