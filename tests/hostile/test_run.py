"""Attacks on a whole run: it goes on, and says what happened.

Those on one game are in `test_hostile.py`.
"""

from pathlib import Path

import msgspec
import pytest

from arena.contest.snapshots import Snapshots
from arena.tournament.run import open_or_create, play_missing
from tests.arena.levels import LEVELS, sandbox_settings_of
from tests.arena.runs import DICE_BOT, in_processes, make_bot, make_bots, settings_of, silent

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
