"""Where people read, students have their names, in any script. Programs read ids."""

import json
import shutil
from pathlib import Path

import pytest

from arena.base.protocol import indented
from arena.contest.run_roster import ROSTER, RunRoster, StudentRecord
from tests.arena.command import Played, printed

STUDENTS = (StudentRecord("bot-1", "Zoë Müller"), StudentRecord("bot-2", "李雷"))


@pytest.fixture
def results(spring: Played, tmp_path: Path) -> Path:
    """A copy of a run whose bots are those of students, without a site."""
    folder = tmp_path / "results" / "spring"
    shutil.copytree(spring.folder, folder)
    (folder / ROSTER).write_text(indented(RunRoster(STUDENTS)), encoding="utf-8")
    return folder.parent


def test_finds_bots_by_display_name(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "spring.jsonl"
    file.write_text(printed("export", "spring", "--results", results), encoding="utf-8")
    for source in ("spring", file):
        words = ("--bot", "李雷", "--json", "--results", results)
        games = json.loads(printed("replay", source, *words))
        assert any("Zoë Müller" in game["against"] for game in games)
