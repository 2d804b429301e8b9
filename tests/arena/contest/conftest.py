"""What the tests of contests share."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for submissions."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    return folder
