"""What the tests of contests share."""

from pathlib import Path

import pytest

from arena.contest.inbox import Inbox


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a contest."""
    folder = tmp_path / "contest"
    folder.mkdir()
    return folder


@pytest.fixture
def inbox(folder: Path) -> Inbox:
    """The inbox of a contest."""
    return Inbox(folder)
