"""Define the hooks that plugins implement, and collect the objects that they register."""

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
    name: str
    command: tuple[str, ...]
    folder: str
    """The folder that contains the bot's code, which is also the bot's working directory."""
    summary: str
    quick: bool = False
    """Whether the bot plays in runs by default."""
    code: tuple[str, ...] = ()
    """Paths of the bot's code files and folders, relative to the bot's folder. Default: all
    files."""
    games: tuple[str, ...] = ()
    """The games that the bot plays. Default: the games in the bot's `ready` message."""


class RegisteredCommand(msgspec.Struct, frozen=True):
    name: str
    function: str
    """Import path of the click command, such as `package.module:function`."""
    summary: str


def commands_in(package: str, found: Mapping[str, tuple[str, str]]) -> list[RegisteredCommand]:
    """Return the commands of a plugin package.

    `found` maps the name of each command to its module and its summary. A command called
    `new-bot` is implemented by the function `new_bot_command`.
    """
    return [
        RegisteredCommand(name, f"{package}.{module}:{name.replace('-', '_')}_command", summary)
        for name, (module, summary) in found.items()
    ]


class Presentation(msgspec.Struct, frozen=True):
    """Text and functions for displaying a game."""

    name: str
    """Prefix of the game's variant ids, such as `pot-de-vin` in `pot-de-vin/3`."""
    rules: str = ""
    """The rules of the game in Markdown."""
    draw: Callable[[Any, Sequence[str], Mapping[int, Any]], Any] | None = None
    """Returns a drawing of the game for the terminal, as a string or another Rich renderable.
    Called with a view of the game, the players' names, and the views of all players whose hands
    are visible."""
    headline: Callable[[Any], Any] | None = None
    """Summarizes the state of a game in one line, for example by naming the trump suit."""
    telling: str = ""
    """Import path of a subclass of `arena.narration.telling.Telling` that describes the game in
    words."""
    replay: str = ""
    """JavaScript code that draws the game in replays, as described in docs/plugins.md."""


class RegisteredGuide(msgspec.Struct, frozen=True):
    """Game-specific heuristics that guide the search in `arena review`."""

    name: str
    make: str
    """Import path of a function that returns the `arena.sdk.guide.Guide` for a variant."""
    races: bool = False
    """Whether reviews compare actions with `arena.sdk.race` instead of a tree search."""

    def guide(self, variant: Any) -> Any:
        return pkgutil.resolve_name(self.make)(variant)


class ReplayPanel(msgspec.Struct, frozen=True):
    """A panel on replay pages that displays additional data about a game.

    The data is stored as JSON in the run's folder. In the path `NAME/KEY.json` or
    `NAME/KEY-WORD.json`, NAME is the name of the panel, KEY identifies the game, and WORD is
    optional.
    """

    name: str
    render: str
    """Import path of a function that renders the panel as HTML. The function is called with the
    content of the panel's JSON file, the game record, and the `arena.publish.replays.ReplayData`.
    Invalid content must raise `ArenaError`."""
    package: str
    """Name of a Python package with the panel's `*.js` and `*.css` files in a `static` folder."""
    make: str = ""
    """Import path of a function that computes the panel's data from a game record, a seat, and a
    time limit in seconds. Contest servers offer only panels that have such a function."""


class PiecePlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place on the game board where replays draw pieces, for example a player's hand."""

    field: str
    """Dotted path to the pieces in a player's view. Numbers are list indexes, so `opened.-1` is the
    last item of the `opened` list."""
    at: tuple[int, int]
    """The x and y coordinates of the center of the first piece."""
    piece: str = ""
    """The kind of the pieces, required to animate their moves."""
    step: tuple[int, int] = (48, 0)
    """The horizontal and vertical distance between two adjacent pieces."""
    seats: Literal["", "listed", "own"] = ""
    """Whether each player has pieces in this place. Default: the pieces belong to no player. Use
    `"listed"` if the field is a list with one item per player. Use `"own"` to read the field from
    the view of each player whose hand is visible."""
    seat_step: tuple[int, int] = (0, 80)
    """The horizontal and vertical distance between the pieces of two neighboring players."""
    face: Literal["card", "coin", "text", "plate"] = "card"
    """The shape of the pieces. A `plate` also shows the player's name."""
    label: str = ""
    """A label that is shown in front of the value and read aloud by screen readers."""


def draw_by_places(game: str, size: tuple[int, int], places: Sequence[PiecePlace]) -> str:
    """Return JavaScript code that draws a game in replays.

    `size` is the width and height of the drawing. Overlapping places are drawn in the given
    order, so that the last one is on top.
    """
    table = msgspec.json.encode({"size": size, "places": places}).decode()
    return f"arena.scenes[{msgspec.json.encode(game).decode()}] = arena.placed({table});\n"


class ArenaHooks:
    """Hooks that plugins can implement."""

    @hookspec
    def arena_commands(self) -> Iterable[RegisteredCommand]:  # type: ignore[empty-body]
        """Return the commands to add to `arena`."""

    @hookspec
    def register_bots(self) -> Iterable[RegisteredBot]:  # type: ignore[empty-body]  # never called
        """Return the bots to add."""

    @hookspec
    def register_schedules(self) -> Iterable[Schedule]:  # type: ignore[empty-body]  # never called
        """Return the schedules to add."""

    @hookspec
    def register_sandboxes(self) -> Iterable[Sandbox]:  # type: ignore[empty-body]
        """Return the sandboxes that users can select with `--sandbox`."""

    @hookspec
    def register_executors(self) -> Iterable[ExecutorKind]:  # type: ignore[empty-body]
        """Return the executors that users can select with the `machine.executor` setting."""

    @hookspec
    def register_presentations(self) -> Iterable[Presentation]:  # type: ignore[empty-body]
        """Return the rules of the plugin's games, and the functions that draw them."""

    @hookspec
    def register_guides(self) -> Iterable[RegisteredGuide]:  # type: ignore[empty-body]
        """Return guides for the plugin's games. Guides make searches more accurate."""

    @hookspec
    def register_replay_panels(self) -> Iterable[ReplayPanel]:  # type: ignore[empty-body]
        """Return the panels to add to replay pages."""


KindT = TypeVar("KindT")


class Registry(Generic[KindT]):
    """All registered objects of one kind, such as bots or schedules.

    Built-in objects come first.
    """

    def __init__(
        self, kind: str, hook: str, error: type[ArenaError] = SettingsError, built_in: str = ""
    ) -> None:
        """Create an empty registry.

        Args:
            kind: The kind of object, as it is called in error messages.
            hook: The name of the plugin hook that returns objects of this kind.
            error: The exception to raise for an unknown name.
            built_in: The module that registers built-in objects.
        """
        self._kind, self._hook, self._error, self._built_in_module = kind, hook, error, built_in

    def __call__(self) -> Mapping[str, KindT]:
        return _registered(self, added_plugins())

    def find(self, name: str) -> KindT | None:
        module = self._built_in_module
        built_in: Mapping[str, KindT] = _built_in(self, module) if module else {}
        return built_in.get(name) or self().get(name)

    def named(self, name: str) -> KindT:
        """Return the object with the given name, or raise an error that lists the known names."""
        registered = self.find(name)
        if registered is None:
            raise self._error(unknown(self._kind, name, self()))
        return registered

    def collect(self, manager: pluggy.PluginManager) -> dict[str, KindT]:
        """Return the registered objects as a dict that maps names to objects.

        Raises:
            PluginError: An object is a class instead of an instance, has no name, or has the same
                name as another object.
        """
        return collect(manager, self._hook, self._add)

    def _add(self, registered: dict[str, KindT], item: Any) -> None:
        kind = self._kind
        if isinstance(item, type):
            raise PluginError(f"it registers the class {item.__name__}, expected an instance of it")
        if not isinstance(name := getattr(item, "name", None), str):
            raise PluginError(f"it registers {item!r:.80}, expected a {kind} with a `name`")
        if name in registered:
            raise PluginError(f"two plugins register a {kind} named {name!r}; uninstall one")
        registered[name] = item


bots = Registry[RegisteredBot]("bot", "register_bots")
commands = Registry[RegisteredCommand]("command", "arena_commands", built_in=COMMANDS)
executors = Registry[ExecutorKind]("executor", "register_executors", built_in=EXECUTORS)
guides = Registry[RegisteredGuide]("guide", "register_guides")
presentations = Registry[Presentation]("presentation", "register_presentations")
replay_panels = Registry[ReplayPanel]("panel of replays", "register_replay_panels")
sandboxes = Registry[Sandbox]("sandbox", "register_sandboxes", SandboxError)
"""The registered sandboxes, ordered from the weakest to the strongest."""
schedules = Registry[Schedule]("schedule", "register_schedules")

get_executor = executors.named
get_sandbox = sandboxes.named
get_schedule = schedules.named


def presentation_of(game: str) -> Presentation:
    """Return the name, the rules and the drawing functions of a game.

    If no plugin describes the game, the result contains only the name.
    """
    return presentations.find(game) or Presentation(game)


@functools.cache
def _registered(registry: Registry[Any], added: tuple[object, ...]) -> Mapping[str, Any]:
    return MappingProxyType(registry.collect(_plugins(added)))


@functools.cache
def _built_in(registry: Registry[Any], module: str) -> Mapping[str, Any]:
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
