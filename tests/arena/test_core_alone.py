"""The core of an installed arena, from which the extras have been removed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.installed import ROOT


class CoreAlone:
    """A copy of the packages without `arena/extras`."""

    def __init__(self, folder: Path) -> None:
        for package in ("arena", "bots", "engine"):
            shutil.copytree(ROOT / package, folder / package, ignore=_unwanted)
        self._folder = folder

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run `arena` in a folder of its own, and return what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "arena", *arguments],
            cwd=self._folder,
            env=os.environ | {"PYTHONPATH": str(self._folder)},  # before the editable install
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr


def _unwanted(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in ("extras", "__pycache__")]


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> CoreAlone:
    return CoreAlone(tmp_path_factory.mktemp("core"))


def test_the_core_plays_ranks_publishes_and_verifies(core: CoreAlone) -> None:
    choice = [
        "--variant",
        "pot-de-vin/3",
        "--rounds",
        "3",
        "--seed",
        "1",
        "--name",
        "spring",
        "--sandbox",
        "none",
    ]
    played = core.run("run", *choice, "--bot", "greedy", "--bot", "random", "--bot", "timid")
    assert core.run("leaderboard", "spring").splitlines()[:3] == played.splitlines()[:3]
    assert "index.html: 3 bots" in core.run("publish", "spring", "--to", "site")
    assert "3 games match their records" in core.run("verify", "spring")


@pytest.mark.parametrize(
    ("command", "install"),
    [
        ("serve", "bribe-arena[serve]"),
        ("roster", "bribe-arena[serve]"),
        ("audit", "bribe-arena"),
        ("bench", "bribe-arena"),
    ],
)
def test_a_command_of_an_extra_says_what_to_install(
    core: CoreAlone, command: str, install: str
) -> None:
    assert core.run(command, code=1) == (
        f"Error: `arena {command}` is in an extra of the arena that is not installed: install it "
        f"with `pip install '{install}'`\n"
    )
