"""When bots are asked: how many games are under way, and who is asked while a bot thinks."""

import pytest

from arena.base.protocol import Limits
from arena.match.charging import HostStalls, Reading
from arena.match.commands import Inspect, ProcessFacts
from arena.match.match_state import INITIAL_PROOF, THINKING_S, RunningBot
from arena.match.settings import MAX_GAMES, MatchSettings
from tests.arena.match.scripted import Talk, bot, pair, under_way

pytestmark = pytest.mark.usefixtures("toys")

WAITING = 8
SLOW_S = 0.5
"""The time that a thinking or waiting bot takes for an answer."""


def open_games(talk: Talk, *names: str, games: int = 3 * MAX_GAMES) -> int:
    """Begin as many games as there are free tables, and return their number."""
    begun = 0
    while talk.dispatcher.games.has_free_table and begun < games:
        talk.begin(pair(begun, *names))
        begun += 1
    return begun


def asked_bots(talk: Talk) -> list[str]:
    """Return the bots with an unanswered turn, each as often as it has one."""
    return sorted(
        name
        for name, numbers in talk.numbers.items()
        for number in numbers
        for _ in talk.pending[number]
    )


def quick(talk: Talk, *names: str) -> None:
    """Have bots show in a game that they are quick."""
    talk.begin(pair(99, *names))
    talk.ready(*names)
    talk.act_all()


# -- how many games ----------------------------------------------------------------------------


@pytest.mark.parametrize("tables", [1, 3, 40])
def test_the_number_of_games_is_as_set_whatever_the_bots_do(tables: int) -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=MatchSettings(tables=tables))
    assert open_games(talk, "ann", "ben") == tables
    talk.ready("ann", "ben")
    assert asked_bots(talk) == ["ann"] * tables
    talk.pass_time(SLOW_S)
    talk.act(1)
    assert asked_bots(talk) == ["ann"] * (tables - 1) + ["ben"]


def test_one_game_is_under_way_until_all_bots_have_shown_that_they_are_quick() -> None:
    talk = Talk(bot("ann"), bot("ben"))
    assert open_games(talk, "ann", "ben") == 1
    talk.ready("ann", "ben")
    for _ in range(INITIAL_PROOF - 1):
        talk.acts(1, 2)
        assert not talk.dispatcher.games.has_free_table
    talk.act(1)
    assert not talk.dispatcher.games.has_free_table
    talk.act(2)
    assert not talk.dispatcher.games.by_table
    assert open_games(talk, "ann", "ben") == MAX_GAMES


def test_a_bot_that_is_found_thinking_has_to_show_twice_as_often_that_it_is_quick() -> None:
    entrant = RunningBot(bot("ann"), False)
    for proof in (INITIAL_PROOF, 2 * INITIAL_PROOF, 4 * INITIAL_PROOF):
        for _ in range(proof):
            assert not entrant.is_quick
            entrant.answered(at_once=True)
        assert entrant.is_quick
        entrant.answered(at_once=False)


def test_a_bot_that_has_broken_is_never_taken_for_quick() -> None:
    entrant = RunningBot(bot("ann", waits=True), True)
    entrant.has_broken()
    for _ in range(1_000):
        entrant.answered(at_once=True)
    assert (entrant.is_quick, entrant.waits) == (False, False)


# -- a bot that thinks -------------------------------------------------------------------------


def test_no_bot_is_asked_while_a_bot_thinks_that_is_not_known_to_be_quick() -> None:
    talk = Talk(bot("ann"), bot("ben"), bot("slow"))
    quick(talk, "ann", "ben")
    talk.begin(pair(1, "ann", "ben"))
    talk.begin(pair(2, "slow", "ben"))
    talk.ready("slow")
    assert asked_bots(talk) == ["ann"], "the slow one waits for the core"
    talk.act(talk.number("ann"))
    assert asked_bots(talk) == ["slow"], "alone"
    talk.now += SLOW_S
    talk.act(talk.number("slow"))
    assert asked_bots(talk) == ["ben", "ben"]


def test_a_bot_that_prints_is_asked_one_question_at_a_time() -> None:
    talk = Talk(bot("ann"), bot("ben"), settings=MatchSettings(tables=3))
    open_games(talk, "ann", "ben")
    talk.ready("ann", "ben")
    assert asked_bots(talk) == ["ann"] * 3
    for number in talk.numbers["ann"]:
        talk.dispatcher.bots.running[number].has_printed = True
    for _ in range(3):
        talk.act(1)
    assert asked_bots(talk) == ["ben"] * 3, "another bot is asked as before"
    for _ in range(3):
        talk.act(2)
        assert asked_bots(talk).count("ann") == 1
    talk.act(1)
    assert asked_bots(talk) == ["ann"]


def test_when_a_quick_bot_is_found_thinking_no_bot_is_asked_until_all_have_answered() -> None:
    talk = Talk(bot("ann"), bot("ben"), bot("cem"))
    quick(talk, "ann", "ben")
    quick(talk, "ben", "cem")
    talk.begin(pair(1, "ann", "ben"), pair(2, "cem", "ben"))
    assert asked_bots(talk) == ["ann", "cem"]
    talk.pass_time(2 * THINKING_S)
    talk.act(talk.number("cem"))
    assert asked_bots(talk) == ["ann"]
    talk.act(talk.number("ann"))
    assert asked_bots(talk) == ["ben", "ben"]


@pytest.mark.parametrize(("beside", "thinks_after_s"), [(1, THINKING_S), (3, 3 * THINKING_S)])
def test_a_bot_may_have_waited_for_each_bot_that_is_asked_beside_it(
    beside: int, thinks_after_s: float
) -> None:
    names = ("ann", "ben", "cem")
    talk = Talk(*map(bot, (*names, "dan")))
    for name in names:
        quick(talk, name, "dan")
    talk.begin(*[pair(number, name, "dan") for number, name in enumerate(names[:beside])])
    talk.now += thinks_after_s
    talk.act(talk.number("ann"))
    is_quick = talk.dispatcher.bots["ann"].is_quick
    talk.act_all()
    talk.begin(*[pair(number, name, "dan") for number, name in enumerate(names[:beside])])
    talk.now += 1.01 * thinks_after_s
    talk.act(talk.number("ann"))
    assert (is_quick, talk.dispatcher.bots["ann"].is_quick) == (True, False)


@pytest.mark.parametrize(
    ("limits", "thinks_after_s"),
    [
        (Limits(move_ms=100), THINKING_S),
        (Limits(move_ms=800), 2 * THINKING_S),
        (Limits(move_ms=2000, bank_ms=9000), THINKING_S),
    ],
)
def test_however_many_are_asked_a_bot_thinks_after_a_part_of_its_time_and_sooner_with_a_bank(
    limits: Limits, thinks_after_s: float
) -> None:
    names = ("ann", "ben", "cem")
    talk = Talk(*map(bot, (*names, "dan")), settings=MatchSettings(limits))
    for name in names:
        quick(talk, name, "dan")
    found = []
    for taken_s in (thinks_after_s, 1.01 * thinks_after_s):
        talk.begin(*[pair(number, name, "dan") for number, name in enumerate(names)])
        talk.now += taken_s
        talk.act(talk.number("ann"))
        found.append(talk.dispatcher.bots["ann"].is_quick)
        talk.act_all()
    assert found == [True, False]


def test_a_second_request_of_a_bot_counts_those_that_are_asked_again_in_the_meantime() -> None:
    talk = Talk(*map(bot, ("ann", "ben", "cem", "dan")))
    for name in ("ann", "ben", "cem"):
        quick(talk, name, "dan")
    talk.begin(*[pair(number, "ann", name) for number, name in enumerate(("ben", "cem") * 2)])
    assert asked_bots(talk) == ["ann"] * 4
    talk.act(talk.number("ann"))
    assert asked_bots(talk) == ["ann"] * 3 + ["ben"]
    talk.act(talk.number("ann"))
    talk.now += 2 * THINKING_S
    talk.act(talk.number("ann"))
    assert talk.dispatcher.bots["ann"].is_quick, "it may have waited for ben"


def test_a_pending_bot_is_looked_at_twice_before_its_deadline() -> None:
    """Three answers of 1.5 seconds each are in time, with a limit of 2 seconds for one."""
    talk = under_way(3)
    for _ in range(3):
        talk.pass_time(1.5)
        talk.acts(1, 2)
    assert not talk.kills


@pytest.mark.parametrize(
    ("limits", "used_s"),
    [(Limits(move_ms=2), 0.0), (Limits(bank_ms=10), 0.008), (Limits(move_ms=9, bank_ms=99), 0.0)],
)
def test_a_deadline_before_or_after_the_first_look_is_kept(limits: Limits, used_s: float) -> None:
    talk = under_way(1, limits)
    talk.now += used_s
    talk.acts(1, 2)
    left_s = limits.move_ms / 1000
    if limits.bank_ms:
        left_s = min(left_s, limits.bank_ms / 1000 - used_s)
    for _ in range(3):  # looks
        assert not talk.kills
        talk.pass_time(left_s / 4)
    talk.pass_time(left_s / 2)
    assert [kill.cause for kill in talk.kills] == ["timeout"]


def test_what_was_seen_of_a_long_answer_does_not_count_for_the_next() -> None:
    talk = under_way(1)
    talk.pass_time(THINKING_S)
    talk.pass_time(SLOW_S)
    talk.dispatcher.measured(1, Reading(100, 0, talk.now))
    (inspected,) = talk.act(1, talk.pending[1][0].legal[0])
    assert isinstance(inspected, Inspect), "it was measured while it thought"
    talk.dispatcher.inspected(inspected, ProcessFacts("", 200))
    talk.go_on()
    talk.act(2)
    assert not [command for command in talk.act(1) if isinstance(command, Inspect)], (
        "an answer at once"
    )


# -- bots that wait for another machine --------------------------------------------------------


def waiting(*players: str, allowed: int = WAITING) -> Talk:
    """Return a talk with bots, of which those called w... wait."""
    bots = [bot(name, waits=name.startswith("w")) for name in players]
    return Talk(*bots, settings=MatchSettings(waiting_games=allowed))


def test_games_of_waiting_bots_run_side_by_side_each_by_its_own_process() -> None:
    talk = waiting("wes", "wil")
    assert open_games(talk, "wes", "wil") == WAITING
    assert (len(talk.numbers["wes"]), len(talk.numbers["wil"])) == (WAITING, WAITING)
    talk.ready("wes", "wil")
    assert asked_bots(talk) == ["wes"] * WAITING
    for name in ("wes", "wil") * 4:
        talk.pass_time(SLOW_S)
        for number in talk.numbers[name]:
            talk.act(number)
    assert talk.now == pytest.approx(8 * SLOW_S), "the time of one game"
    assert len(talk.records) == WAITING


def test_a_bot_that_does_not_say_that_it_waits_plays_one_game_at_a_time() -> None:
    talk = waiting("wes", "ann")
    assert open_games(talk, "wes", "ann") == 1
    talk.ready("wes", "ann")
    talk.act_all()
    assert open_games(talk, "wes", "ann") == WAITING, "ann is quick"
    assert len(talk.numbers["ann"]) == 1


def test_a_thinking_bot_does_not_have_to_wait_for_waiting_bots() -> None:
    talk = waiting("wes", "wil", "slow")
    talk.begin(pair(1, "wes", "wil"), pair(2, "slow", "wil"))
    talk.ready("wes", "wil", "slow")
    assert asked_bots(talk) == ["slow", "wes"]
    talk.pass_time(SLOW_S)
    talk.act(talk.number("wes"))
    assert asked_bots(talk) == ["slow"], "no other bot is asked until it has answered"
    talk.act(talk.number("slow"))
    assert asked_bots(talk) == ["wil", "wil"]


def test_a_waiting_bot_that_breaks_loses_one_game_and_plays_alone_then() -> None:
    talk = waiting("wes", "wil", allowed=3)
    open_games(talk, "wes", "wil")
    talk.ready("wes", "wil")
    talk.broke(talk.numbers["wes"][1])
    talk.act_all()
    assert sorted([len(recorded.record.faults) for recorded in talk.records]) == [0, 0, 1]
    assert not talk.dispatcher.requests.unanswered
    assert open_games(talk, "wes", "wil") == 1
    talk.ready("wes", "wil")
    talk.act_all()
    assert len(talk.records) == 4


# -- deadlines and stalls ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait_s", "waited_s", "stalled_s"), [(1.0, 1.5, 0.5), (-1.0, 0.029, 0.0), (-1.0, 0.031, 0.031)]
)
def test_the_time_beyond_a_wait_is_a_stall_unless_it_is_short(
    wait_s: float, waited_s: float, stalled_s: float
) -> None:
    stalls = HostStalls()
    stalls.woke(wait_s, waited_s)
    assert stalls.total_s == stalled_s
