"""Classes are of a size that a reader keeps in mind. Ruff counts the parameters of functions."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_LINES = 250


def classes_in(*packages: str) -> Iterator[tuple[str, int]]:
    """Yield each class of a file that is long enough, with the number of its lines."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text("utf-8")
            if text.count("\n") < MAX_LINES:
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef) and node.end_lineno:
                    name = f"{path.relative_to(ROOT)}:{node.name}"
                    yield name, node.end_lineno - node.lineno + 1


def test_no_class_is_longer_than_250_lines() -> None:
    sizes = dict(classes_in("arena", "benchmarks", "bots", "engine"))
    assert len(sizes) > 100
    assert {name: lines for name, lines in sizes.items() if lines > MAX_LINES} == {}
