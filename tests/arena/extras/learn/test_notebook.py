"""Notebooks without training run from their first cells to their last, without a browser."""

import json
from pathlib import Path

import pytest

import arena
from tests.arena.command import arena as typed

EXAMPLES = Path(__file__).parents[4] / "examples"
RESULTS = EXAMPLES / "results.ipynb"


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


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_no_outputs_are_kept(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
