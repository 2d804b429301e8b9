"""Bots that are not asked are frozen while a bot thinks, and what is charged where one runs on."""

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits
from arena.match.charging import (
    FROZEN_TEXT,
    LOOK_MS,
    MAX_FROZEN_MS,
    MAX_GRANTED,
    Reading,
)
from arena.match.commands import Freeze, Kill, Send, Thaw
from arena.match.match_state import INITIAL_PROOF, SAMPLE_S, THINKING_S
from arena.match.settings import MatchSettings
from tests.arena.match.scripted import Talk, bot, pair

pytestmark = pytest.mark.usefixtures("toys")

MOVE_S = 1.0
ISOLATED = MatchSettings(Limits(move_ms=1000), SandboxSettings("isolated"))


class ColdTalk(Talk):
    """A talk that knows which processes are frozen, and by which names it called them."""

    def frozen(self) -> list[str]:
        """Return the bots that are frozen."""
        states: dict[int, bool] = {}
        for command in self.said:
            if isinstance(command, Freeze | Thaw):
                assert states.get(command.process, False) or isinstance(command, Freeze)
                states[command.process] = isinstance(command, Freeze)
        return sorted(
            name
            for name, numbers in self.numbers.items()
            for number in numbers
            if states.get(number) and number in self.dispatcher.bots.running
        )

    def asked(self) -> list[str]:
        """Return the bots that are asked."""
        return sorted(name for name in self.numbers if self.pending[self.number(name)])

    def use(self, name: str, cpu_ms: int, wait_ms: int = 0) -> list[Kill]:
        """Have a process measured, and return which are to be killed then."""
        before = len(self.kills)
        self.dispatcher.measured(self.number(name), Reading(cpu_ms, wait_ms, self.now))
        self.go_on()
        return self.kills[before:]

    def freeze(self, name: str, cpu_ms: int, has_stopped: bool = True) -> None:
        """Report that a process was frozen."""
        self.dispatcher.froze(self.number(name), Reading(cpu_ms, 0, self.now), has_stopped)


def three(settings: MatchSettings = ISOLATED) -> ColdTalk:
    """Return a talk of three bots, of which ann is asked first."""
    talk = ColdTalk(bot("ann"), bot("ben"), bot("cem"), settings=settings)
    talk.begin(pair(1, "ann", "ben", "cem"))
    talk.ready("ann")
    talk.ready("ben", "cem")
    assert talk.asked() == ["ann"]
    return talk


def quick(talk: ColdTalk) -> None:
    """Have the bots show that they are quick."""
    for number in range(INITIAL_PROOF):
        talk.begin(pair(10 + number, "ann", "ben", "cem"))
        talk.act_all()


# -- who is frozen -----------------------------------------------------------------------------


def test_all_that_are_not_asked_are_frozen_while_a_bot_thinks_until_they_are_asked() -> None:
    talk = three()
    talk.pass_time(THINKING_S)
    assert talk.frozen() == ["ben", "cem"]
    talk.act(talk.number("ann"))
    assert (talk.asked(), talk.frozen()) == (["ben"], ["cem"]), "ben may be quick"
    talk.pass_time(THINKING_S)
    assert talk.frozen() == ["ann", "cem"]
    talk.act(talk.number("ben"))
    assert (talk.asked(), talk.frozen()) == (["cem"], ["ann"])


def test_a_frozen_bot_is_thawed_before_it_is_asked() -> None:
    talk = three()
    talk.pass_time(THINKING_S)
    said = talk.act(talk.number("ann"))
    ben = talk.number("ben")
    kinds = [(type(command), getattr(command, "process", None)) for command in said]
    assert kinds == [(Thaw, ben), (Send, ben)]


def test_while_a_bot_starts_those_that_are_ready_are_frozen() -> None:
    talk = ColdTalk(bot("ann"), bot("ben"), settings=ISOLATED)
    talk.begin(pair(1, "ann", "ben"))
    talk.ready("ben")
    assert talk.frozen() == ["ben"]
    talk.ready("ann")
    assert (talk.asked(), talk.frozen()) == (["ann"], ["ben"])


def test_without_a_sandbox_no_bot_is_frozen() -> None:
    talk = three(MatchSettings(Limits(move_ms=1000)))
    talk.act_all()
    assert not [command for command in talk.said if isinstance(command, Freeze | Thaw)]


def test_quick_bots_are_not_frozen_until_one_is_found_thinking() -> None:
    talk = three()
    quick(talk)
    before = len(talk.said)
    talk.begin(pair(2, "ann", "ben", "cem"))
    talk.act(talk.number("ann"))
    assert not [command for command in talk.said[before:] if isinstance(command, Freeze | Thaw)]
    talk.pass_time(2 * THINKING_S)
    assert (talk.asked(), talk.frozen()) == (["ben"], ["ann", "cem"])
    talk.act(talk.number("ben"))
    assert (talk.asked(), talk.frozen()) == (["cem"], ["ann"]), "cem is quick"


def test_a_waiting_bot_is_not_frozen_while_it_is_asked_and_freezes_no_other() -> None:
    settings = MatchSettings(Limits(), SandboxSettings("isolated"), waiting_games=2)
    talk = ColdTalk(bot("wes", waits=True), bot("wil", waits=True), bot("slow"), settings=settings)
    talk.begin(pair(1, "wes", "wil"))
    talk.ready("wil")
    talk.ready("wes")
    assert (talk.asked(), talk.frozen()) == (["wes"], ["wil"]), "frozen while wes started"
    talk.begin(pair(2, "slow", "wes"))
    talk.ready("slow", "wes")
    assert talk.pending[talk.numbers["wes"][0]]
    assert talk.numbers["wes"][0] not in [
        command.process for command in talk.said if isinstance(command, Freeze)
    ]


# -- processor time ----------------------------------------------------------------------------


def test_what_a_frozen_bot_computes_is_its_fault_and_the_game_goes_on() -> None:
    talk = three()
    talk.freeze("cem", cpu_ms=500)
    assert talk.use("cem", 500 + MAX_FROZEN_MS) == []
    (kill,) = talk.use("cem", 501 + MAX_FROZEN_MS)
    assert (kill.process, kill.cause, kill.text) == (talk.number("cem"), "burned", FROZEN_TEXT)
    talk.carry_out(kill)
    talk.act_all()
    ((record,),) = [[recorded.record for recorded in talk.records]]
    (fault,) = record.faults
    assert (fault.seat, fault.kind, fault.text) == (2, "timeout", FROZEN_TEXT)


@pytest.mark.parametrize("used_ms", [MAX_FROZEN_MS, MAX_FROZEN_MS + 1])
def test_a_bot_in_a_long_call_of_the_kernel_is_to_blame_for_what_it_computes(used_ms: int) -> None:
    talk = three()
    cem = talk.number("cem")
    talk.freeze("ben", cpu_ms=500)
    talk.freeze("cem", cpu_ms=500, has_stopped=False)
    said = talk.pass_time(THINKING_S)
    assert [command.process for command in said if isinstance(command, Freeze)] == [cem]
    talk.freeze("cem", cpu_ms=500, has_stopped=False)
    talk.act(talk.number("ann"))
    talk.used[cem] = (500 + used_ms, 0)
    before = len(talk.kills)
    talk.act(talk.number("ben"))
    assert [kill.text for kill in talk.kills[before:]] == [FROZEN_TEXT] * (used_ms > MAX_FROZEN_MS)


def test_an_answer_that_has_used_too_much_processor_time_is_not_accepted() -> None:
    talk = three(MatchSettings(Limits(move_ms=1000, cpu_ms=300), SandboxSettings("isolated")))
    talk.pass_time(THINKING_S)
    talk.pass_time(SAMPLE_S)
    talk.use("ann", 50)
    talk.now += 0.4
    assert talk.use("ann", 350) == []
    (kill,) = talk.use("ann", 351)
    assert (kill.cause, kill.text) == (
        "burned",
        "used more than 300 ms of processor time for an answer",
    )


# -- who is charged for a time-out -------------------------------------------------------------


def time_out(talk: ColdTalk, cpu_ms: int, wait_ms: int, burned_ms: int = 0) -> None:
    """Have the time of ann be over, who used and waited for this, while ben used `burned_ms`.

    The end of a process that is killed then is reported.
    """
    talk.freeze("ben", 1_000)
    talk.freeze("cem", 1_000)
    talk.pass_time(THINKING_S)
    talk.pass_time(SAMPLE_S)
    talk.use("ann", 200, 20)
    talk.used = {
        talk.number("ben"): (1_000 + burned_ms, 0),
        talk.number("ann"): (200 + cpu_ms, 20 + wait_ms),
    }
    for seconds in (MOVE_S, 0.05):
        for kill in late(talk, seconds):
            talk.carry_out(kill)
    talk.used.clear()


def late(talk: ColdTalk, seconds: float) -> list[Kill]:
    """Have time pass, and return which processes are to be killed then."""
    return [command for command in talk.pass_time(seconds) if isinstance(command, Kill)]


def charged(talk: ColdTalk) -> list[str]:
    """Play on, and return the bots that have a fault in the record of the game."""
    if len(talk.numbers["ann"]) > 1:
        talk.ready("ann")
    talk.act_all()
    (record,) = [recorded.record for recorded in talk.records]
    return [record.entrants[fault.seat] for fault in record.faults]


@pytest.mark.parametrize(
    ("cpu_ms", "wait_ms", "burned_ms", "names"),
    [
        (900, 20, 0, ["ann"]),  # it had its share
        (0, 0, 800, ["ann", "ben"]),  # it slept, so it lost nothing to the one that burned
        (70, 880, 800, ["ben"]),
        (70, 880, 0, []),  # something else on this machine took its time
    ],
)
def test_who_is_charged_when_the_time_of_a_bot_is_over(
    cpu_ms: int, wait_ms: int, burned_ms: int, names: list[str]
) -> None:
    talk = three()
    time_out(talk, cpu_ms, wait_ms, burned_ms)
    assert charged(talk) == names
    assert len(talk.numbers["ann"]) == 1 or names == ["ann"]


def test_a_bot_gets_the_time_that_others_took_from_it_and_no_more() -> None:
    talk = three()
    ann = talk.number("ann")
    time_out(talk, 180, 780)
    talk.used[ann] = (800, 800)
    assert late(talk, 0.65) == []
    (kill,) = late(talk, 0.05)
    assert (kill.process, kill.cause) == (ann, "timeout")
    talk.carry_out(kill)
    assert charged(talk) == ["ann"]
    assert talk.records[0].seen.evidence[0].wall_ms == 1805


@pytest.mark.parametrize(
    ("is_ready", "waited_ms", "is_late"),
    [
        (False, [0], True),  # it sleeps
        (True, [0, 0], True),  # it sleeps most of the time
        (True, [0, 45, 45], True),
        (True, [0, 45, 700], False),  # a long wait is over, of which the system tells then
    ],
)
def test_a_bot_that_may_be_waiting_for_a_core_when_its_time_is_over_is_looked_at_again(
    is_ready: bool, waited_ms: list[int], is_late: bool
) -> None:
    talk = three()
    ann = talk.number("ann")
    talk.ready_now = {ann} if is_ready else set()
    kills = []
    for wait_ms, seconds in zip(waited_ms, [MOVE_S, LOOK_MS / 1000, LOOK_MS / 1000], strict=False):
        assert not kills
        talk.used[ann] = (100, wait_ms)
        kills = late(talk, seconds)
    assert bool(kills) == is_late


def test_the_time_that_it_gets_ends_where_the_machine_is_far_too_busy() -> None:
    talk = three()
    ann = talk.number("ann")
    began, waited_ms = talk.now, 0
    talk.pass_time(THINKING_S)
    talk.pass_time(SAMPLE_S)
    while ann in talk.dispatcher.bots.running:
        waited_ms += 1_000
        talk.used[ann] = (0, waited_ms)
        for kill in late(talk, MOVE_S):
            talk.carry_out(kill)
    assert talk.now - began == pytest.approx((1 + MAX_GRANTED) * MOVE_S, abs=1.0)
    assert charged(talk) == []
    assert talk.records[0].seen.stalls == 1


@pytest.mark.parametrize(
    ("used", "stalled_s", "charged_ms"),
    [
        (None, 0.0, 400),
        ((100, 0), 0.0, 400),  # it slept for a part of the time
        ((100, 250), 0.0, 150),
        ((100, 250), 0.1, 100),  # and the referee came late
        ((300, 250), 0.1, 300),  # what it computes counts in any case
        ((4, 390), 0.0, 0),  # little counts as nothing
    ],
)
def test_what_counts_against_a_bank(
    used: tuple[int, int] | None, stalled_s: float, charged_ms: int
) -> None:
    talk = three(MatchSettings(Limits(move_ms=1000, bank_ms=1200), SandboxSettings("isolated")))
    ann = talk.number("ann")
    if used:
        talk.used[ann] = used
    talk.dispatcher.requests.stalls.was_busy(stalled_s)
    talk.now += 0.4
    for name in ("ann", "ben", "cem"):
        talk.act(talk.number(name))
    assert talk.pending[ann][0].clock_ms == pytest.approx(min(1000, 1200 - charged_ms), abs=2)


def test_the_deadline_of_a_bank_moves_by_all_that_others_took() -> None:
    talk = three(MatchSettings(Limits(move_ms=1000, bank_ms=1000), SandboxSettings("isolated")))
    ann = talk.number("ann")
    talk.used[ann] = (900, 90)
    assert late(talk, MOVE_S) == []
    talk.used[ann] = (990, 90)
    (kill,) = late(talk, 0.09)
    assert (kill.process, kill.cause) == (ann, "timeout")
