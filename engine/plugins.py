"""The registry of game variants from built-in games and installed plugins."""

import contextlib
import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, TypeVar

import pluggy

from engine.contract import Variant
from engine.errors import MAX_WORD_LENGTH, EngineError, UnknownVariant, unknown

PROJECT = "bribe_arena"

BUILT_IN_GAMES = {
    "pot-de-vin": "engine.pot_de_vin",
    "bribery": "engine.bribery",
    "brides-and-bribes": "engine.brides_and_bribes",
}

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class EngineHooks:
    @hookspec
    def register_variants(self) -> Iterable[Variant]:  # type: ignore[empty-body]  # never called
        """Return the variants that a plugin adds."""

    @hookspec
    def explain_unknown_game(self, game: str) -> str | None:
        """Return the reason why no game has this name, such as a missing package, or None."""


class BrokenPlugin(NamedTuple):
    """An installed plugin that raised an error. Some or all of its objects were skipped."""

    name: str
    package: str
    why: str

    def __str__(self) -> str:
        return (
            f"the plugin {self.name} of the package {self.package} was skipped: {self.why}; update "
            f"the package, or remove it with `pip uninstall {self.package}`"
        )


_broken: dict[tuple[str, str], BrokenPlugin] = {}


def broken_plugins() -> list[BrokenPlugin]:
    return list(_broken.values())


class Plugins(pluggy.PluginManager):
    def __init__(self) -> None:
        super().__init__(PROJECT)
        self._installed: dict[str, str] = {}

    def register(self, plugin: Any, name: str | None = None) -> str | None:
        """Register a plugin. For a module, also register the games that it declares.

        Raises:
            EngineError: The plugin is a class.
        """
        if isinstance(plugin, type):
            raise EngineError(
                f"got the class {plugin.__name__} as a plugin, expected an instance of it or a "
                "module"
            )
        registered = super().register(plugin, name)
        for attribute, value in vars(plugin).items() if isinstance(plugin, ModuleType) else ():
            if hasattr(type(value), "register_variants"):  # a declared game
                part = f"{registered}:{attribute}"
                if name in self._installed:
                    self._installed[part] = self._installed[name]
                super().register(value, part)
        return registered

    def load_installed(self) -> None:
        from importlib import metadata  # imported late to keep workers fast to start

        for package in metadata.distributions():
            for entry in package.entry_points.select(group=PROJECT):
                if self.has_plugin(entry.name):
                    continue
                self._installed[entry.name] = package.metadata["Name"]
                with self.recording_errors(entry.name):
                    self.register(entry.load(), name=entry.name)

    @contextlib.contextmanager
    def recording_errors(self, name: str | None) -> Iterator[None]:
        """Skip an installed plugin that raises an exception, and record the exception."""
        try:
            yield
        except (Exception, SystemExit) as error:
            if name not in self._installed:
                raise
            why = str(error)
            if not (isinstance(error, EngineError) or getattr(error, "is_sentence", False)):
                why = f"{type(error).__name__}: {why}" if why else type(error).__name__
            package = self._installed[name]
            _broken[name, why] = BrokenPlugin(name, package, " ".join(why.split()))


T = TypeVar("T")


def collect(
    manager: pluggy.PluginManager, hook: str, add: Callable[[dict[str, T], Any], None]
) -> dict[str, T]:
    """Call a plugin hook and return a dict of the objects that the plugins provide.

    The function `add` stores an object in a dict, and raises an error if the object is invalid.
    """
    collected: dict[str, T] = {}
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        name = implementation.plugin_name
        with (
            manager.recording_errors(name)
            if isinstance(manager, Plugins)
            else contextlib.nullcontext()
        ):
            extended = collected.copy()
            for addition in implementation.function():
                add(extended, addition)
            collected = extended
    return collected


def collect_variants(manager: pluggy.PluginManager) -> dict[str, Variant]:
    """Return the variants of all plugins by id.

    Raises:
        EngineError: Two plugins have registered the same id, an id does not begin with the name
            of its game, or an object is not a variant.
    """
    return collect(manager, "register_variants", _add_variant)


def _add_variant(registered: dict[str, Variant], variant: Any) -> None:
    if isinstance(variant, type):
        raise EngineError(f"it registers the class {variant.__name__}, expected an instance of it")
    if not isinstance(variant, Variant):
        raise EngineError(f"it registers {variant!r:.80}, expected an `engine.Variant`")
    other = registered.get(variant.id)
    if other and other.on_request == variant.on_request:
        raise EngineError(f"two plugins register the variant {variant.id}; uninstall one")
    if not variant.id.startswith(f"{variant.game}/"):
        raise EngineError(f"a plugin registers {variant.id!r}, expected `{variant.game}/...`")
    if not other or other.on_request:  # other plugins may replace variants marked `on_request`
        registered[variant.id] = variant


_added: tuple[object, ...] = ()


@contextlib.contextmanager
def registered(*plugins: object) -> Iterator[None]:
    """Register plugins in this process until the context manager exits."""
    global _added
    before = _added
    _added = (*before, *plugins)
    try:
        yield
    finally:
        _added = before


def added_plugins() -> tuple[object, ...]:
    return _added


def load_plugins(hooks: type, modules: Iterable[str], added: Iterable[object] = ()) -> Plugins:
    manager = load_built_in(hooks, modules)
    manager.load_installed()
    for plugin in added:
        manager.register(plugin)
    return manager


def load_built_in(hooks: type, modules: Iterable[str]) -> Plugins:
    manager = Plugins()
    manager.add_hookspecs(hooks)
    for name in modules:
        manager.register(importlib.import_module(name))
    return manager


def variants() -> Mapping[str, Variant]:
    """Return all variants by id, except for variants marked `on_request`."""
    return MappingProxyType(
        {name: variant for name, variant in all_variants().items() if not variant.on_request}
    )


def all_variants() -> Mapping[str, Variant]:
    return _variants(added_plugins())


@functools.cache
def _variants(added: tuple[object, ...]) -> Mapping[str, Variant]:
    manager = load_plugins(EngineHooks, BUILT_IN_GAMES.values(), added)
    return MappingProxyType(collect_variants(manager))


def variants_of(game: str) -> Mapping[str, Variant]:
    """Return the variants of a game by id."""
    return _variants_of(game, added_plugins())


@functools.cache
def _variants_of(game: str, added: tuple[object, ...]) -> Mapping[str, Variant]:
    built_in = [BUILT_IN_GAMES[game]] if game in BUILT_IN_GAMES else []
    of_plugins = collect_variants(load_plugins(EngineHooks, built_in, added))
    return MappingProxyType(
        {name: variant for name, variant in of_plugins.items() if variant.game == game}
    )


@functools.cache
def _built_in_variants(game: str) -> Mapping[str, Variant]:
    return collect_variants(load_built_in(EngineHooks, [BUILT_IN_GAMES[game]]))


def is_only_here(variant_id: str) -> bool:
    """Return whether a variant is registered only in this process (see `registered`)."""
    return variant_id not in _variants(()) and variant_id in all_variants()


def import_game(name: str) -> None:
    game = name.partition("/")[0]
    if game in BUILT_IN_GAMES:
        _built_in_variants(game)
    else:
        variants_of(game)


def get_variant(variant_id: str) -> Variant:
    """Return the variant with the given id.

    Raises:
        UnknownVariant: There is no variant with this id. The message lists the known ids.
    """
    game = variant_id.partition("/")[0]
    if game in BUILT_IN_GAMES and (variant := _built_in_variants(game).get(variant_id)):
        return variant
    try:
        return all_variants()[variant_id]
    except KeyError:
        raise UnknownVariant(_no_variant(variant_id)) from None


def _no_variant(variant_id: str) -> str:
    game = variant_id.partition("/")[0]
    if of_game := variants_of(game):
        word = variant_id[:MAX_WORD_LENGTH]
        return f"unknown variant {word!r}: the variants of {game} are {', '.join(of_game)}"
    return _unknown_in("variant", game, variant_id, list(variants()), all_variants())


def unknown_game(game: str) -> str:
    """Return an error message for an unknown game."""
    shown, known = (
        dict.fromkeys([variant.game for variant in found.values()])
        for found in (variants(), all_variants())
    )
    return _unknown_in("game", game, game, shown, known)


def _unknown_in(what: str, game: str, word: str, shown: Iterable[str], known: Iterable[str]) -> str:
    manager = load_plugins(EngineHooks, (), added_plugins())
    for reason in manager.hook.explain_unknown_game(game=game):
        return f"unknown {what} {word[:MAX_WORD_LENGTH]!r}: {reason}"
    return unknown(what, word, shown, known, "arena games")
