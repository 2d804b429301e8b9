"""Tests speak to public names, and patch nothing but the system that Python sees."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
SYSTEM = {"os", "select", "subprocess", "sys", "time"}
"""Modules that tests may change: they stand for the machine."""
EXCEPTIONS = {
    "patch.setattr(SubmissionStore, name, kill)": "a checker that is killed at this write",
    "monkeypatch.setattr(submissions, 'BUILD_BOUNDS', Bounds(memory_mib=64))": "a small machine",
    "monkeypatch.setattr(columns, 'COLUMNS', (*COLUMNS, column))": "a table with a column more",
}
"""Patches of the project, with what they stand for."""
PATCHES = {"setattr", "delattr"}
OWN = {"self", "cls"}
PROTOCOLS = {"_asdict", "_fields", "_make", "_replace", "_repr_html_"}
"""Public names in spite of their underscore: of named tuples, and of notebooks."""


def mistakes(tree: ast.AST) -> Iterator[str]:
    """Yield the private names of others in a module, and what it patches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names if _is_private(alias.name)]
            yield from [f"{node.module}.{name}" for name in names]
        elif isinstance(node, ast.Call) and _is_patch(node.func):
            target = node.args[0]
            if not (isinstance(target, ast.Name) and target.id in SYSTEM):
                yield ast.unparse(node)
        elif isinstance(node, ast.Attribute) and _is_private(node.attr):
            owner = ast.unparse(node.value)
            if owner not in OWN | SYSTEM and not owner.startswith("super("):
                yield ast.unparse(node)


def _is_patch(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr in PATCHES
        and isinstance(function.value, ast.Name)
        and function.value.id in ("monkeypatch", "patch")
    )


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PROTOCOLS


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.stem)
def test_a_test_speaks_to_public_names(path: Path) -> None:
    found = mistakes(ast.parse(path.read_text("utf-8")))
    assert [mistake for mistake in found if mistake not in EXCEPTIONS] == []


@pytest.mark.parametrize(
    "text",
    [
        "bot._popen.pid",
        "from arena.cli import _main",
        "monkeypatch.setattr(backlog, 'SIZE', 2)",
        "monkeypatch.setattr('arena.plugins.bots', dict)",
        "monkeypatch.setattr(Path, 'rename', other)",
    ],
)
def test_a_private_name_and_a_patch_are_noticed(text: str) -> None:
    assert len(list(mistakes(ast.parse(text)))) == 1


@pytest.mark.parametrize(
    "text",
    ["self._mark", "super()._mark", "os._exit(1)", "share._replace(a=1)", "a.__name__", "_mark"],
)
def test_what_is_allowed_is_no_mistake(text: str) -> None:
    assert not list(mistakes(ast.parse(text)))
