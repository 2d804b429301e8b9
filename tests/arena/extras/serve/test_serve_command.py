"""`arena serve` where its extra is missing; the other tests here are those of the server."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.arena.command import arena, contest_text, refused


@pytest.mark.skipif(find_spec("uvicorn") is not None, reason="bribe-arena[serve] is installed")
def test_the_extra_is_named_where_it_is_missing(tmp_path: Path) -> None:
    (tmp_path / "submissions").mkdir()
    (tmp_path / "contest.toml").write_text(contest_text("random"))
    assert "bribe-arena[serve]" in refused("serve", tmp_path)


def test_a_folder_without_a_contest_is_refused(tmp_path: Path) -> None:
    assert "contest.toml" in refused("serve", tmp_path)
    assert arena("serve", "--port", "70000").exit_code == 2
