"""The programs of docs/python.md and of the notebook of a tournament run."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.command import arena

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
NOTEBOOK = json.loads((ROOT / "examples" / "tournament.ipynb").read_text("utf-8"))
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def run_programs(programs: list[str], folder: Path) -> str:
    """Run programs one after the other in a process, and return what they printed."""
    program = folder / "program.py"  # the code of a bot that is an object is read from its file
    program.write_text("\n".join(programs))
    done = subprocess.run(
        [sys.executable, program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for bot in ("my-bot", "old-bot", "new-bot"):
        assert arena("new", bot).exit_code == 0
    changed = tmp_path / "new-bot" / "bot.py"
    changed.write_text(changed.read_text("utf-8") + "\n# changed\n")
    assert "12 games, sorted by rating" in run_programs(BLOCKS, tmp_path)


@pytest.mark.long
def test_cells_of_the_notebook_run(tmp_path: Path) -> None:
    assert "the worst is pot-de-vin/3 board" in run_programs(CELLS, tmp_path)


def test_notebook_has_no_outputs() -> None:
    cells = NOTEBOOK["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
