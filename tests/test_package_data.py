"""A wheel has all files that are no Python: rules, tables, templates, static files."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
COMPILED = {".so", ".pyd", ".pyc"}


def data_files() -> Iterator[Path]:
    """Yield the files of the packages in a checkout that are no modules."""
    for package in ("engine", "arena", "bots"):
        for file in (CHECKOUT / package).rglob("*"):
            is_module = file.suffix == ".py" and (file.parent / "__init__.py").exists()
            path = file.relative_to(CHECKOUT)
            if is_module or file.suffix in COMPILED:
                continue
            if file.is_file():
                yield path


@pytest.mark.skipif(not (CHECKOUT / "engine").is_dir(), reason="needs a checkout")
def test_files_are_package_data() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    data = project["tool"]["setuptools"]["package-data"]
    packed = {
        file.relative_to(CHECKOUT)
        for package, patterns in data.items()
        for pattern in patterns
        for file in (CHECKOUT / package.replace(".", "/")).glob(pattern)
    }
    files = set(data_files())
    assert {path.parent.name for path in files if path.name == "rules.md"} == {
        *("bribery", "brides_and_bribes", "pot_de_vin", "game")
    }
    assert files - packed == set()
