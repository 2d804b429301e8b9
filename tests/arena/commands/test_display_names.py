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
from arena.tournament.run_names import with_names
from tests.arena.command import VARIANT, Played, arena, done
from tests.arena.runs import RUN_OPTIONS, bot_options, make_bots

STUDENTS = (StudentRecord("bot-1", "Zoë Müller"), StudentRecord("bot-2", "李雷"))
GAME = "pot-de-vin/3 board 1 rotation 0"


@pytest.fixture
def results(spring: Played, tmp_path: Path) -> Path:
    """A copy of a run whose bots are those of students, without a site."""
    folder = tmp_path / "results" / "spring"
    shutil.copytree(spring.folder, folder)
    (folder / ROSTER).write_text(indented(RunRoster(STUDENTS)), encoding="utf-8")
    return folder.parent


@pytest.fixture
def exported(results: Path, tmp_path: Path) -> Path:
    file = tmp_path / "spring.jsonl"
    file.write_text(arena("export", "spring", "--results", results).stdout, encoding="utf-8")
    return file


@pytest.mark.parametrize("of", ["run", "file"])
def test_two_bots_are_compared_by_their_names(of: str, results: Path, exported: Path) -> None:
    source = "spring" if of == "run" else str(exported)
    named = arena("compare", source, "Zoë Müller", "bot-2", "--results", results)
    assert named.exit_code == 0, named.stderr
    first, second, *_ = named.stdout.splitlines()
    assert first.startswith("Zoë Müller  score ")
    assert second.startswith("李雷        score "), "the scores stand below each other"
    listed = arena("compare", source, "李雷", "bot-1", "--json", "--results", results).stdout
    assert [one["bot"] for one in json.loads(listed)["bots"]] == ["bot-2", "bot-1"]


@pytest.mark.slow
def test_a_rerun_names_the_student_whose_code_has_changed(tmp_path: Path) -> None:
    bots = make_bots(tmp_path / "bots", 3)
    results = tmp_path / "results"
    options = ["--variant", VARIANT, "--rounds", "1", "--results", results, *RUN_OPTIONS]
    done("run", *bot_options(bots), *options, "--name", "spring", "--set", "entrants.check=false")
    (results / "spring" / ROSTER).write_text(indented(RunRoster(STUDENTS)), encoding="utf-8")
    code = bots[0] / "bot.py" if bots[0].is_dir() else bots[0]
    code.write_bytes(code.read_bytes() + b"\n# changed\n")
    again = arena("debug", "spring", GAME, "--results", results)
    assert "the code of Zoë Müller has changed" in again.stdout + again.stderr


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
