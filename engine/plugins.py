"""The registry of variants: built-in games and installed plugins, through one hook."""

import contextlib
import functools
import importlib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import pluggy

from engine.contract import Variant
from engine.errors import MAX_WORD_LENGTH, EngineError, UnknownVariant, unknown

PROJECT = "bribe_arena"
"""The name of pluggy's markers, and of the entry point group of installed plugins."""

BUILT_IN_GAMES = {
    "pot-de-vin": "engine.pot_de_vin",
    "bribery": "engine.bribery",
    "brides-and-bribes": "engine.brides_and_bribes",
}
"""The modules of the built-in plugins, by game. A game imports this module, so it is not imported
here."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class EngineHooks:
    """The hooks of the engine."""

    @hookspec
    def register_variants(self) -> Iterable[Variant]:  # type: ignore[empty-body]  # never called
        """Return the variants that this plugin adds."""


def collect_variants(manager: pluggy.PluginManager) -> dict[str, Variant]:
    """Return the variants that the plugins of `manager` register, by id, in that order.

    Raises:
        EngineError: two plugins register the same id, or an id does not begin with `game/`.
    """
    found: dict[str, Variant] = {}
    for variants in reversed(manager.hook.register_variants()):  # pluggy calls the last first
        for variant in variants:
            if variant.id in found:
                raise EngineError(f"two plugins register the variant {variant.id}; uninstall one")
            if not variant.id.startswith(f"{variant.game}/"):
                raise EngineError(
                    f"a plugin registers {variant.id!r}, expected `{variant.game}/...`"
                )
            found[variant.id] = variant
    return found


_added: tuple[object, ...] = ()


@contextlib.contextmanager
def registered(*plugins: object) -> Iterator[None]:
    """Register plugins in this process while the context lasts, behind the installed ones.

    For tests and notebooks. Other processes, such as the workers of a run, do not know them.
    """
    global _added
    before = _added
    _added = (*before, *plugins)
    try:
        yield
    finally:
        _added = before


def added_plugins() -> tuple[object, ...]:
    """Return the plugins that `registered` adds now."""
    return _added


def load_plugins(
    hooks: type, modules: Iterable[str], added: Iterable[object] = ()
) -> pluggy.PluginManager:
    """Return a manager of `hooks` with the plugins `modules`, installed ones, and those `added`."""
    manager = load_built_in(hooks, modules)
    manager.load_setuptools_entrypoints(PROJECT)
    for plugin in added:
        manager.register(plugin)
    return manager


def load_built_in(hooks: type, modules: Iterable[str]) -> pluggy.PluginManager:
    """Return a manager of `hooks` with the plugins `modules` only."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hooks)
    for name in modules:
        manager.register(importlib.import_module(name))
    return manager


def variants() -> Mapping[str, Variant]:
    """Return every registered variant by id, the built-in ones first."""
    return _variants(added_plugins())


@functools.cache
def _variants(added: tuple[object, ...]) -> Mapping[str, Variant]:
    manager = load_plugins(EngineHooks, BUILT_IN_GAMES.values(), added)
    return MappingProxyType(collect_variants(manager))


def variants_of(game: str) -> Mapping[str, Variant]:
    """Return the registered variants of a game by id. No other built-in game is imported."""
    return _variants_of(game, added_plugins())


@functools.cache
def _variants_of(game: str, added: tuple[object, ...]) -> Mapping[str, Variant]:
    built_in = [BUILT_IN_GAMES[game]] if game in BUILT_IN_GAMES else []
    found = collect_variants(load_plugins(EngineHooks, built_in, added))
    return MappingProxyType({name: one for name, one in found.items() if one.game == game})


@functools.cache
def _built_in_variants(game: str) -> Mapping[str, Variant]:
    """Return the variants of a built-in game. It imports that game only."""
    return collect_variants(load_built_in(EngineHooks, [BUILT_IN_GAMES[game]]))


def get_variant(variant_id: str) -> Variant:
    """Return the variant with this id. For one of a built-in game, no other game is imported.

    Raises:
        UnknownVariant: no plugin registers it; the error lists the registered ids.
    """
    game = variant_id.partition("/")[0]
    if game in BUILT_IN_GAMES and (variant := _built_in_variants(game).get(variant_id)):
        return variant
    try:
        return variants()[variant_id]
    except KeyError:
        raise UnknownVariant(_no_variant(variant_id)) from None


def _no_variant(variant_id: str) -> str:
    """Return the message for an unknown variant. It lists those of its game only, if that exists.

    For `pot-de-vin/2` the nearest variants are all of Pot de Vin, not also `bribery/2`.
    """
    game = variant_id.partition("/")[0]
    if of_game := variants_of(game):
        word = variant_id[:MAX_WORD_LENGTH]
        return f"unknown variant {word!r}: the variants of {game} are {', '.join(of_game)}"
    return unknown("variant", variant_id, variants())
