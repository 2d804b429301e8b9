"""Bots are found by name, and anybody's plugin can add some."""

from collections.abc import Iterable
from pathlib import Path

import pluggy
import pytest

import bots.plugin as box
from arena import plugins
from arena.base.contracts import Schedule
from arena.base.errors import PluginError, SettingsError
from arena.contest.entrants import find_entrants
from arena.plugins import ArenaHooks, RegisteredBot, bots, get_schedule, hookimpl, schedules
from engine.plugins import PROJECT
from engine.plugins import hookimpl as hookimpl_of_games
from tests.arena.playing import BOTS


def registered(name: str, *, quick: bool = False) -> RegisteredBot:
    """Return a bot that a plugin brings along."""
    command = ("python", "ten_lines.py")
    return RegisteredBot(name, command, str(BOTS / "ten_lines"), "takes the first action", quick)


THEIRS = registered("theirs")
BUILT_IN = list(bots())


class Plugin:
    """A third party's plugin."""

    def __init__(self, *added: RegisteredBot) -> None:
        self.added = added

    @hookimpl
    def register_bots(self) -> Iterable[RegisteredBot]:
        return self.added


class Games:
    """A plugin that brings no bots."""

    @hookimpl_of_games
    def register_variants(self) -> tuple[()]:
        return ()


def manager(*added: object) -> pluggy.PluginManager:
    """Return a plugin manager with these plugins."""
    made = pluggy.PluginManager(PROJECT)
    made.add_hookspecs(ArenaHooks)
    for plugin in added:
        made.register(plugin)
    return made


def test_bundled_bots_have_descriptions() -> None:
    assert "random" in bots()
    assert bots()["random"].quick
    assert [entrant.name for entrant in find_entrants(list(bots()))] == list(bots())
    with pytest.raises(TypeError):
        bots()["mine"] = THEIRS  # type: ignore[index]
    for name, bot in bots().items():
        assert bot.name == name
        assert bot.summary
        assert "\n" not in bot.summary
        assert Path(bot.folder).is_dir()


def test_plugin_bots_keep_registration_order() -> None:
    one, two, three = registered("one"), registered("two"), registered("three")
    found = bots.collect(manager(Plugin(two, one), Plugin(), Games(), Plugin(three)))
    assert list(found.items()) == [("two", two), ("one", one), ("three", three)]
    assert bots.collect(manager()) == {}


def test_third_party_bot_is_entered_by_name() -> None:
    with plugins.registered(Plugin(THEIRS)):
        (entrant,) = find_entrants(["theirs"])
        assert list(bots()) == [*BUILT_IN, "theirs"]
    assert (entrant.name, entrant.folder) == ("theirs", THEIRS.folder)
    assert list(bots()) == BUILT_IN
    with plugins.registered(Plugin(registered("random"))), pytest.raises(PluginError):
        bots()


TWIN = registered("twin")


@pytest.mark.parametrize(
    ("added", "text"),
    [
        ((Plugin(TWIN), Plugin(TWIN)), "two plugins register a bot named 'twin'"),
        ((Plugin(TWIN, registered("twin", quick=True)),), "'twin'"),
        ((box, Plugin(registered("random"))), "'random'"),
    ],
    ids=["by another plugin", "by the same one", "by the core"],
)
def test_rejects_duplicate_names(added: tuple[object, ...], text: str) -> None:
    with pytest.raises(PluginError, match=text):
        bots.collect(manager(*added))
    assert list(schedules.collect(manager(Schedules(), Plugin()))) == ["next-door"]
    with pytest.raises(PluginError, match="two plugins register a schedule named 'next-door'"):
        schedules.collect(manager(Schedules(), Schedules()))


# -- schedules ---------------------------------------------------------------------------------


class Schedules:
    """A third party's plugin with a schedule."""

    @hookimpl
    def register_schedules(self) -> Iterable[Schedule]:
        return [Schedule("next-door", "who stand side by side meet", lambda field, rng: iter([]))]


def test_built_in_schedules_have_summaries() -> None:
    assert list(schedules()) == ["round-robin", "swiss", "gauntlet", "versions"]
    for name, schedule in schedules().items():
        assert get_schedule(name) is schedule
        assert schedule.summary
    assert [one.takes_challengers for one in schedules().values()] == [False, False, True, True]


def test_unknown_schedule_lists_known_ones() -> None:
    with pytest.raises(
        SettingsError, match="unknown schedule 'next-door'; expected one of round-robin, swiss"
    ):
        get_schedule("next-door")
