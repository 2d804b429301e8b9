"""What the page for researchers lets readers write works, and says what is so."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import arena
from arena.tournament.export import export_lines
from arena.tournament.store import Store
from engine import get_variant, variants

EXAMPLES = Path(__file__).parents[4] / "examples"
PAGE = (EXAMPLES.parent / "docs" / "researchers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^<!-- example: (\w+) -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
NEEDS = {
    "egt": "open_spiel.python.egt.alpharank",
    "exploitability": "pyspiel",
    "gymnasium": "gymnasium",
    "openspiel": "pyspiel",
    "opponents": "gymnasium",
    "pettingzoo": "pettingzoo",
    "self_play": "gymnasium",
    "tables": "pandas",
    "vector": "gymnasium",
}
"""By name of a block: the module that it needs."""


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_blocks_of_the_page_run(
    name: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"need {NEEDS[name]}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(EXAMPLES / "games")
    if name == "tables":
        arena.run("bribery/2", ["banker", "random"], rounds=2, in_process=True, name="spring")
        with Store.open(Path("results", "spring")) as store:
            Path("spring.jsonl").write_bytes(b"\n".join(export_lines(store)))
    exec(compile(block, name, "exec"), {})


def test_page_lists_sizes_of_encodings() -> None:
    assert len(BLOCKS) == PAGE.count("```python") >= 4
    titles = ("Bribery", "Brides & Bribes", "Pot de Vin")
    for game, title in zip(("bribery", "brides-and-bribes", "pot-de-vin"), titles, strict=True):
        sizes = [variant.encoding().size for variant in variants().values() if variant.game == game]
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {title} |")]
        assert row.endswith(f"| {min(sizes):,} to {max(sizes):,} |")


@pytest.mark.slow
def test_policy_can_be_entered_as_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES / "policy_bot", "learner")
    encoding, rng = get_variant("bribery/2").encoding(), np.random.default_rng(1)
    weights = {"variant": np.array("bribery/2"), "encoding": np.array(encoding.name)}
    for layer, (inputs, outputs) in enumerate(((encoding.size, 16), (16, len(encoding.actions)))):
        weights[f"weight_{layer}"] = rng.normal(size=(outputs, inputs)).astype(np.float32)
        weights[f"bias_{layer}"] = np.zeros(outputs, np.float32)
    np.savez(Path("learner", "policy.npz"), **weights)
    bots = ["learner", "banker"]
    run = arena.run("bribery/2", bots, rounds=2, seed=1, sandbox="none", progress=False)
    assert {row["bot"]: row["faults"] for row in run.leaderboard().rows} == dict.fromkeys(bots, 0)
