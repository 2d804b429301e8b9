"""Attacks on a whole run: it goes on, and says what happened.

Those on one game are in `test_hostile.py`.
"""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from arena.contest.snapshots import Snapshots
from arena.tournament.run import open_or_create, play_missing
from tests.arena.levels import LEVELS, sandbox_settings_of
from tests.arena.playing import children
from tests.arena.runs import (
    DICE_BOT,
    PATIENT_OPTIONS,
    in_processes,
    make_bot,
    make_bots,
    run_arena,
    settings_of,
    silent,
)

VARIANT = "pot-de-vin/3"
replace = msgspec.structs.replace

NOTED_BOT = DICE_BOT.replace('    elif kind == "turn":\n', '    elif kind == "turn":\n').replace(
    '"turn": message["turn"]}', '"turn": message["turn"], "note": "old"}'
)
"""Says in each game which code plays."""


@pytest.mark.parametrize("level", LEVELS)
def test_who_edits_a_bot_during_the_run_changes_no_game(level: str, tmp_path: Path) -> None:
    """The attack that gave 112 of 150 games to the new code, under the fingerprint of the old."""
    sandbox = sandbox_settings_of(level)
    edited = make_bot(tmp_path / "bots", "edited", NOTED_BOT)
    settings = settings_of([edited, *make_bots(tmp_path / "bots", 2)], VARIANT, rounds=30)
    folder = tmp_path / "results" / "spring"

    def edit(_: int) -> None:
        (edited / "bot.py").write_text(NOTED_BOT.replace('"old"', '"new"'))

    with Snapshots(folder) as snapshots:
        entrants = [snapshots.settled(snapshots.take(one)) for one in settings.entrants]
        settings = replace(settings, entrants=tuple(entrants), sandbox=sandbox)
        with open_or_create(folder, settings, silent) as store:
            snapshots.keep(entrants)
            play_missing(store, settings, in_processes(1), edit)
            records = list(store.records())
    assert len(records) == 30
    assert not any(record.faults for record in records)
    assert {note.text for record in records for note in record.notes} == {"old"}


def test_a_student_whose_sandbox_cannot_be_set_up_is_left_out_and_the_run_goes_on(
    tmp_path: Path,
) -> None:
    """The attack that ended a run with exit code 1: more arguments than bubblewrap takes."""
    sandbox_settings_of("isolated")
    students = tmp_path / "submissions"
    make_bots(students, 3)
    many = make_bot(students, "many")
    command = ["python", "bot.py", *["x"] * 100_000]
    (many / "bot.toml").write_text(f'name = "many"\ncommand = {json.dumps(command)}\n')
    options = ["--variant", VARIANT, "--rounds", "3", *PATIENT_OPTIONS, "--sandbox", "isolated"]
    done = run_arena("run", "--submissions", str(students), *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 submissions left out, for the reasons above: many" in done.stderr
    (told,) = [line for line in done.stderr.splitlines() if line.startswith("left out: many: ")]
    assert len(told) < 3_000
    assert "bot-3" in done.stdout
    assert "many" not in done.stdout


@pytest.mark.parametrize("level", ["limits", "isolated"])
def test_a_bot_whose_sandbox_cannot_be_set_up_any_more_loses_its_own_games_only(
    level: str, tmp_path: Path
) -> None:
    """Its files go during the run, which goes on without it."""
    sandbox = sandbox_settings_of(level)
    gone = make_bot(tmp_path / "bots", "gone")
    settings = settings_of([gone, *make_bots(tmp_path / "bots", 2)], VARIANT, rounds=90)
    settings = replace(settings, sandbox=sandbox)
    with open_or_create(tmp_path / "spring", settings, silent) as store:

        def remove(_: int) -> None:
            shutil.rmtree(gone, ignore_errors=True)

        play_missing(store, settings, in_processes(1), remove)
        faults = [(record, fault) for record in store.records() for fault in record.faults]
        assert store.count() == 90
    assert {record.entrants[fault.seat] for record, fault in faults} == {"gone"}
    assert {fault.kind for _, fault in faults} == {"start", "withdrawn"}
    assert not children()
