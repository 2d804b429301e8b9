"""Fixtures for tests of contests."""

from pathlib import Path

import pytest

from arena.contest.inbox import Inbox


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "contest"
    folder.mkdir()
    return folder


@pytest.fixture
def inbox(folder: Path) -> Inbox:
    return Inbox(folder)
