"""A broken plugin is named with its package and how to remove it; all else works."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from arena import plugins
from arena.base.errors import PluginError
from arena.plugins import RegisteredBot, bots, hookimpl
from engine import EngineError, Variant, variants
from tests.arena.installed import arena_with, install
from tests.engine.high_card import HighCard

RAISES = "raise RuntimeError('no licence')"
LEAVES = "import sys; sys.exit('bye')"
CLASS = """
from arena.plugins import hookimpl
from tests.engine.high_card import HighCard

@hookimpl
def register_variants():
    return [HighCard]
"""
TAKEN = """
from arena.plugins import RegisteredBot, hookimpl

@hookimpl
def register_bots():
    return [RegisteredBot(name, ("python",), ".", "plays") for name in ("fresh", "random")]
"""
FAILS = """
from arena.plugins import hookimpl

@hookimpl
def register_bots():
    return 1 / 0
"""
GOOD = """
from arena.plugins import RegisteredBot, hookimpl

@hookimpl
def register_bots():
    return [RegisteredBot("theirs", ("python",), ".", "plays")]
"""


def test_reports_broken_plugins(tmp_path: Path) -> None:
    broken = {"raises": RAISES, "leaves": LEAVES, "taken": TAKEN, "fails": FAILS, "classy": CLASS}
    for name, text in broken.items():
        install(tmp_path, f"package-{name}", **{name: text})
    install(tmp_path, "good-package", good=GOOD)
    listed = arena_with(tmp_path, "games")
    assert listed.returncode == 0, listed.stderr
    names = listed.stdout.split()
    assert "random" in names
    assert "theirs" in names
    assert "fresh" not in names  # nothing of a broken plugin
    warnings = listed.stderr.splitlines()
    assert len(warnings) == len(broken)
    whys = ["RuntimeError: no licence", "SystemExit: bye", "'random'", "ZeroDivisionError"]
    whys.append("registers the class HighCard, expected an instance")
    for name, why in zip(broken, whys, strict=True):
        (warning,) = [line for line in warnings if f"the plugin {name} of" in line]
        assert why in warning
        assert warning.endswith(f"remove it with `pip uninstall package-{name}`")


class Classes:
    """A plugin that returns classes where instances are expected."""

    @hookimpl
    def register_variants(self) -> Iterable[type[Variant]]:
        return [HighCard]

    @hookimpl
    def register_bots(self) -> Iterable[type[RegisteredBot]]:
        return [RegisteredBot]


def test_rejects_class_instead_of_instance() -> None:
    with plugins.registered(Classes()):
        with pytest.raises(EngineError, match="class HighCard, expected an instance"):
            variants()
        with pytest.raises(PluginError, match="class RegisteredBot, expected an instance"):
            bots()
    with (
        plugins.registered(Classes),
        pytest.raises(EngineError, match="got the class Classes as a plugin, expected an instance"),
    ):
        variants()
