"""What the page for researchers lets readers write works, and says what is so."""

import re
from pathlib import Path

import pytest

from engine import variants

PAGE = (Path(__file__).parents[3] / "docs" / "researchers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^<!-- example: (\w+) -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
NEEDS = {"openspiel": "pyspiel", "pettingzoo": "pettingzoo"}
"""By name of a block: the module that it needs."""


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_a_block_of_the_page_runs(name: str, block: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"need {NEEDS[name]}, of an extra")
    exec(compile(block, name, "exec"), {})


def test_all_blocks_are_found() -> None:
    assert len(BLOCKS) == PAGE.count("```python") >= 4


def test_the_page_has_the_sizes_of_the_encodings() -> None:
    for game, title in (
        ("pot-de-vin", "Pot de Vin"),
        ("bribery", "Bribery"),
        ("brides-and-bribes", "Brides & Bribes"),
    ):
        sizes = [one.encoding().size for one in variants().values() if one.game == game]
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {title} |")]
        assert row.endswith(f"| {min(sizes):,} to {max(sizes):,} |")
