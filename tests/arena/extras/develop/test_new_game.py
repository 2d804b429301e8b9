"""A new game: its names. That it passes its test and is played, `docs/new-game.md` shows."""

import re
from pathlib import Path

import pytest

from arena.extras.develop.game_template import MAX_NAME_LENGTH, checked_game_name, make_game
from tests.arena.command import refused


def files_in(folder: Path) -> dict[str, str]:
    """Return the text of each file of a package by its path, but for what Python leaves there."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def test_new_game_has_no_names_of_the_template(tmp_path: Path) -> None:
    for name in ("x", "tic-tac-toe-3", "a" * MAX_NAME_LENGTH):
        assert checked_game_name(name) == name
    make_game(tmp_path / "quiet-word-2")
    for path, text in files_in(tmp_path / "quiet-word-2").items():
        assert not re.search("hush.?money", path + text, flags=re.IGNORECASE)


def test_rejects_invalid_game_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    monkeypatch.chdir(tmp_path)
    for name, named in (
        ("taken", "taken already exists"),
        ("My-Game", "'My-Game' cannot be the name of a game: expected"),
        ("two--hyphens", "'two--hyphens' cannot be the name of a game: expected"),
        ("4-in-a-row", "'4-in-a-row' cannot be the name of a game: expected"),
        ("a" * (MAX_NAME_LENGTH + 1), "expected at most 40"),
        ("pot-de-vin", "a game 'pot-de-vin' is already installed"),
        ("random", "'random' is a word or a module of Python"),
        ("taken/file/game", "cannot write"),
    ):
        assert named in refused("new", "--kind", "game", name)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["taken"]
