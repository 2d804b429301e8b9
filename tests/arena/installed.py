"""Packages that are installed as far as Python knows, for the tests: a folder on its path."""

import os
import subprocess
from pathlib import Path

from tests.arena.runs import ARENA

ROOT = Path(__file__).parents[2]


def install(folder: Path, package: str, **plugins: str) -> None:
    """Install a package with an entry point for each plugin: a module with this text."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    entries = [f"{name} = {name}_of_a_test\n" for name in plugins]
    (info / "entry_points.txt").write_text("[bribe_arena]\n" + "".join(entries))
    for name, text in plugins.items():
        (folder / f"{name}_of_a_test.py").write_text(text)


def arena_with(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `arena` with the packages in `folder` installed."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [*ARENA, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
        cwd=folder,
    )
