"""Imports point downwards only, and what is pure stays pure."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("engine", "arena", "bots")

# From below. A module imports modules of lower layers only, hence none of its own layer.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("engine.errors", "engine.contract"),
    ("engine.conformance", "engine.fields", "engine.plugins"),
    ("engine",),
    ("engine.*",),  # the games: each folder is one, and knows no other
    ("arena", "arena.cores", "arena.errors", "arena.stalls", "arena.usage"),
    ("arena.protocol", "arena.balance", "arena.certainty"),
    ("arena.bot", "arena.lines", "arena.lock", "arena.record", "arena.schedule"),
    ("arena.archive", "arena.cards", "arena.withdrawal"),
    ("arena.sandbox", "arena.sandbox.attacks", "arena.sandbox.shield", "arena.sandbox.tree"),
    ("arena.sandbox.contract",),
    ("arena.executor", "arena.plugins", "arena.referee", "arena.rating"),
    ("arena.fault_file", "arena.retrace", "arena.sandbox.none", "arena.sandbox.steps"),
    ("arena.sandbox.isolated", "arena.sandbox.limits"),
    ("arena.sandbox.plugin",),
    ("arena.clocks", "arena.process", "arena.report", "arena.store", "arena.turns", "arena.verify"),
    ("arena.in_process", "arena.new_bot", "arena.pipes", "arena.sandbox.probe", "arena.schedules"),
    ("arena.contest", "arena.head_to_head", "arena.tables"),
    ("arena.answers",),
    ("arena.driver",),
    ("arena.entrants", "arena.playing", "arena.sitting"),
    ("arena.contest_file", "arena.replay_fault", "arena.rerun", "arena.submissions"),
    ("arena.check",),
    ("arena.worker",),
    ("arena.commands", "arena.drawing.*", "arena.guests", "arena.new_contest"),
    ("arena.line_up", "arena.replay", "arena.tournament"),
    ("arena.drawing", "arena.samples", "arena.workers", "arena.publish"),
    ("arena.publish.choice", "arena.publish.findings", "arena.publish.layout"),
    ("arena.publish.deltas", "arena.publish.facts", "arena.publish.words"),
    ("arena.publish.about", "arena.publish.pages", "arena.publish.site", "arena.publish.svg"),
    ("arena.publish.pictures", "arena.publish.render"),
    ("arena.publish.replays",),
    ("arena.publish.build",),
    ("arena.publish.refresh",),
    ("arena.bench", "arena.commands.common"),
    ("arena.commands.check_report", "arena.commands.settings"),
    ("arena.commands.*",),
    ("arena.cli",),
    ("bots", "bots.*"),
)

GAME = "engine.*"
FOLDERS = [name for names in LAYERS for name in names if name.endswith(".*") and name != GAME]

SDK = ("arena", "arena.errors", "arena.protocol", "arena.bot")
PURE = ("arena.errors", "arena.protocol", "arena.record", "arena.referee", "arena.schedule")
PURE += ("arena.balance", "arena.certainty", "arena.clocks", "arena.rating", "arena.schedules")
PURE += ("arena.turns",)
PURE += ("arena.publish.choice", "arena.publish.findings", "arena.publish.layout")
PURE += ("arena.publish.pages",)
PURE += ("arena.lines", "arena.retrace", "arena.stalls", "arena.withdrawal")
PURE += ("arena.publish.deltas", "arena.publish.facts", "arena.publish.replays")
PURE += ("arena.publish.words",)
IMPURE = {"asyncio", "datetime", "multiprocessing", "os", "secrets", "select", "selectors"}
IMPURE |= {"signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "uuid"}


class Module(NamedTuple):
    """A module of ours."""

    name: str
    tree: ast.Module

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]


def modules() -> list[Module]:
    """Return every module of ours."""
    found = []
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name, ast.parse(path.read_text("utf-8"))))
    return found


MODULES = modules()
NAMES = {module.name for module in MODULES}
GAMES = {
    f"engine.{path.parent.name}" for path in (ROOT / "engine").glob("*/__init__.py")
}  # a test below holds that there are some
each_module = pytest.mark.parametrize("module", MODULES, ids=[module.name for module in MODULES])


def imports(module: Module) -> Iterator[str]:
    """Yield the modules that a module imports, wherever in it that stands."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module.name} line {node.lineno}: write the whole name"
            assert node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in NAMES else node.module


def entry(name: str) -> str:
    """Return what stands for a module in the table: itself, its game, or all of its folder."""
    for game in GAMES:
        if name == game or name.startswith(f"{game}."):
            return GAME
    for folder in FOLDERS:
        if name.startswith(folder[:-1]) and not any(name in names for names in LAYERS):
            return folder
    return name


def layer(name: str) -> int:
    """Return how high a module stands."""
    for height, entries in enumerate(LAYERS):
        if entry(name) in entries:
            return height
    raise AssertionError(f"{name} has no place: put it into LAYERS, in {Path(__file__).name}")


def unit(name: str) -> str:
    """Return what knows itself: a game, the bots, and else each module."""
    if name.startswith("bots."):
        return "bots"
    return next((game for game in GAMES if name == game or name.startswith(f"{game}.")), name)


def read(text: str, name: str = "arena.here") -> Module:
    return Module(name, ast.parse(text))


# -- the walk ----------------------------------------------------------------------------------


def test_all_imports_of_a_module_are_seen() -> None:
    text = """
import os, json.decoder as d
from arena import __version__, bot as this
from arena.protocol import Act
def f():
    from engine import State
if TYPE_CHECKING:
    from engine.plugins import variants
"""
    assert list(imports(read(text))) == [
        "os",
        "json.decoder",
        "arena",
        "arena.bot",
        "arena.protocol",
        "engine",
        "engine.plugins",
    ]


def test_every_package_is_walked() -> None:
    assert {"engine.contract", "arena.driver", "bots.any_game.random"} <= NAMES
    assert "engine.pot_de_vin" in GAMES
    assert "engine.pot_de_vin.state" in NAMES


# -- layers ------------------------------------------------------------------------------------


@each_module
def test_a_module_imports_lower_layers_only(module: Module) -> None:
    height = layer(module.name)
    for name in imports(module):
        if name in NAMES and unit(name) != unit(module.name):
            assert layer(name) < height, f"{module.name} imports {name}"


def test_every_line_of_the_table_stands_for_a_module() -> None:
    assert {name for entries in LAYERS for name in entries} == {entry(name) for name in NAMES}


@each_module
def test_the_engine_imports_nothing_of_the_arena_and_the_arena_no_bot(module: Module) -> None:
    below = {"engine": ("arena", "bots"), "arena": ("bots",), "bots": ()}[module.package]
    for name in imports(module):
        assert name.partition(".")[0] not in below, f"{module.name} imports {name}"


@each_module
def test_a_bot_imports_the_sdk_and_the_engine_only(module: Module) -> None:
    if module.package == "bots":
        allowed = {"arena.plugins"} if module.name == "bots.plugin" else {"arena.bot"}
        for name in imports(module):
            fine = name.partition(".")[0] not in ("arena", "tests") or name in allowed
            assert fine, f"{module.name} imports {name}"


@each_module
def test_the_engine_and_the_sdk_need_few_libraries(module: Module) -> None:
    if module.package == "engine":
        allowed = {"msgspec"} | ({"pluggy"} if module.name == "engine.plugins" else set())
    elif module.name in SDK:
        allowed = {"msgspec"}
    else:
        return
    tops = {name.partition(".")[0] for name in imports(module)}
    assert tops - sys.stdlib_module_names - {module.package} <= allowed


# -- purity ------------------------------------------------------------------------------------


@each_module
def test_what_is_pure_knows_no_system_and_no_clock(module: Module) -> None:
    if module.package == "engine" or module.name in PURE:
        tops = {name.partition(".")[0] for name in imports(module)}
        assert not tops & IMPURE, f"{module.name} imports {tops & IMPURE}"


def global_dice(module: Module) -> Iterator[str]:
    """Yield the uses of the random functions that share one hidden generator."""
    names = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name for alias in node.names if alias.name == "random"}
        elif isinstance(node, ast.ImportFrom) and node.module == "random":
            for alias in node.names:
                if alias.name != "Random":
                    yield f"line {node.lineno}: {alias.name}"
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
            and node.attr != "Random"
        ):
            yield f"line {node.lineno}: {node.attr}"


@each_module
def test_nobody_draws_from_the_global_generator(module: Module) -> None:
    assert list(global_dice(module)) == []


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("import random\nrandom.choice([1])", ["line 2: choice"]),
        ("import random as dice\ndef f():\n    return dice.seed", ["line 3: seed"]),
        ("from random import Random, shuffle", ["line 1: shuffle"]),
        ("import random\nrng = random.Random(1)\nrng.choice([1])", []),
        ("def f(random):\n    return random.choice([1])", []),
    ],
)
def test_draws_from_the_global_generator_are_seen(text: str, uses: list[str]) -> None:
    assert list(global_dice(read(text))) == uses
