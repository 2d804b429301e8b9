"""What the page for researchers lets readers write works, and says what is so."""

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.extras.learn.training.network import Network, Widths
from arena.extras.learn.training.network_parts import groups_in, parts_of
from bots.learned import policy
from engine import get_variant, variants
from tests.arena.command import arena

PAGE = (Path(__file__).parents[4] / "docs" / "researchers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^<!-- example: (\w+) -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
NEEDS = {"maskable_ppo": "sb3_contrib", "openspiel": "pyspiel", "pettingzoo": "pettingzoo"}
"""By name of a block: the module that it needs."""


RUN_HERE = [(name, block) for name, block in BLOCKS if name != "policy_bot"]
"""`policy_bot` needs files beside it: it becomes a bot in a test of its own."""


@pytest.mark.parametrize(("name", "block"), RUN_HERE, ids=[name for name, _ in RUN_HERE])
def test_a_block_of_the_page_runs(
    name: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"need {NEEDS[name]}")
    monkeypatch.setenv("SB3_LOGDIR", str(tmp_path))  # else its folder stays
    exec(compile(block, name, "exec"), {})


def test_the_seat_of_the_page_is_an_environment_of_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    text = dict(BLOCKS)["maskable_ppo"].replace("from sb3_contrib import MaskablePPO\n", "")
    names: dict[str, Any] = {}
    exec(compile(text.partition("\nenv = Seat(")[0], "seat", "exec"), names)
    env = names["Seat"]("bribery/2", opponents={1: "random"})
    assert isinstance(env, gymnasium.Env)
    checker.check_env(env, skip_render_check=True)
    first, again, other = [env.reset(seed=seed)[0].tolist() for seed in (1, 1, 2)]
    assert first == again != other
    env.step(0)
    assert env.reset()[0].tolist() != first  # the game under way is given up
    env.games.close()


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


def test_weights_become_a_bot_that_is_rated(tmp_path: Path) -> None:
    """The weights are untrained: the way from a network to a leaderboard is what is tested."""
    variant = get_variant("bribery/2")
    encoding = variant.encoding()
    parts = parts_of(encoding, groups_in(variant.game))
    network = Network(encoding, parts, Widths(4, 4, 4), np.random.default_rng(1))
    bot = tmp_path / "learner"
    assert arena("new", str(bot)).exit_code == 0
    network.save(bot / "bribery-2.npz")
    (bot / "bot.py").write_text(dict(BLOCKS)["policy_bot"])
    shutil.copy(policy.__file__, bot)
    common = ["--variant", "bribery/2"]
    tried = arena("try", str(bot), "--against", "random", "--games", "1", *common)
    assert tried.exit_code == 0, tried.stderr
    lineup = ["--bot", str(bot), "--bot", "random", "--results", str(tmp_path / "results")]
    ran = arena("run", *lineup, "--rounds", "2", *common)
    assert ran.exit_code == 0, ran.stderr
    assert re.search(r"^ *\S+ +learner ", ran.stdout, re.MULTILINE), ran.stdout
