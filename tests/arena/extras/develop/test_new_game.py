"""A new game passes its own test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.extras.develop.game_template import (
    MAX_NAME_LENGTH,
    TEMPLATE_NAME,
    checked_game_name,
    make_game,
)
from tests.arena.command import refused
from tests.arena.runs import RUN_OPTIONS, run_arena

MAX_LINES = 90
START = "from arena.cli import main; main(prog_name='arena')"


def files_in(folder: Path) -> dict[str, str]:
    """Return the text of each file of a package by its path, but for what Python leaves there."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def test_the_game_of_the_template_is_small(tmp_path: Path) -> None:
    make_game(tmp_path / TEMPLATE_NAME)
    module = files_in(tmp_path / TEMPLATE_NAME)["hush_money.py"]
    assert len(module.splitlines()) <= MAX_LINES


def test_nothing_in_a_new_game_is_called_like_the_template(tmp_path: Path) -> None:
    make_game(tmp_path / "quiet-word-2")
    for path, text in files_in(tmp_path / "quiet-word-2").items():
        assert not re.search("hush.?money", path + text, flags=re.IGNORECASE)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return the folder of a new game, which `python_in` finds as if it were installed.

    Its name is also that of a module, a function and a class of the template.
    """
    made = run_arena("game", "new", "view", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    folder = tmp_path / "view"
    assert f"pip install pytest {folder}" in made.stdout
    pyproject = (folder / "pyproject.toml").read_text()
    entry = re.search(r"^\[project.entry-points.bribe_arena\]\n(.*\n)", pyproject, re.MULTILINE)
    assert entry
    metadata = folder / "view-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: view\n")
    (metadata / "entry_points.txt").write_text("[bribe_arena]\n" + entry[1].replace('"', ""))
    return folder


def python_in(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python where a package is found in `folder`."""
    checkout = Path(__file__).parents[4]
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}:{checkout}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_a_new_game_passes_its_test_is_played_and_published(package: Path) -> None:
    tested = python_in(package, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    assert "2 passed" in tested.stdout
    bots = ["--bot", "fair_price.py", "--bot", "random", "--bot", "monte-carlo"]
    played = python_in(
        package, "-c", START, "run", "--game", "view", "--rounds", "4", *bots, *RUN_OPTIONS,
        "--name", "first", "--set", "publish=site",
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert python_in(package, "-c", START, "faults", "first").stdout == "no faults\n"
    replays = list((package / "site" / "games").glob("*.js"))
    assert any("opened" in replay.read_text(encoding="utf-8") for replay in replays)


@pytest.mark.parametrize("name", ["x", "tic-tac-toe-3", "a" * MAX_NAME_LENGTH])
def test_a_name_can_be_short_long_or_of_many_words(name: str) -> None:
    assert checked_game_name(name) == name


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["taken"], "taken exists already"),
        (["My-Game"], "'My-Game' cannot be the name of a game: expected"),
        (["my_game"], "'my_game' cannot be the name of a game: expected"),
        (["two--hyphens"], "'two--hyphens' cannot be the name of a game: expected"),
        (["4-in-a-row"], "'4-in-a-row' cannot be the name of a game: expected"),
        (["a" * (MAX_NAME_LENGTH + 1)], "expected at most 40"),
        (["pot-de-vin"], "a game 'pot-de-vin' is installed already"),
        (["lambda"], "'lambda' is a word or a module of Python"),
        (["random"], "'random' is a word or a module of Python"),
        (["taken/file/game"], "cannot write"),
    ],
)
def test_a_game_that_cannot_be_made_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], named: str
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    monkeypatch.chdir(tmp_path)
    assert named in refused("game", "new", *arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["taken"]
