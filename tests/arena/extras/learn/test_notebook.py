"""Notebooks without training run from their first cells to their last."""

import json
from pathlib import Path

import pytest

import arena

EXAMPLES = Path(__file__).parents[4] / "examples"
RESULTS = EXAMPLES / "results.ipynb"


@pytest.mark.slow
def test_notebook_shows_all_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="needs pandas")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROUNDS", "6")
    names: dict[str, object] = {}
    for cell in json.loads(RESULTS.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(cell["id"]), "exec"), names)
    shown = capsys.readouterr().out
    run = arena.open_run("bundled")
    assert len(run.settings.variants) == 16
    assert f"digest {run.verify().digest}" in shown
    assert "fixer & 1 & " in shown
    assert 'version="1.1"' in Path("variants.svg").read_text("utf-8")
