"""Bots by name: those of the box and those of installed plugins, through one hook."""

import functools
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec
import pluggy

from arena.errors import BotError
from engine.plugins import PROJECT, hookimpl, load_plugins

__all__ = ["ArenaHooks", "RegisteredBot", "bots", "collect_bots", "hookimpl"]

BOTS_OF_THE_BOX = ("bots.plugin",)

hookspec = pluggy.HookspecMarker(PROJECT)


class RegisteredBot(msgspec.Struct, frozen=True):
    """A bot that can be entered by its name."""

    name: str
    command: tuple[str, ...]
    """What starts it: the program and its arguments."""
    folder: str
    """Where its code lies: it is started there, and what lies there is its fingerprint."""
    summary: str
    """How it plays, in one line."""
    quick: bool = False
    """Whether it answers at once, so that it plays in a run that names no bots."""


class ArenaHooks:
    """The hooks of the arena."""

    @hookspec
    def register_bots(self) -> Iterable[RegisteredBot]:  # type: ignore[empty-body]  # never called
        """Return the bots that this plugin adds."""


def collect_bots(manager: pluggy.PluginManager) -> dict[str, RegisteredBot]:
    """Return what the plugins of `manager` register, by name, in the order of registration.

    Raises:
        BotError: two plugins register a bot of the same name.
    """
    found: dict[str, RegisteredBot] = {}
    for registered in reversed(manager.hook.register_bots()):  # pluggy calls the last first
        for bot in registered:
            if bot.name in found:
                raise BotError(f"two plugins register a bot named {bot.name!r}; uninstall one")
            found[bot.name] = bot
    return found


@functools.cache
def bots() -> Mapping[str, RegisteredBot]:
    """Return every registered bot by name: those of the box first, then installed plugins'."""
    return MappingProxyType(collect_bots(load_plugins(ArenaHooks, BOTS_OF_THE_BOX)))
