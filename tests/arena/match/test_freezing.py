"""Bots that are not asked are frozen while a bot thinks."""

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits
from arena.match.clock import TICK_S
from arena.match.events import Freeze, PauseBots, Send, Thaw
from arena.match.settings import MatchSettings
from tests.arena.match.scripted import Talk, bot, pair

pytestmark = pytest.mark.usefixtures("toys")

ISOLATED = MatchSettings(sandbox=SandboxSettings("isolated"))


class ColdTalk(Talk):
    """A talk that knows which processes are frozen."""

    def frozen(self) -> list[str]:
        states: dict[int, bool] = {}
        for command in self.sent_commands:
            if isinstance(command, Freeze | Thaw):
                assert states.get(command.process, False) != isinstance(command, Freeze)
                states[command.process] = isinstance(command, Freeze)
        return sorted(name for name in self.numbers if states.get(self.number(name)))

    def asked(self) -> list[str]:
        return sorted(name for name in self.numbers if self.pending[self.number(name)])


def three(settings: MatchSettings = ISOLATED) -> ColdTalk:
    """Return a talk of three new bots, of which ann is asked first."""
    talk = ColdTalk(bot("ann"), bot("ben"), bot("cem"), settings=settings)
    talk.begin(pair(1, "ann", "ben", "cem"))
    talk.ready("ann", "ben", "cem")
    assert talk.asked() == ["ann"]
    return talk


def test_freezes_others_while_a_slow_bot_thinks() -> None:
    talk = three()
    assert talk.frozen() == ["ben", "cem"], "nobody knows ann yet"
    talk.act(talk.number("ann"))
    assert (talk.asked(), talk.frozen()) == (["ben"], ["ann", "cem"])


def test_thaws_bot_before_its_request() -> None:
    talk = three()
    sent_commands = talk.act(talk.number("ann"))
    of_ben = [
        type(command)
        for command in sent_commands
        if isinstance(command, Thaw | Send) and command.process == talk.number("ben")
    ]
    assert of_ben == [Thaw, Send]


def test_freezes_ready_bots_while_another_starts() -> None:
    talk = ColdTalk(bot("ann"), bot("ben"), settings=ISOLATED)
    talk.begin(pair(1, "ann", "ben"))
    talk.ready("ben")
    assert talk.frozen() == ["ben"]
    talk.ready("ann")
    assert (talk.asked(), talk.frozen()) == (["ann"], ["ben"])


def test_freezes_no_bot_without_a_sandbox() -> None:
    talk = three(MatchSettings())
    talk.act_all()
    assert not [command for command in talk.sent_commands if isinstance(command, Freeze | Thaw)]


def test_quick_bots_do_not_freeze_others() -> None:
    talk = three()
    talk.act_all()
    before = len(talk.sent_commands)
    talk.begin(pair(2, "ann", "ben", "cem"))
    talk.act(talk.number("ann"))
    assert not [command for command in talk.sent_commands[before:] if isinstance(command, Freeze)]
    talk.able = {talk.number("ben")}
    talk.pass_time(2 * TICK_S)
    assert (talk.asked(), talk.frozen()) == (["ben"], ["ann", "cem"])


def test_waiting_bot_does_not_freeze_others() -> None:
    settings = MatchSettings(Limits(), SandboxSettings("isolated"), waiting_games=2)
    talk = ColdTalk(bot("wes", waits=True), bot("ann"), settings=settings)
    talk.begin(pair(1, "wes", "ann"))
    talk.ready("wes", "ann")
    before = len(talk.sent_commands)
    talk.pass_time(1.0)
    assert talk.asked() == ["wes"]
    assert not [command for command in talk.sent_commands[before:] if isinstance(command, Freeze)]


def test_processes_are_frozen_between_batches_of_games() -> None:
    talk = three()
    talk.act_all()
    talk.report(PauseBots())
    assert talk.frozen() == ["ann", "ben", "cem"]
