"""Tests of games that are replayed to a new process after a process broke."""

import random

import pytest

from arena.base.protocol import Limits, Turn
from arena.base.record import Game, GameRecord
from arena.match.events import Dismiss, Finished, Kill, Started
from arena.match.match_state import MAX_FAILED_STARTS
from arena.match.settings import MatchSettings
from tests.arena.match.scripted import READY, Talk, bot, pair, under_way

pytestmark = pytest.mark.usefixtures("toys")

TURNS = 4
"""Number of decisions of a seat in a game."""


def play_on(talk: Talk) -> None:
    """Play all games to their end."""
    while True:
        talk.act_all()
        new = [number for number, session in talk.running.items() if not session.ready]
        for number in new:
            talk.say(number, READY)
        if not new:
            return


def record_in(talk: Talk, number: int) -> Finished:
    (found,) = [recorded for recorded in talk.records if recorded.record.board == number]
    return found


def faults(talk: Talk) -> dict[int, list[tuple[int, int, str]]]:
    """Return the seat, action and kind of each fault, by board number."""
    return {
        recorded.record.board: [
            (fault.seat, fault.action, fault.kind) for fault in recorded.record.faults
        ]
        for recorded in talk.records
    }


def asked_of(talk: Talk, number: int) -> list[tuple[int, int]]:
    return [
        (message.table, message.turn) for message in talk.sent[number] if isinstance(message, Turn)
    ]


# -- a death in company -------------------------------------------------------------------------


def test_repeats_each_game_of_a_broken_process_alone() -> None:
    talk = under_way(3)
    talk.acts(1, 2)
    talk.act(1)  # now it is asked for its first decision in the third game
    talk.broke(1)
    play_on(talk)
    assert faults(talk) == {0: [], 1: [], 2: []}
    by_process = [asked_of(talk, number) for number in talk.numbers["ann"][1:]]
    assert by_process == [[(table, turn + 1) for turn in range(TURNS)] for table in (1, 3, 2)]
    assert sorted(asked_of(talk, 2)) == [
        (table, turn + 1) for table in (1, 2, 3) for turn in range(TURNS)
    ], "the other bot is asked once for each decision"


def test_continues_interrupted_games_one_at_a_time() -> None:
    talk = under_way(3)
    talk.broke(1)
    talk.act_all()
    most = 0
    while len(talk.records) < 3:
        assert len(talk.match.tables) == 1
        sessions = talk.running.values()
        most = max(most, sum(session.bot.entrant.name == "ann" for session in sessions))
        for session in list(sessions):
            if not session.ready:
                talk.say(session.number, READY)
        talk.act_all()
    assert most == 2, "the first one goes on to play other games"
    left = [command.process for command in talk.sent_commands if isinstance(command, Dismiss)]
    assert left == talk.numbers["ann"][2:]


def test_does_not_interrupt_games_of_other_bots() -> None:
    talk = Talk(bot("ann"), bot("ben"), bot("cem"), settings=MatchSettings(tables=3))
    talk.begin(pair(0, "ann", "ben"), pair(1, "ann", "ben"), pair(2, "cem", "ben"))
    talk.ready("ann", "ben", "cem")
    talk.broke(1)
    talk.act_all()
    assert list(faults(talk)) == [2]


def test_repeated_crash_is_charged_in_one_game_only() -> None:
    talk = under_way(3)
    talk.broke(1, text="exited with code 1")
    own = talk.number("ann")
    talk.say(own, READY)
    talk.broke(own, text="exited with code 1")
    play_on(talk)
    assert faults(talk) == {0: [(0, 0, "crash")], 1: [], 2: []}
    seen = record_in(talk, 0).seen
    assert '"turn":1' in seen.evidence[0].asked


def test_crash_after_the_last_decision_is_not_charged() -> None:
    talk = under_way(1)
    for _ in range(TURNS - 1):
        talk.acts(1, 2)
    talk.act(1)
    talk.broke(1, text="exited with code 3")
    talk.act(2)
    assert faults(talk) == {0: []}


def test_starts_no_process_without_decisions() -> None:
    talk = under_way(2)
    for _ in range(2 * TURNS - 1):
        for number in (1, 2):
            if talk.pending[number]:
                talk.act(number)
    while talk.pending[1]:
        talk.act(1)
    talk.broke(1)
    talk.act_all()
    assert (faults(talk), len(talk.numbers["ann"])) == ({0: [], 1: []}, 1)


def test_failing_restart_is_charged_in_all_games() -> None:
    talk = under_way(MAX_FAILED_STARTS + 2)
    talk.broke(1)
    for _ in range(MAX_FAILED_STARTS):
        talk.report(Started(talk.number("ann"), "cannot start `ann`"))
        talk.act_all()
    play_on(talk)
    assert len(talk.numbers["ann"]) == 1 + MAX_FAILED_STARTS
    assert [kind for game in faults(talk).values() for *_, kind in game] == ["start"] * 5


# -- answers stand ------------------------------------------------------------------------------


def test_original_answers_count_during_repetition() -> None:
    """A bot can't take back a move by crashing."""
    talk = under_way(2)
    first = talk.pending[1][0].legal[-1]
    talk.act(1, first)
    talk.acts(1, 2, 2)
    assert [turn.turn for turn in talk.pending[1]] == [2, 2]
    talk.broke(1)
    talk.act_all()
    own = talk.number("ann")
    talk.say(own, READY)
    assert talk.act(own, "cheat") != [], "not even an illegal one counts"
    play_on(talk)
    assert faults(talk) == {0: [], 1: []}
    assert record_in(talk, 0).record.actions[0] == first


def test_new_process_does_not_refill_the_bank() -> None:
    """Otherwise, a bot could crash to get time back."""
    talk = under_way(2, Limits(move_ms=10_000, bank_ms=10_000))
    talk.clock_s[1] = 6.0
    talk.acts(1, 2)
    assert clocks(talk, 1) == [10_000, 10_000, 4_000]
    talk.act(1)  # in the second game
    talk.act(2)
    talk.broke(1)
    talk.say(talk.number("ann"), READY)
    talk.act(talk.number("ann"))
    assert clocks(talk, talk.number("ann")) == [10_000, 4_000]


def clocks(talk: Talk, number: int) -> list[int]:
    return [message.clock_ms for message in talk.sent[number] if isinstance(message, Turn)]


def test_new_process_does_not_reset_the_output_limit() -> None:
    talk = under_way(2, Limits(output_kib=1))
    note = b"x" * 900
    line = b'{"type":"act","table":1,"turn":1,"action":"%s","note":"%s"}'
    turn = talk.pending[1].popleft()
    talk.say(1, line % (turn.legal[0].encode(), note))
    talk.acts(2, 1, 2)
    talk.broke(1)
    talk.act_all()
    own = talk.number("ann")
    talk.say(own, READY)
    talk.acts(own, own, 2)
    turn = talk.pending[own].popleft()
    line = b'{"type":"act","table":1,"turn":3,"action":"%s","note":"%s"}'
    (kill,) = talk.say(own, line % (turn.legal[0].encode(), note))
    assert isinstance(kill, Kill)
    assert kill.cause == "flood"


# -- the rule -----------------------------------------------------------------------------------


class Mortals:
    """Three bots that crash at certain turns of certain games, and also at random times."""

    NAMES = ("ann", "ben", "cem")

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.games = [
            pair(number, *rng.sample(self.NAMES, rng.choice([2, 3]))) for number in range(6)
        ]
        every = [
            (number, name, turn) for number in range(6) for name in self.NAMES for turn in (1, 2, 3)
        ]
        self._in_act = set(rng.sample(every, 6))
        self._after = set(rng.sample(every, 6))

    def play(self, games: list[Game], tables: int, chance: random.Random) -> list[GameRecord]:
        """Play games with events in random order, and return their records."""
        talk = Talk(*map(bot, self.NAMES), settings=MatchSettings(tables=tables))
        doomed: set[int] = set()
        begun: list[Game] = []
        while len(talk.records) < len(games):
            running = talk.running
            may = [("kill", process) for process in running if process in doomed]
            may += [("ready", process) for process in running if not running[process].ready]
            may += [("act", process) for process in running if talk.pending[process]]
            if len(begun) < len(games):
                may.append(("begin", 0))
            if chance.random() < 0.1:
                old = [
                    process
                    for process in running
                    if running[process].ready and running[process].games > 1
                ]
                may += [("kill", process) for process in old]
            what, number = chance.choice(may)
            if what == "begin":
                begun.append(games[len(begun)])
                talk.begin(begun[-1])
            elif what == "ready":
                talk.say(number, READY)
            elif what == "kill" or number in doomed:
                talk.broke(number)
            else:
                self._act(talk, number, begun, doomed)
        return sorted(
            (recorded.record for recorded in talk.records), key=lambda record: record.board
        )

    def _act(self, talk: Talk, number: int, begun: list[Game], doomed: set[int]) -> None:
        turn = talk.pending[number][0]
        name = talk.running[number].bot.entrant.name
        when = (begun[turn.table - 1].board, name, turn.turn)
        if when in self._in_act:
            talk.broke(number)
            return
        talk.act(number, random.Random(repr(when)).choice(turn.legal))
        if when in self._after:
            doomed.add(number)


def test_records_equal_those_of_games_played_alone() -> None:
    for seed in range(60):
        mortals, chance = Mortals(seed), random.Random(seed)
        alone = [mortals.play([game], 1, chance)[0] for game in mortals.games]
        assert any(record.faults for record in alone)
        for tables in (1, 2, 6):
            assert mortals.play(mortals.games, tables, chance) == alone, seed
