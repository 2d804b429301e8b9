"""What `mutants.toml` lists exists, and no pure module with decisions is missing."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((ROOT / "tests/mutants/mutants.toml").read_text("utf-8"))
PURE = "Pure modules use neither the system nor a clock"
"""The contract of import-linter that lists the pure modules."""
ROOMS = ("arena.match", "arena.rating", "arena.schedule", "arena.tournament")
"""Those whose pure modules decide what happens. Others draw or describe it."""


def test_listed_modules_tests_and_lines_exist() -> None:
    for room in TABLE["rooms"]:
        assert all(list(ROOT.glob(pattern)) for pattern in room["modules"])
        assert all((ROOT / path).exists() for path in room["tests"])
    for entry in TABLE["equivalent"]:
        lines = (ROOT / entry["module"]).read_text("utf-8").splitlines()
        assert entry["line"] in [line.strip() for line in lines]
        assert entry["why"]


def files_of(module: str) -> list[Path]:
    """Return the file of a module, or all those of a package."""
    path = ROOT / module.replace(".", "/")
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def test_every_pure_module_that_decides_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (pure,) = [one for one in contracts if one["name"] == PURE]
    modules = [one for one in pure["source_modules"] if one.startswith(ROOMS)]
    files = {file for one in modules for file in files_of(one) if file.name != "__init__.py"}
    patterns = [pattern for room in TABLE["rooms"] for pattern in room["modules"]]
    listed = {file for pattern in patterns for file in ROOT.glob(pattern)}
    assert len(files) > 60
    assert not [str(file.relative_to(ROOT)) for file in sorted(files - listed)]
