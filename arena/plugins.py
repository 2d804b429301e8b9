"""Hooks and registries for bots, schedules, sandboxes, executors and more."""

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
"""Package of the extras. An extra may have a module `plugin`."""
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
    """A bot that can be chosen by name."""

    name: str
    command: tuple[str, ...]
    folder: str
    """Folder with the bot's code. It is also the bot's working directory."""
    summary: str
    quick: bool = False
    """Whether the bot answers quickly. Quick bots play in runs for which no bots are named."""
    code: tuple[str, ...] = ()
    """Files and folders in `folder` that contain the bot's code. Empty means all."""
    games: tuple[str, ...] = ()
    """Games that the bot plays. If empty, the bot names them when it starts."""


class RegisteredCommand(msgspec.Struct, frozen=True):
    name: str
    function: str
    """The click command, as `package.module:function`. It is imported on first use."""
    summary: str
    """The first sentence of the command's help."""


def commands_in(package: str, found: Mapping[str, tuple[str, str]]) -> list[RegisteredCommand]:
    """Return the commands in a package, given their modules and summaries by name.

    The function of the command `new-bot` must be called `new_bot_command`.
    """
    return [
        RegisteredCommand(name, f"{package}.{module}:{name.replace('-', '_')}_command", summary)
        for name, (module, summary) in found.items()
    ]


class Presentation(msgspec.Struct, frozen=True):
    """How to show a game. Missing parts are replaced by generic ones."""

    name: str
    """Name of the game: the part of a variant's id before the slash."""
    rules: str = ""
    """The rules in Markdown, for a web page."""
    draw: Callable[[Any, Sequence[str], Mapping[int, Any]], Any] | None = None
    """Draws a table in the terminal, given a view, the names by seat, and the views of seats whose
    hands are shown. Returns a string or another Rich renderable."""
    headline: Callable[[Any], Any] | None = None
    """Returns a summary of a view in one line, such as the trump."""
    telling: str = ""
    """The class that puts the game into words, an `arena.narration.telling.Telling`, as
    `package.module:Class`."""
    replay: str = ""
    """How replays draw a table: the result of `draw_by_places`, or JavaScript with the interface
    described in docs/plugins.md."""


class RegisteredGuide(msgspec.Struct, frozen=True):
    """Knowledge of a game, which `arena review` uses to search for better actions."""

    name: str
    """Name of the game: the part of a variant's id before the slash."""
    make: str
    """A function as `package.module:function` that takes a variant and returns an
    `arena.sdk.guide.Guide`."""
    races: bool = False
    """Whether to race actions instead of searching a tree, because simulated games are slow."""

    def guide(self, variant: Any) -> Any:
        return pkgutil.resolve_name(self.make)(variant)


class ReplayPanel(msgspec.Struct, frozen=True):
    """A panel on replay pages, filled with data stored for a game.

    The data is stored in the folder `name` of a run. Each part is a file `KEY.json`, or
    `KEY-WORD.json` if a game has several parts, where KEY is the game's key.
    """

    name: str
    render: str
    """A function as `package.module:function` that takes the content of such a file, and the game's
    record and `arena.publish.replays.ReplayData`. It returns HTML, or raises an `ArenaError` if
    it cannot read the content."""
    package: str
    """A package whose folder `static` contains the panel's `*.js` and `*.css` files. Pages with the
    panel load them before the replay's script."""
    make: str = ""
    """A function as `package.module:function` that makes the content on a contest server. It takes
    a game's record, a seat, the seconds it may take, and a function to call with the number of
    moves done. If empty, servers don't offer the panel."""


class PiecePlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to draw the pieces in one field of a view."""

    field: str
    """Name of the field, or a path such as `opened.-1` for the last item of `opened`."""
    at: tuple[int, int]
    """Coordinates of the center of the first piece."""
    piece: str = ""
    """The kind of piece. Values of the same kind are the same piece, which moves to the last place
    that has its value. Without a kind, a value stays where it is."""
    step: tuple[int, int] = (48, 0)
    """Offset between neighboring pieces of a seat."""
    seats: Literal["", "listed", "own"] = ""
    """`listed` if the field is a list with one item per seat; `own` if it is taken from the view of
    each seat whose hand is shown."""
    seat_step: tuple[int, int] = (0, 80)
    """Offset between neighboring seats."""
    face: Literal["card", "coin", "text", "plate"] = "card"
    """Shape of the pieces. A `plate` also shows the seat's name."""
    label: str = ""
    """Text in front of the pieces. Screen readers read it too."""


def draw_by_places(game: str, size: tuple[int, int], places: Sequence[PiecePlace]) -> str:
    """Return the replay script of a game that is drawn as pieces at places of a table.

    `size` is the size of the table. Later pieces are drawn on top of earlier ones.
    """
    table = msgspec.json.encode({"size": size, "places": places}).decode()
    return f"arena.scenes[{msgspec.json.encode(game).decode()}] = arena.placed({table});\n"


class ArenaHooks:
    """The arena's plugin hooks."""

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
        """Return how to show this plugin's games: rules, and drawings in terminals and replays."""

    @hookspec
    def register_guides(self) -> Iterable[RegisteredGuide]:  # type: ignore[empty-body]
        """Return this plugin's knowledge of games, for searches."""

    @hookspec
    def register_replay_panels(self) -> Iterable[ReplayPanel]:  # type: ignore[empty-body]
        """Return the panels that this plugin adds to replay pages."""


KindT = TypeVar("KindT")


class Registry(Generic[KindT]):
    """Registered objects of one kind, by name. Built-in objects come first."""

    def __init__(
        self, kind: str, hook: str, error: type[ArenaError] = SettingsError, built_in: str = ""
    ) -> None:
        """Create an empty registry.

        Args:
            kind: the kind of object, as named in errors.
            hook: the hook that registers objects of this kind.
            error: the exception for unknown names.
            built_in: the module that registers the built-in objects. They are found without
                importing installed plugins, so that commands and workers start faster.
        """
        self._kind, self._hook, self._error, self._built_in_module = kind, hook, error, built_in

    def __call__(self) -> Mapping[str, KindT]:
        """Return all registered objects by name."""
        return _registered(self, added_plugins())

    def find(self, name: str) -> KindT | None:
        """Return the object with this name, or None."""
        module = self._built_in_module
        built_in: Mapping[str, KindT] = _built_in(self, module) if module else {}
        return built_in.get(name) or self().get(name)

    def named(self, name: str) -> KindT:
        """Return the object with this name. Raise an error that lists the known names if it is
        unknown.
        """
        found = self.find(name)
        if found is None:
            raise self._error(unknown(self._kind, name, self()))
        return found

    def collect(self, manager: pluggy.PluginManager) -> dict[str, KindT]:
        """Return all objects of this kind that the plugins of `manager` register, by name.

        An installed plugin that causes an error is skipped.

        Raises:
            PluginError: two objects have the same name, or one is a class or has no name.
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
"""The sandboxes by name. Built-in sandboxes come first, the weakest one at the start."""
schedules = Registry[Schedule]("schedule", "register_schedules")

get_executor = executors.named
get_sandbox = sandboxes.named
get_schedule = schedules.named


def presentation_of(game: str) -> Presentation:
    """Return how to show a game, or an empty presentation if no plugin registers one."""
    return presentations.find(game) or Presentation(game)


@functools.cache
def _registered(registry: Registry[Any], added: tuple[object, ...]) -> Mapping[str, Any]:
    return MappingProxyType(registry.collect(_plugins(added)))


@functools.cache
def _built_in(registry: Registry[Any], module: str) -> Mapping[str, Any]:
    """Return the objects that a built-in module registers, without importing installed plugins."""
    return registry.collect(load_built_in(ArenaHooks, [module]))


@functools.cache
def _plugins(added: tuple[object, ...]) -> pluggy.PluginManager:
    return load_plugins(ArenaHooks, (*BUILT_IN_PLUGINS, *_extras()), added)


def _extras() -> list[str]:
    try:
        folders = importlib.import_module(EXTRAS).__path__
    except ModuleNotFoundError:  # the core works without them
        return []
    names = [f"{EXTRAS}.{extra.name}.plugin" for extra in pkgutil.iter_modules(folders)]
    return [name for name in names if importlib.util.find_spec(name)]
