"""Notebooks without training run from their first cells to their last; a run is a dataset."""

import json
from pathlib import Path

import pytest

import arena

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

from arena.extras.learn.data_files import minari_dataset

EXAMPLES = Path(__file__).parents[4] / "examples"
RESULTS = EXAMPLES / "results.ipynb"


@pytest.mark.slow
def test_all_variants_become_a_figure_a_table_and_facts(
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


VARIANT = "pot-de-vin/3"


@pytest.mark.filterwarnings("ignore")  # of Minari: who made it, and of what
def test_a_dataset_has_an_episode_a_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    spring = arena.run(
        VARIANT, ["greedy", "random", "timid"], rounds=6, seed=1, results=tmp_path / "data",
        name="spring", in_process=True, workers=1,
    )  # fmt: skip
    made = minari_dataset(spring, "arena/spring-v0", VARIANT, bot="greedy")
    assert made.total_episodes == 6
    record, episode = next(spring.games()), made[0]
    rank = record.ranks[record.entrants.index("greedy")]
    assert episode.rewards[-1] == sum((o > rank) - (o < rank) for o in record.ranks) / 2
    for action, mask in zip(episode.actions, episode.observations["action_mask"], strict=False):
        assert mask[action] == 1
