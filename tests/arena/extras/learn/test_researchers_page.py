"""What the page for researchers lets readers write works, and says what is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine import variants
from tests.arena.command import arena

PAGE = (Path(__file__).parents[4] / "docs" / "researchers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^<!-- example: (\w+) -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
NEEDS = {
    "gymnasium": "gymnasium",
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "self_play": "gymnasium",
    "vector": "gymnasium",
}
"""By name of a block: the module that it needs."""


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_a_block_of_the_page_runs(
    name: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"need {NEEDS[name]}")
    monkeypatch.chdir(tmp_path)
    exec(compile(block, name, "exec"), {})


def test_all_blocks_are_found() -> None:
    assert len(BLOCKS) == PAGE.count("```python") >= 4


def test_the_page_has_the_sizes_of_the_encodings() -> None:
    for game, title in (
        ("pot-de-vin", "Pot de Vin"),
        ("bribery", "Bribery"),
        ("brides-and-bribes", "Brides & Bribes"),
    ):
        sizes = [variant.encoding().size for variant in variants().values() if variant.game == game]
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {title} |")]
        assert row.endswith(f"| {min(sizes):,} to {max(sizes):,} |")


def test_a_policy_becomes_a_bot_that_is_rated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy is untrained: the way from a file to a leaderboard is what is tested."""
    monkeypatch.chdir(tmp_path)
    exec(compile(dict(BLOCKS)["policy_bot"], "policy_bot", "exec"), {})
    made = arena("new", "learner", "--from-policy", "policy.npz")
    assert made.exit_code == 0, made.stderr
    test = [sys.executable, "-P", "learner/test_bot.py"]
    subprocess.run(test, check=True, capture_output=True)
    lineup = ["--bot", "learner", "--bot", "random", "--variant", "bribery/2"]
    ran = arena("run", *lineup, "--rounds", "2", "--sandbox", "none", "--workers", "1")
    assert ran.exit_code == 0, ran.stderr
    assert re.search(r"^ *\S+ +learner .* 0$", ran.stdout, re.MULTILINE), ran.stdout
