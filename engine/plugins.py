"""The registry of variants: built-in games and installed plugins, through one hook."""

import contextlib
import functools
import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import pluggy

from engine.contract import Variant
from engine.errors import EngineError, UnknownVariant, unknown

PROJECT = "bribe_arena"
"""The name of pluggy's markers, and of the entry point group of installed plugins."""

BUILT_IN_GAMES = ("engine.pot_de_vin", "engine.bribery", "engine.brides_and_bribes")
"""The modules of the built-in plugins. They are named, not imported: a game imports this module."""

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
    hooks: type, modules: Sequence[str], added: Sequence[object] = ()
) -> pluggy.PluginManager:
    """Return a manager of `hooks` with the plugins `modules`, installed ones, and those `added`."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hooks)
    for name in modules:
        manager.register(importlib.import_module(name))
    manager.load_setuptools_entrypoints(PROJECT)
    for plugin in added:
        manager.register(plugin)
    return manager


def variants() -> Mapping[str, Variant]:
    """Return every registered variant by id, the built-in ones first."""
    return _variants(added_plugins())


@functools.cache
def _variants(added: tuple[object, ...]) -> Mapping[str, Variant]:
    return MappingProxyType(collect_variants(load_plugins(EngineHooks, BUILT_IN_GAMES, added)))


def get_variant(variant_id: str) -> Variant:
    """Return the variant with this id.

    Raises:
        UnknownVariant: no plugin registers it; the error lists the registered ids.
    """
    try:
        return variants()[variant_id]
    except KeyError:
        raise UnknownVariant(unknown("variant", variant_id, variants())) from None
