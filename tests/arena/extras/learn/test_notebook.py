"""The notebook runs from its first cell to its last, without a browser."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[4] / "examples" / "train.ipynb"


RUNNER = """
import json, sys
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
names = {}
for number, source in enumerate(code):
    exec(compile(source, f"cell {number}", "exec"), names)
print(json.dumps([row.share for row in names["curve"] if row.bot == "random"]))
"""


@pytest.mark.slow
def test_all_cells_run_and_the_network_learns() -> None:
    # In a process of its own, since the notebook sets the number of threads of numpy.
    command = [sys.executable, "-P", "-c", RUNNER, str(NOTEBOOK)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    shares = json.loads(ran.stdout.splitlines()[-1])
    assert shares[-1] > shares[0]


def test_no_outputs_are_kept() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
