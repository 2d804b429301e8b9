"""Registered bots, schedules, sandboxes and executors by name, built-in or from plugins."""

import functools
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

import msgspec
import pluggy

from arena.base.contracts import ExecutorKind, Sandbox, Schedule
from arena.base.errors import ArenaError, PluginError, SandboxError, SettingsError
from engine.errors import unknown
from engine.plugins import (
    PROJECT,
    added_plugins,
    collect,
    hookimpl,
    load_built_in,
    load_plugins,
    registered,
)

__all__ = [
    "ArenaHooks",
    "PiecePlace",
    "Presentation",
    "RegisteredBot",
    "RegisteredCommand",
    "Registry",
    "ReplayPanel",
    "bots",
    "commands",
    "commands_in",
    "draw_by_places",
    "executors",
    "get_executor",
    "get_sandbox",
    "get_schedule",
    "hookimpl",
    "presentation_of",
    "registered",
    "replay_panels",
    "sandboxes",
    "schedules",
]

EXTRAS = "arena.extras"
"""The package of extras. Each may have a module `plugin`."""
COMMANDS = "arena.commands.plugin"
EXECUTORS = "arena.tournament.executors.plugin"
BUILT_IN_PLUGINS = (
    COMMANDS,
    "bots.plugin",
    "arena.sandbox.levels",
    "arena.schedule.schedules",
    EXECUTORS,
)

hookspec = pluggy.HookspecMarker(PROJECT)


class RegisteredBot(msgspec.Struct, frozen=True):
    """A bot that can be entered by its name."""

    name: str
    command: tuple[str, ...]
    """The program and its arguments."""
    folder: str
    """The folder of its code, in which it is started."""
    summary: str
    """One line on how it plays."""
    quick: bool = False
    """Whether it answers quickly. Quick bots play in runs that name no bots."""
    code: tuple[str, ...] = ()
    """The files and folders in `folder` that are its code. Empty means all."""
    games: tuple[str, ...] = ()
    """The games that it plays; it is not started for others. Empty means that its `ready` says."""


class RegisteredCommand(msgspec.Struct, frozen=True):
    """A command of `arena`."""

    name: str
    function: str
    """The module and the function of click, as `package.module:function`; imported when called."""
    summary: str
    """One sentence, with which its own help begins."""


def commands_in(package: str, found: Mapping[str, tuple[str, str]]) -> list[RegisteredCommand]:
    """Return the commands of a package: by name, the module and the summary of each.

    The function of `new-bot` is called `new_bot_command`.
    """
    return [
        RegisteredCommand(name, f"{package}.{module}:{name.replace('-', '_')}_command", summary)
        for name, (module, summary) in found.items()
    ]


class Presentation(msgspec.Struct, frozen=True):
    """Shows a game. A part that is left out is shown as that of any game is."""

    name: str
    """The game: the part of its variants' ids before the slash."""
    rules: str = ""
    """The rules in Markdown, for a page of the site."""
    draw: Callable[[Any, Sequence[str], Mapping[int, Any]], Any] | None = None
    """Draws a table in the terminal, from a view, the names by seat, and the views of the seats
    whose hands are shown. Returns a string or another renderable of rich."""
    headline: Callable[[Any], Any] | None = None
    """Returns the line of the table by which the seat of a view decides, such as the trump."""
    telling: str = ""
    """The class that tells the game in words, an `arena.narration.telling.Telling`, as
    `package.module:Class`."""
    replay: str = ""
    """The drawing of a table in a replay: the result of `draw_by_places`, or a script in
    JavaScript; docs/plugins.md has its interface.
    """


class RegisteredGuide(msgspec.Struct, frozen=True):
    """What is known of a game for a search, by which `arena review` judges decisions."""

    name: str
    """The game: the part of its variants' ids before the slash."""
    make: str
    """A function as `package.module:function`. It takes a variant, and returns an
    `arena.sdk.guide.Guide`."""
    races: bool = False
    """Whether simulated games are so few that a race of actions says more than a tree."""

    def guide(self, variant: Any) -> Any:
        """Return a new guide for a variant."""
        return pkgutil.resolve_name(self.make)(variant)


class ReplayPanel(msgspec.Struct, frozen=True):
    """A part of the pages of replays, made of what is stored of a game.

    It is stored in the folder `name` of a run, in a file for each part: `KEY.json`, or
    `KEY-WORD.json` where a game has several. KEY is that of the game.
    """

    name: str
    render: str
    """A function as `package.module:function`. It takes the content of such a file, and the record
    and the `arena.publish.replays.ReplayData` of the game. It returns HTML, or raises an
    `ArenaError` for content that it cannot read."""
    package: str
    """The package whose folder `static` has the scripts and styles of the panel, `*.js` and
    `*.css`. Pages with the panel load them before the script of the replay."""
    make: str = ""
    """A function as `package.module:function`, by which a contest server makes the content. It
    takes the record of a game, a seat, the seconds that it may take, and a function to call with
    the moves that are done. Empty: servers do not offer it."""


class PiecePlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """The place of the pieces that a field of a view lists."""

    field: str
    """The name of the field, or a path such as `opened.-1`: the last item of `opened`."""
    at: tuple[int, int]
    """The middle of the first piece, of the first seat."""
    piece: str = ""
    """The kind of the pieces. A kind and a value are one piece, which moves to the place that is
    last among those that have it. Without a kind, a value stays where it is."""
    step: tuple[int, int] = (48, 0)
    """From a piece to the next one of the same seat."""
    seats: Literal["", "listed", "own"] = ""
    """Whether the field is a list with an item for each seat (`listed`), or is that of the view of
    each seat whose hand is shown (`own`)."""
    seat_step: tuple[int, int] = (0, 80)
    """From a seat to the next one."""
    face: Literal["card", "coin", "text", "plate"] = "card"
    """The shape in which a value is drawn. A `plate` has the name of the seat, too."""
    label: str = ""
    """The name of the values: a text before them, which screen readers read too."""


def draw_by_places(game: str, size: tuple[int, int], places: Sequence[PiecePlace]) -> str:
    """Return the script that draws a game in replays as pieces at places of a table.

    `size` is that of the table. Of pieces that overlap, the later one lies above.
    """
    table = msgspec.json.encode({"size": size, "places": places}).decode()
    return f"arena.scenes[{msgspec.json.encode(game).decode()}] = arena.placed({table});\n"


class ArenaHooks:
    """The hooks of the arena."""

    @hookspec
    def arena_commands(self) -> Iterable[RegisteredCommand]:  # type: ignore[empty-body]
        """Return the commands that this plugin adds to `arena`."""

    @hookspec
    def register_bots(self) -> Iterable[RegisteredBot]:  # type: ignore[empty-body]  # never called
        """Return the bots that this plugin adds."""

    @hookspec
    def register_schedules(self) -> Iterable[Schedule]:  # type: ignore[empty-body]  # never called
        """Return the schedules that this plugin adds."""

    @hookspec
    def register_sandboxes(self) -> Iterable[Sandbox]:  # type: ignore[empty-body]
        """Return the sandboxes that this plugin adds, for `--sandbox`."""

    @hookspec
    def register_executors(self) -> Iterable[ExecutorKind]:  # type: ignore[empty-body]
        """Return the executors that this plugin adds, for `machine.executor`."""

    @hookspec
    def register_presentations(self) -> Iterable[Presentation]:  # type: ignore[empty-body]
        """Return how games of this plugin are shown: rules, drawings in terminal and replay."""

    @hookspec
    def register_guides(self) -> Iterable[RegisteredGuide]:  # type: ignore[empty-body]
        """Return what is known of games for a search."""

    @hookspec
    def register_replay_panels(self) -> Iterable[ReplayPanel]:  # type: ignore[empty-body]
        """Return the panels that this plugin adds to the pages of replays."""


KindT = TypeVar("KindT")


class Registry(Generic[KindT]):
    """The registered objects of one kind, by name, the built-in ones first."""

    def __init__(
        self, kind: str, hook: str, error: type[ArenaError] = SettingsError, built_in: str = ""
    ) -> None:
        """Make the registry of a kind.

        Args:
            kind: the kind, as errors name it.
            hook: the hook by which objects of the kind are registered.
            error: what is raised if a name is unknown.
            built_in: the module that registers the objects of the core. They are found without
                importing an installed plugin, so that commands and workers start sooner.
        """
        self._kind, self._hook, self._error, self._built_in_module = kind, hook, error, built_in

    def __call__(self) -> Mapping[str, KindT]:
        """Return every registered object by name."""
        return _registered(self, added_plugins())

    def find(self, name: str) -> KindT | None:
        """Return the object of this name, or None if no plugin registers it."""
        module = self._built_in_module
        built_in: Mapping[str, KindT] = _built_in(self, module) if module else {}
        return built_in.get(name) or self().get(name)

    def named(self, name: str) -> KindT:
        """Return the object of this name. The error for an unknown one lists the known ones."""
        found = self.find(name)
        if found is None:
            raise self._error(unknown(self._kind, name, self()))
        return found

    def collect(self, manager: pluggy.PluginManager) -> dict[str, KindT]:
        """Return what the plugins of `manager` register of this kind, by name.

        Raises:
            PluginError: two objects have the same name, or one is a class or has no name. An
                installed plugin is left out instead.
        """
        return collect(manager, self._hook, self._add)

    def _add(self, found: dict[str, KindT], one: Any) -> None:
        kind = self._kind
        if isinstance(one, type):
            raise PluginError(f"it registers the class {one.__name__}, expected an instance of it")
        if not isinstance(name := getattr(one, "name", None), str):
            raise PluginError(f"it registers {one!r:.80}, expected a {kind} with a `name`")
        if name in found:
            raise PluginError(f"two plugins register a {kind} named {name!r}; uninstall one")
        found[name] = one


bots = Registry[RegisteredBot]("bot", "register_bots")
commands = Registry[RegisteredCommand]("command", "arena_commands", built_in=COMMANDS)
executors = Registry[ExecutorKind]("executor", "register_executors", built_in=EXECUTORS)
guides = Registry[RegisteredGuide]("guide", "register_guides")
presentations = Registry[Presentation]("presentation", "register_presentations")
replay_panels = Registry[ReplayPanel]("panel of replays", "register_replay_panels")
sandboxes = Registry[Sandbox]("sandbox", "register_sandboxes", SandboxError)
"""The built-in ones are the first, from the weakest on."""
schedules = Registry[Schedule]("schedule", "register_schedules")

get_executor = executors.named
get_sandbox = sandboxes.named
get_schedule = schedules.named


def presentation_of(game: str) -> Presentation:
    """Return how a game is shown, as its plugin says; empty if none does."""
    return presentations.find(game) or Presentation(game)


@functools.cache
def _registered(registry: Registry[Any], added: tuple[object, ...]) -> Mapping[str, Any]:
    return MappingProxyType(registry.collect(_plugins(added)))


@functools.cache
def _built_in(registry: Registry[Any], module: str) -> Mapping[str, Any]:
    """Return what a module of the core registers.

    No installed plugin is imported, so commands and workers start sooner.
    """
    return registry.collect(load_built_in(ArenaHooks, [module]))


@functools.cache
def _plugins(added: tuple[object, ...]) -> pluggy.PluginManager:
    return load_plugins(ArenaHooks, (*BUILT_IN_PLUGINS, *_extras()), added)


def _extras() -> list[str]:
    """Return the plugin modules of the extras that are installed."""
    try:
        folders = importlib.import_module(EXTRAS).__path__
    except ModuleNotFoundError:  # the core works without them
        return []
    names = [f"{EXTRAS}.{extra.name}.plugin" for extra in pkgutil.iter_modules(folders)]
    return [name for name in names if importlib.util.find_spec(name)]
