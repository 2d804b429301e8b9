"""Where people read, students have their names, in any script. Programs read ids."""

import json
import shutil
from pathlib import Path

import pytest

from arena.base.protocol import indented
from arena.contest.run_roster import ROSTER, Names, RunRoster
from arena.contest.submission_log import StudentRecord
from arena.extras.audit.findings import (
    Audit,
    Gain,
    LeftOut,
    Likeness,
    OpeningDependence,
    ProgramCoverage,
    ProgramLikeness,
)
from arena.tournament.display_names import with_names
from tests.arena.command import Played, printed

STUDENTS = (StudentRecord("bot-1", "Zoë Müller"), StudentRecord("bot-2", "李雷"))


@pytest.fixture
def results(spring: Played, tmp_path: Path) -> Path:
    """A copy of a run whose bots are those of students, without a site."""
    folder = tmp_path / "results" / "spring"
    shutil.copytree(spring.folder, folder)
    (folder / ROSTER).write_text(indented(RunRoster(STUDENTS)), encoding="utf-8")
    return folder.parent


def test_bots_of_a_run_and_its_file_are_compared_by_names(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "spring.jsonl"
    file.write_text(printed("export", "spring", "--results", results), encoding="utf-8")
    for source in ("spring", file):
        named = printed("compare", source, "Zoë Müller", "bot-2", "--results", results)
        assert named.startswith("Zoë Müller  score ")
        assert "\n李雷        score " in named, "the scores stand below each other"
    listed = printed("compare", file, "李雷", "bot-1", "--json")
    assert [one["bot"] for one in json.loads(listed)["bots"]] == ["bot-2", "bot-1"]


def test_the_findings_of_an_audit_have_names() -> None:
    pair = ("bot-1", "bot-2")
    audit = Audit(
        variants=(),
        gains=(Gain("x/2", *pair, "opponent", 9, 1.0, 0.1, 0.01),),
        openings=(OpeningDependence("x/2", *pair, 9, 0.01),),
        likenesses=(Likeness(pair, 9, 9, 9, 0.5, 0.01, is_near_copy=True),),
        same_files=(pair,),
        programs=(ProgramLikeness(pair, 0.9, 9),),
        program_coverage=ProgramCoverage(pair, (LeftOut("bot-2", "no Python"),)),
    )
    named = with_names(audit, Names(pair, STUDENTS))
    shown = ("Zoë Müller", "李雷")
    assert [(one.bot, one.other) for one in (*named.gains, *named.openings)] == [shown] * 2
    assert [one.bots for one in (*named.likenesses, *named.programs)] == [shown] * 2
    assert named.same_files == (shown,)
    assert named.program_coverage == ProgramCoverage(shown, (LeftOut("李雷", "no Python"),))
