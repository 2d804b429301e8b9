"""Registered bots, schedules and sandboxes by name, built-in and of plugins."""

import functools
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeVar

import msgspec
import pluggy

from arena.contracts import Sandbox, Schedule
from arena.errors import PluginError, SandboxError, SettingsError
from engine.errors import unknown
from engine.plugins import PROJECT, hookimpl, load_plugins

__all__ = [
    "ArenaHooks",
    "RegisteredBot",
    "bots",
    "collect_bots",
    "collect_sandboxes",
    "collect_schedules",
    "get_sandbox",
    "get_schedule",
    "hookimpl",
    "sandboxes",
    "schedules",
]

PLUGINS_OF_THE_BOX = ("bots.plugin", "arena.sandbox.plugin", "arena.schedule.plugin")

hookspec = pluggy.HookspecMarker(PROJECT)


class RegisteredBot(msgspec.Struct, frozen=True):
    """A bot that can be entered by its name."""

    name: str
    command: tuple[str, ...]
    """What starts it: the program and its arguments."""
    folder: str
    """Where it is started, and where its code is."""
    summary: str
    """How it plays, in one line."""
    quick: bool = False
    """Whether it answers at once, so that it plays in a run that names no bots."""
    code: tuple[str, ...] = ()
    """The files and folders in `folder` that are its code; none stands for all of `folder`."""


class ArenaHooks:
    """The hooks of the arena."""

    @hookspec
    def register_bots(self) -> Iterable[RegisteredBot]:  # type: ignore[empty-body]  # never called
        """Return the bots that this plugin adds."""

    @hookspec
    def register_schedules(self) -> Iterable[Schedule]:  # type: ignore[empty-body]  # never called
        """Return the kinds of schedule that this plugin adds."""

    @hookspec
    def register_sandboxes(self) -> Iterable[Sandbox]:  # type: ignore[empty-body]
        """Return the levels of walls round bots that this plugin adds, for `--sandbox`."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


NamedT = TypeVar("NamedT", bound=_Named)


def _collect(registered: Iterable[Iterable[NamedT]], kind: str) -> dict[str, NamedT]:
    """Return what plugins register, by name, in the order of registration.

    Raises:
        PluginError: two of them have the same name.
    """
    found: dict[str, NamedT] = {}
    for some in reversed([*registered]):  # pluggy calls the last first
        for one in some:
            if one.name in found:
                raise PluginError(
                    f"two plugins register a {kind} named {one.name!r}; uninstall one"
                )
            found[one.name] = one
    return found


def collect_bots(manager: pluggy.PluginManager) -> dict[str, RegisteredBot]:
    """Return the bots that the plugins of `manager` register; raises `PluginError` for twins."""
    return _collect(manager.hook.register_bots(), "bot")


def collect_schedules(manager: pluggy.PluginManager) -> dict[str, Schedule]:
    """Return the schedules that the plugins of `manager` register, as `collect_bots` does."""
    return _collect(manager.hook.register_schedules(), "schedule")


def collect_sandboxes(manager: pluggy.PluginManager) -> dict[str, Sandbox]:
    """Return the sandboxes that the plugins of `manager` register, as `collect_bots` does."""
    return _collect(manager.hook.register_sandboxes(), "sandbox")


@functools.cache
def bots() -> Mapping[str, RegisteredBot]:
    """Return every registered bot by name: those of the box first, then installed plugins'."""
    return MappingProxyType(collect_bots(_plugins()))


@functools.cache
def schedules() -> Mapping[str, Schedule]:
    """Return every registered schedule by name: those of the box first."""
    return MappingProxyType(collect_schedules(_plugins()))


@functools.cache
def sandboxes() -> Mapping[str, Sandbox]:
    """Return every registered sandbox by name: the levels of the box first, the weakest leading."""
    return MappingProxyType(collect_sandboxes(_plugins()))


def _plugins() -> pluggy.PluginManager:
    return load_plugins(ArenaHooks, PLUGINS_OF_THE_BOX)


def get_schedule(name: str) -> Schedule:
    """Return the schedule of this name.

    Raises:
        SettingsError: no plugin registers it; the error lists those that are.
    """
    try:
        return schedules()[name]
    except KeyError:
        raise SettingsError(unknown("schedule", name, schedules())) from None


def get_sandbox(name: str) -> Sandbox:
    """Return the sandbox of this name.

    Raises:
        SandboxError: no plugin registers it; the error lists those that are.
    """
    try:
        return sandboxes()[name]
    except KeyError:
        raise SandboxError(unknown("sandbox", name, sandboxes())) from None
