"""Tests that files are replaced completely or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from arena.base.atomic_file import INCOMPLETE, atomic_file


def test_file_appears_when_complete(tmp_path: Path) -> None:
    target = tmp_path / "board.json"
    target.write_text("old")
    with atomic_file(target) as file:
        file.write(b"new")
        (unnamed,) = [path for path in tmp_path.iterdir() if path != target]
        assert unnamed.name.endswith(INCOMPLETE)
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_error_leaves_the_file_unchanged(tmp_path: Path) -> None:
    target = tmp_path / "board.json"
    target.write_text("old")
    with suppress(KeyError), atomic_file(target) as file:
        file.write(b"new")
        raise KeyError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name == "nt", reason="needs the permissions of Unix")
def test_file_has_its_permissions_from_the_start(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "secret", 0o600) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
