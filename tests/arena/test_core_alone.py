"""The core of an installed arena, from which the extras have been removed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.contest.submitted import PLAIN
from tests.arena.installed import ROOT

EXTRA_IS_MISSING = "Warning: the plugin arena.extras.openspiel.plugin "


class CoreAlone:
    """A copy of the packages without `arena/extras`."""

    def __init__(self, folder: Path) -> None:
        for package in ("arena", "bots", "engine"):
            shutil.copytree(ROOT / package, folder / package, ignore=_unwanted)
        self.folder = folder

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run `arena` in a folder of its own, and return what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "arena", *arguments],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder)},  # before the editable install
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stderr
        lines = (done.stdout + done.stderr).splitlines(keepends=True)
        # The installed project still has the entry point of an extra that was removed here.
        return "".join([line for line in lines if not line.startswith(EXTRA_IS_MISSING)])


def _unwanted(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in ("extras", "__pycache__")]


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> CoreAlone:
    return CoreAlone(tmp_path_factory.mktemp("core"))


@pytest.mark.slow
def test_core_runs_without_extras(core: CoreAlone) -> None:
    choice = "--variant pot-de-vin/3 --rounds 3 --seed 1 --name spring --sandbox none".split()
    played = core.run("run", *choice, "--bot", "greedy", "--bot", "random", "--bot", "timid")
    assert core.run("leaderboard", "spring").splitlines()[:3] == played.splitlines()[:3]
    assert "index.html: 3 bots" in core.run("publish", "spring", "--to", "site")
    assert "3 games match their records" in core.run("verify", "spring")
    output = core.run("replay", "spring", "pot-de-vin/3 board 1 rotation 0")
    assert "trump pile" in output, "the fields of the view, in plain words"


@pytest.mark.slow
def test_core_commands_work_without_extras(core: CoreAlone) -> None:
    (core.folder / "my-bot.py").write_text(PLAIN)
    fast = ["--variant", "pot-de-vin/3", "--sandbox", "none"]
    assert "my-bot can play in a run" in core.run("check", "my-bot.py", *fast)
    assert "score of my-bot: " in core.run("try", "my-bot.py", *fast, "--games", "3")
    compared = core.run("compare", "my-bot.py", "greedy", *fast, "--budget", "1", "--json", code=4)
    assert '"verdict": "undecided"' in compared
    (core.folder / "contest.toml").write_text('[entrants]\ninbox = "."\n')
    sent = core.run("submit", "my-bot.py", "--name", "Ann", "--no-check")
    assert "Ann: accepted as version 1" in sent
