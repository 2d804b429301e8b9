"""Conformance checks of a game, one by one, and exceptions of games seen again."""

import importlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.atomic_file import read_struct
from arena.base.errors import PluginError, SettingsError
from arena.base.protocol import raw
from arena.match.broken_game import BROKEN_GAME, BrokenGame, describe_error
from arena.match.referee import start_game
from engine import EndlessGame, Variant, get_variant, variants
from engine.conformance import CHECKS, check_variant
from engine.plugins import EngineHooks, collect_variants, load_built_in


class GameCheck(NamedTuple):
    """The result of one check of one variant."""

    variant: str
    name: str
    """The promise that is checked, as a sentence."""
    error: str
    """Why it fails, or an empty string."""


def variants_in(module: str) -> list[Variant]:
    """Return the variants of a game by its name, or those that a module registers.

    Raises:
        PluginError: there is no such game and no such module, or the module cannot be imported or
            registers no variant.
    """
    if own := [variant for variant in variants().values() if variant.game == module]:
        return own
    try:
        plugin = importlib.import_module(module)
        found = collect_variants(load_built_in(EngineHooks, [plugin.__name__]))
    except ModuleNotFoundError as error:
        raise PluginError(
            f"no module {error.name!r}; expected a module with hooks, to be found from the working "
            "folder, or the name of an installed game"
        ) from None
    except Exception as error:
        raise PluginError(f"{module} cannot be loaded: {describe_error(error)}") from error
    if not found:
        raise PluginError(
            f"{module} registers no variant: expected a function `register_variants` with "
            "`@hookimpl`, as docs/new-game.md shows"
        )
    return list(found.values())


def check_game(tested: Sequence[Variant], seed: int) -> Iterator[GameCheck]:
    """Yield the result of each conformance check of each variant."""
    for variant in tested:
        for check in CHECKS:
            name = " ".join((check.__doc__ or check.__name__).split("\n\n")[0].split())
            try:
                check_variant(variant, seed, [check])
            except AssertionError as error:
                yield GameCheck(variant.id, name, str(error))
            except Exception as error:  # of the game
                yield GameCheck(variant.id, name, describe_error(error))
            else:
                yield GameCheck(variant.id, name, "")


def read_broken(path: Path) -> BrokenGame:
    """Return the broken game in a file. Raises `SettingsError` if it cannot be read."""
    return read_struct(path, BrokenGame, f"the {BROKEN_GAME} of a run", SettingsError)


def break_again(broken: BrokenGame) -> None:
    """Play a broken game again, with all that seats see and are told, and raise what it raises."""
    if broken.dice:
        dice = random.Random()
        dice.setstate((dice.VERSION, broken.dice, None))
        raw(get_variant(broken.variant).deal(dice))
        return
    state = start_game(broken.variant, broken.deal)
    for action in [*broken.actions, None]:
        for seat in (*range(state.variant.seats), None):
            state.view(seat)
            state.events(seat)
        state.legal_actions()
        if action is not None:
            state.apply(action)
    if (seat := state.seat_to_act) is not None:
        if len(broken.actions) >= state.variant.max_decisions:
            raise EndlessGame(broken.variant, seat, broken.actions)
    else:
        msgspec.json.encode(state.outcome().detail)
