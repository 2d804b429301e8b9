"""Training with sb3-contrib: it imitates, improves, measures, resumes, and ends as a bot."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import arena

pytest.importorskip("sb3_contrib", reason="needs the extra torch: pip install -e '.[learn,torch]'")
pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[4] / "examples"
UPDATE = 6144
"""Steps of an update of PPO: 256 in each of 24 games."""
RUNNER = """
import json, sys
sys.path.insert(0, "")  # as Jupyter does
for cell in json.load(open("train.ipynb", encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"))
print(json.dumps([difference, run.leaderboard().rows[0]["bot"]]))
"""


def run_python(*words: str, scratch: Path) -> str:
    """Run Python in the folder of the examples and return what is printed."""
    more = {"TORCHINDUCTOR_CACHE_DIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *words]
    ran = subprocess.run(
        command, cwd=EXAMPLES, env=os.environ | more, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_training_can_be_resumed_and_yields_a_bot(tmp_path: Path) -> None:
    folder = tmp_path / "training"
    words = "bribery/2 --teacher banker --opponents spoiler --rival spoiler --lessons 60"
    more = ["--every", "1", "--boards", "3", "--folder", str(folder)]
    printed = [
        run_python("train_maskable_ppo.py", *words.split(), *more, *steps, scratch=tmp_path)
        for steps in (("--steps", str(UPDATE)), ("--steps", str(2 * UPDATE)))
    ]
    assert ["decisions of banker" in text for text in printed] == [True, False]
    with open(folder / "curve.csv", newline="") as file:
        curve = [
            {name: float(value) for name, value in row.items()} for row in csv.DictReader(file)
        ]
    assert [row["steps"] for row in curve] == [0, UPDATE, 2 * UPDATE]
    assert 0 < curve[0]["minutes"] < curve[1]["minutes"] < curve[2]["minutes"]
    assert all(row["low"] <= row["difference"] <= row["high"] for row in curve)
    assert list(folder.glob("tensorboard/*/events.*"))
    bots = [folder / "learner", "random"]
    run = arena.run("bribery/2", bots, rounds=2, results=tmp_path, sandbox="none", progress=False)
    assert {row["bot"]: row["faults"] for row in run.leaderboard().rows} == {
        "learner": 0,
        "random": 0,
    }


def test_policy_of_the_notebook_learns(tmp_path: Path) -> None:
    printed = run_python("-P", "-c", RUNNER, scratch=tmp_path)
    differences, best = json.loads(printed.splitlines()[-1])
    assert differences[-1] > 0
    assert best != "random"
