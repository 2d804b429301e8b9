"""The notebooks run from their first cells to their last, without a browser."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from tests.arena.command import arena as typed

EXAMPLES = Path(__file__).parents[4] / "examples"
NOTEBOOK = EXAMPLES / "train.ipynb"
RESULTS = EXAMPLES / "results.ipynb"

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


@pytest.mark.slow
def test_an_exported_run_becomes_a_table_and_a_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="needs pandas")
    monkeypatch.chdir(tmp_path)
    bots = ["greedy", "random", "timid"]
    run = arena.run("pot-de-vin/3", bots, in_process=True, workers=1, rounds=9, name="spring")
    Path("spring.jsonl").write_text(typed("export", "spring").stdout)
    names: dict[str, object] = {}
    for cell in json.loads(RESULTS.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(cell["id"]), "exec"), names)
    shown = capsys.readouterr().out
    assert f"digest {run.verify().digest}" in shown
    for row in run.leaderboard().rows:
        assert f"{row['bot']} & {row['best_rank']} & {row['worst_rank']} & 9 & " in shown
    assert Path("scores.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("notebook", [NOTEBOOK, RESULTS], ids=lambda path: path.stem)
def test_no_outputs_are_kept(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
