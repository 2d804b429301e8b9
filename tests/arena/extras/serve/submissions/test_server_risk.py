"""Submissions to a server run isolated, unless a sentence names the risk."""

from pathlib import Path

import pytest

from arena.contest.contest_file import read_contest
from arena.contest.settings import RISK
from arena.errors import SettingsError
from arena.extras.serve.submissions.checker import with_server_sandbox


def level(tmp_path: Path, text: str) -> str:
    """Return the level of the sandbox on a server of a contest with this text."""
    file = tmp_path / "contest.toml"
    file.write_text(text)
    return with_server_sandbox(read_contest(file)).sandbox.level


def test_submissions_run_isolated(tmp_path: Path) -> None:
    assert level(tmp_path, "") == "isolated"
    assert level(tmp_path, "[sandbox]\nlevel = 'isolated'") == "isolated"


@pytest.mark.parametrize("weak", ["none", "limits"])
def test_a_weaker_sandbox_needs_the_sentence(tmp_path: Path, weak: str) -> None:
    sandbox = f"[sandbox]\nlevel = '{weak}'\n"
    with pytest.raises(SettingsError, match="expected 'isolated', since the server runs programs"):
        level(tmp_path, sandbox)
    accepted = f"[serve]\naccepted_risk = '{RISK}'\n"
    assert level(tmp_path, sandbox + accepted) == weak
    assert level(tmp_path, accepted) == "auto"


def test_another_sentence_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"line 2: serve.accepted_risk: got 'yes', expected"):
        level(tmp_path, "[serve]\naccepted_risk = 'yes'\n")
