"""Test the implementation of a game."""

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from arena.base.errors import PluginError
from arena.match.broken_game import describe_error
from engine import NoWorldFound, Variant
from engine.conformance import CHECKS, check_variant
from engine.plugins import EngineHooks, all_variants, collect_variants, load_built_in


class GameCheck(NamedTuple):
    variant: str
    name: str
    error: str


def variants_in(module: str) -> list[Variant]:
    """Return the variants of a game, given the name of the game or of a module that registers
    variants.

    Raises:
        PluginError: The game or module doesn't exist, the module can't be imported, or it
            registers no variants.
    """
    if own := [variant for variant in all_variants().values() if variant.game == module]:
        return own
    path = Path(module)
    if path.exists() and (path.suffix or path.name != module or "-" in module):
        raise PluginError(
            f"{module} is a path: give the module's name, in its folder, as in `cd "
            f"{path.parent if path.suffix else path} && arena check --kind game "
            f"{path.stem.replace('-', '_')}`"
        )
    try:
        plugin = importlib.import_module(module)
        registered = collect_variants(load_built_in(EngineHooks, [plugin.__name__]))
    except ModuleNotFoundError as error:
        raise PluginError(
            f"no module {error.name!r}; expected a module with hooks, to be found from the working "
            "folder, or the name of an installed game"
        ) from None
    except Exception as error:
        raise PluginError(f"{module} cannot be loaded: {describe_error(error)}") from error
    if not registered:
        raise PluginError(
            f"{module} registers no variant: expected an `engine.Game` in it, as docs/new-game.md "
            "shows"
        )
    return list(registered.values())


def check_game(tested: Sequence[Variant], seed: int) -> Iterator[GameCheck]:
    """Run all conformance checks on each variant, and yield the results. A check can take
    minutes.
    """
    # Without a world, the remaining checks of a variant would fail as well.
    for variant in tested:
        for check in CHECKS:
            name = " ".join((check.__doc__ or check.__name__).split("\n\n")[0].split())
            try:
                check_variant(variant, seed, [check])
            except AssertionError as error:
                yield GameCheck(variant.id, name, str(error))
            except Exception as error:  # of the game
                yield GameCheck(variant.id, name, describe_error(error))
                if isinstance(error, NoWorldFound):
                    break
            else:
                yield GameCheck(variant.id, name, "")


def check_order(module: str, variant: Variant, seed: int) -> GameCheck:
    """Check that the order of legal actions doesn't depend on Python's hash seed."""
    name = "Legal actions are in the same order in every process."
    listed = [
        subprocess.run(
            [sys.executable, "-c", LISTING, module, variant.id, str(seed)],
            env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
            capture_output=True,
            text=True,
            check=False,
        ).stdout.splitlines()
        for hash_seed in (1, 2)
    ]
    for number, (first, second) in enumerate(zip(*listed, strict=False)):
        if first != second:
            seat, _, actions = first.partition(" ")
            text = f"{variant.id}, action {number} by seat {seat}: {actions}, in another process "
            return GameCheck(variant.id, name, text + second.partition(" ")[2])
    return GameCheck(variant.id, name, "")


def template_rules(tested: Sequence[Variant]) -> Path | None:
    """Return the path of a game's `rules.md` if it still contains the example rules of the game
    template.
    """
    template = files("bots").joinpath("templates", "game", "rules.md").read_text("utf-8")
    _, first_paragraph, *_ = template.split("\n\n")
    for variant in tested:
        module = sys.modules[getattr(variant, "home", type(variant).__module__)]
        file = Path(module.__file__ or "").with_name("rules.md")
        if variant.game != "hush-money" and file.exists():
            return file if first_paragraph in file.read_text("utf-8") else None
    return None


# The actions played must not depend on the order of the legal actions.
LISTING = """
import random, sys
from arena.check.game_check import variants_in
sys.path.insert(0, "")
(variant,) = [each for each in variants_in(sys.argv[1]) if each.id == sys.argv[2]]
rng = random.Random(int(sys.argv[3]))
state = variant.start(variant.deal(rng))
while state.seat_to_act is not None:
    legal = state.legal_actions()
    print(state.seat_to_act, legal)
    state.apply(rng.choice(sorted(legal)))
"""
