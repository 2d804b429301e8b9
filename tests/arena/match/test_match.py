"""Tests of the decisions of a match, with scripted processes."""

import pytest

from arena.base.protocol import End, Fault, Hello, Limits, Ready, Start, Turn, read_from_referee
from arena.match.clock import CREDIT
from arena.match.events import (
    Kill,
    PauseBots,
    Send,
    SetPlayers,
    StartBots,
    Started,
    StartProcess,
    Tick,
)
from arena.match.match import MAX_LATE
from arena.match.match_state import LONG_S, MAX_FAILED_STARTS
from arena.match.settings import MAX_GAMES, MatchSettings
from tests.arena.match.scripted import READY, Talk, bot, pair, under_way

pytestmark = pytest.mark.usefixtures("toys")

ALONE = MatchSettings(tables=1)
LIMITS = Limits(start_ms=5_000, move_ms=1_000, idle_ms=500)


# -- a game ------------------------------------------------------------------------------------


def test_starts_greets_and_asks_bots() -> None:
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
    *_, asked = talk.ready("ann")
    assert isinstance(asked, Send)
    turn = read_from_referee(asked.line)
    assert isinstance(turn, Turn)
    assert (asked.process, turn.turn) == (talk.number("ann"), 1)


def test_records_a_game_and_sends_its_end() -> None:
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
    assert not talk.match.tables


def test_answer_times_are_processor_times() -> None:
    talk = under_way(1)
    for seat_s in (0.25, 0.5) * 4:
        talk.now += 1.0
        number = next(number for number, turns in talk.pending.items() if turns)
        talk.clock_s[number] += seat_s
        talk.act(number)
    ((first, second),) = [recorded.seen.timings for recorded in talk.records]
    assert (first.total_us, first.worst_us) == (1_000_000, 250_000)
    assert (second.total_us, second.worst_us) == (2_000_000, 500_000)


# -- faults ------------------------------------------------------------------------------------


def test_records_illegal_action_with_its_view() -> None:
    talk = under_way(1)
    talk.now = 0.2
    talk.clock_s[1] = 0.03
    talk.running[1].read_stderr(b"a\xff log\n")
    talk.act(1, "cheat")
    talk.act_all()
    (recorded,) = talk.records
    ((fault,), (evidence,)) = recorded.record.faults, recorded.seen.evidence
    assert (fault.seat, fault.action, fault.kind) == (0, 0, "illegal")
    assert (evidence.wall_ms, evidence.cpu_ms) == (200, 30)
    assert (evidence.stderr, '"cheat"' in evidence.came) == (r"a\xff log", True)


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
def test_kills_process_after_an_invalid_line(line: bytes, kind: str) -> None:
    talk = under_way(1, Limits(output_kib=1))
    (kill,) = talk.say(1, line)
    assert isinstance(kill, Kill)
    assert (kill.process, kill.cause, kill.came) == (1, kind, line)
    talk.carry_out(kill)
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    assert (fault.seat, fault.kind) == (0, kind)


def test_crash_is_charged_and_stand_in_plays_on() -> None:
    talk = under_way(1)
    talk.acts(1, 2)
    talk.broke(1, text="exited with code 1")
    talk.act_all()
    (recorded,) = talk.records
    ((fault,), (evidence,)) = recorded.record.faults, recorded.seen.evidence
    assert (fault.seat, fault.action, fault.kind) == (0, 2, "crash")
    assert fault.text == "exited with code 1"
    assert ('"turn":2' in evidence.asked, evidence.stderr, evidence.seat) == (True, "log", 0)


def test_early_crash_is_charged_at_the_next_turn() -> None:
    talk = under_way(1)
    talk.act(1)
    talk.broke(1)
    assert talk.pending[2], "the other bot is still asked"
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    assert (fault.seat, fault.action) == (0, 2)
    assert talk.records[0].seen.evidence[0].asked == ""


def test_always_charge_charges_all_games() -> None:
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


def test_failing_start_is_charged_and_not_retried_forever() -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=ALONE)
    for number in range(MAX_FAILED_STARTS + 2):
        talk.begin(pair(number, "ann", "ben"))
        if number < MAX_FAILED_STARTS:
            talk.report(Started(talk.number("ann"), "cannot start `ann`"))
        if number == 0:
            talk.ready("ben")
        talk.act_all()
    assert len(talk.numbers["ann"]) == MAX_FAILED_STARTS
    assert len(talk.records) == MAX_FAILED_STARTS + 2
    for recorded in talk.records:
        ((fault,), (evidence,)) = recorded.record.faults, recorded.seen.evidence
        assert (fault.kind, fault.text) == ("start", "cannot start `ann`")
        assert (evidence.seat, evidence.asked) == (0, "")


def test_starts_all_bots() -> None:
    talk = Talk(bot("ann"), bot("ben"), bot("cem"))
    talk.report(StartBots())
    talk.ready("ann")
    talk.broke(talk.number("ben"), text="exited with code 1")
    talk.report(Started(talk.number("cem"), "cannot start it"))
    ann, ben, cem = talk.match.sessions.bots.values()
    assert ann.ready == Ready(1)
    assert ben.failure
    assert ben.failure.fault == Fault("start", "exited with code 1")
    assert '"type":"hello"' in ben.failure.evidence.asked
    assert cem.failure
    assert cem.failure.fault == Fault("start", "cannot start it")


# -- budgets -----------------------------------------------------------------------------------


def text_of_fault(talk: Talk) -> tuple[str, str]:
    """Carry out the first kill, play on, and return the kind and the text of the only fault."""
    kill = talk.kills[0]
    talk.carry_out(kill)
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    return fault.kind, fault.text


def test_bot_that_computes_too_long_is_killed_before_it_answers() -> None:
    talk = under_way(1, LIMITS)
    talk.able = {1}
    talk.clock_s[1] = 0.9
    talk.pass_time(30.0)
    assert not talk.kills, "it waits for a core"
    talk.clock_s[1] = 1.01
    talk.pass_time(0.05)
    assert text_of_fault(talk) == (
        "timeout",
        "used more than 1000 ms of processor time for an answer",
    )
    (evidence,) = talk.records[0].seen.evidence
    assert (evidence.wall_ms, evidence.cpu_ms) == (30_050, 1_010)


def test_rejects_answer_that_took_too_long() -> None:
    talk = under_way(1, LIMITS)
    talk.clock_s[1] = 1.01
    talk.act(1)
    assert text_of_fault(talk)[0] == "timeout"


def test_bot_that_sleeps_too_long_is_killed() -> None:
    talk = under_way(1, LIMITS)
    talk.pass_time(0.45)
    assert not talk.kills
    talk.pass_time(0.25)
    assert text_of_fault(talk) == ("timeout", "was idle for more than 500 ms for an answer")


def test_kills_bot_that_computes_too_long_between_requests() -> None:
    talk = under_way(1, LIMITS)
    talk.able = {1}
    talk.clock_s[2] = 1.1
    talk.pass_time(0.1)
    kill = talk.kills[0]
    assert (kill.process, kill.cause) == (2, "cpu")
    talk.carry_out(kill)
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    assert (fault.seat, fault.action) == (1, 1), "at its next decision"


def test_charges_processor_time_between_batches() -> None:
    for burned_s in (0.9, 1.1):
        talk = under_way(1, LIMITS)
        talk.act_all()
        talk.report(PauseBots())
        talk.now = 60.0
        talk.clock_s[1] = burned_s + 60 * CREDIT
        talk.report(SetPlayers({"ann": bot("ann"), "ben": bot("ben")}))
        talk.report(Tick())
        assert [kill.cause for kill in talk.kills] == (["cpu"] if burned_s > 1.0 else [])


@pytest.mark.parametrize(
    ("cpu_s", "text"),
    [
        (5.1, "used more than 5000 ms of processor time before it was ready"),
        (0.0, "was idle for more than 5000 ms before it was ready"),
    ],
)
def test_start_has_processor_and_idle_limits(cpu_s: float, text: str) -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=MatchSettings(LIMITS, tables=1))
    talk.begin(pair(1, "ann", "ben"))
    talk.ready("ben")
    talk.pass_time(4.9)
    assert not talk.kills
    talk.clock_s[1] = cpu_s
    talk.pass_time(0.3)
    assert text_of_fault(talk) == ("start", text)


def test_each_open_request_has_its_own_budget() -> None:
    talk = under_way(3, LIMITS)
    for _ in range(3):
        talk.clock_s[1] += 0.9
        talk.pass_time(0.45)
        talk.acts(1, 2)
    assert not talk.kills


def test_bank_pays_for_processor_time() -> None:
    talk = under_way(1, Limits(move_ms=1_000, bank_ms=1_200, increment_ms=100))
    talk.clock_s[1] = 0.4
    talk.now = 5.0
    talk.acts(1, 2)
    assert talk.pending[1][0].clock_ms == 900
    talk.clock_s[1] += 0.91
    talk.act(1)
    assert [kill.cause for kill in talk.kills] == ["cpu"]


@pytest.mark.parametrize("is_exact", [True, False])
def test_third_answer_that_takes_far_too_long_is_a_timeout(is_exact: bool) -> None:
    """The machine may be to blame for the first two. No bot can stop or delay a run this way."""
    talk = under_way(1, LIMITS, is_exact=is_exact)
    for time in range(MAX_LATE):
        if time:
            talk.say(talk.number("ann"), READY)
        assert not talk.records
        talk.able = set(talk.running)
        talk.pass_time(31.0)
        kill = talk.kills[-1]
        assert kill.cause == "wall"
        talk.carry_out(kill)
    talk.act_all()
    ((fault,),) = [recorded.record.faults for recorded in talk.records]
    assert (fault.seat, fault.kind) == (0, "timeout")


# -- how many games ----------------------------------------------------------------------------


def open_games(talk: Talk, *names: str, games: int = 3 * MAX_GAMES) -> int:
    """Start games, and return how many of them are in progress."""
    talk.begin(*[pair(number, *names) for number in range(games)])
    return len(talk.match.tables)


def asked_bots(talk: Talk) -> list[str]:
    """Return the names of bots, one for each unanswered request."""
    return sorted(
        name
        for name, numbers in talk.numbers.items()
        for number in numbers
        for _ in talk.pending[number]
    )


def quick(talk: Talk, *names: str) -> None:
    """Play a game in which these bots answer quickly."""
    talk.begin(pair(99, *names))
    talk.ready(*names)
    talk.act_all()


@pytest.mark.parametrize("tables", [1, 3, 40])
def test_plays_the_set_number_of_games(tables: int) -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=MatchSettings(tables=tables))
    assert open_games(talk, "ann", "ben") == tables
    talk.ready("ann", "ben")
    assert asked_bots(talk) == ["ann"] * tables


def test_one_game_at_a_time_until_all_bots_are_known_to_be_quick() -> None:
    talk = Talk(bot("ann"), bot("ben"))
    assert open_games(talk, "ann", "ben") == 1
    talk.ready("ann", "ben")
    talk.act(1)
    assert open_games(talk, "ann", "ben") == 1
    talk.act_all()
    assert open_games(talk, "ann", "ben") == MAX_GAMES


def test_slow_bot_plays_one_game_at_a_time() -> None:
    talk = Talk(bot("ann"), bot("ben"))
    quick(talk, "ann", "ben")
    talk.begin(pair(1, "ann", "ben"))
    for _ in range(4):
        talk.clock_s[1] += 3 * LONG_S
        talk.acts(1, 2)
    assert open_games(talk, "ann", "ben") == 1


def test_game_of_a_slow_bot_waits_for_other_games() -> None:
    talk = Talk(bot("ann"), bot("ben"), bot("new"))
    quick(talk, "ann", "ben")
    talk.begin(pair(1, "ann", "ben"))
    talk.begin(pair(2, "ann", "ben"))
    assert len(talk.match.tables) == 2
    talk.begin(pair(3, "new", "ben"))
    assert len(talk.match.tables) == 2


def test_bot_that_prints_gets_one_request_at_a_time() -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=MatchSettings(tables=3))
    open_games(talk, "ann", "ben")
    talk.ready("ann", "ben")
    assert asked_bots(talk) == ["ann"] * 3
    for number in talk.numbers["ann"]:
        talk.running[number].has_printed = True
    talk.acts(1, 1, 1)
    assert asked_bots(talk) == ["ben"] * 3, "another bot is asked as before"
    for _ in range(3):
        talk.act(2)
        assert asked_bots(talk).count("ann") == 1
    talk.act(1)
    assert asked_bots(talk).count("ann") == 1


# -- bots that wait for another machine --------------------------------------------------------

WAITING = 8


def waiting(*players: str, allowed: int = WAITING) -> Talk:
    """Return a match whose bots wait for another machine if their names begin with w."""
    bots = [bot(name, waits=name.startswith("w")) for name in players]
    return Talk(*bots, settings=MatchSettings(Limits(idle_ms=60_000), waiting_games=allowed))


def test_waiting_bots_play_each_game_in_its_own_process() -> None:
    talk = waiting("wes", "wil")
    assert open_games(talk, "wes", "wil") == WAITING
    assert (len(talk.numbers["wes"]), len(talk.numbers["wil"])) == (WAITING, WAITING)
    talk.ready("wes", "wil")
    assert asked_bots(talk) == ["wes"] * WAITING
    for name in ("wes", "wil") * 4:
        talk.pass_time(0.5)
        for number in talk.numbers[name]:
            talk.act(number)
    assert talk.now == pytest.approx(8 * 0.5), "the time of one game"
    assert len(talk.records) == WAITING


def test_crash_of_a_waiting_bot_costs_one_game() -> None:
    talk = waiting("wes", "wil", allowed=3)
    open_games(talk, "wes", "wil", games=3)
    talk.ready("wes", "wil")
    talk.broke(talk.numbers["wes"][1])
    talk.act_all()
    assert sorted([len(recorded.record.faults) for recorded in talk.records]) == [0, 0, 1]
    assert open_games(talk, "wes", "wil") == 1
