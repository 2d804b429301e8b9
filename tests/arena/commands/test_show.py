"""How far a run is can be asked at any time."""

import os
import re
import uuid
from pathlib import Path

import msgspec

from arena.protocol import FaultKind, SeatFault
from arena.record import Observations, write_record
from arena.tournament.store import Store
from tests.arena.command import arena
from tests.arena.playing import NEEDS_PROC, wait_for
from tests.arena.runs import (
    RUN_OPTIONS,
    bot_options,
    made_up_settings,
    make_bots,
    make_gated_bots,
    marked,
    play_out,
    schedule_of,
    start_arena,
)

VARIANT = "pot-de-vin/3"


def test_a_complete_run_has_nothing_left(tmp_path: Path) -> None:
    options = [*bot_options(make_bots(tmp_path / "bots", 4)), "--variant", VARIANT]
    options += ["--variant", "pot-de-vin/4-teams", "--rounds", "4", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    assert arena("run", *options, "--name", "spring", *at).exit_code == 0
    shown = arena("show", "spring", *at)
    assert shown.exit_code == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "spring: 10 of 10 games, complete"
    rows = [line.split() for line in lines]
    assert [VARIANT, "4", "6", "0"] in rows
    assert ["pot-de-vin/4-teams", "4", "4", "0"] in rows
    played = {row[0]: int(row[-2]) for row in rows if row[0].startswith("bot-")}
    assert sum(played.values()) == 6 * 3 + 4 * 4


def test_games_that_a_bot_was_withdrawn_from_are_no_faults(tmp_path: Path) -> None:
    settings = made_up_settings(3, VARIANT)
    kinds: list[FaultKind] = ["crash", "withdrawn", "withdrawn"]
    with Store.create(tmp_path / "spring", settings) as store:
        for place, (game, kind) in enumerate(zip(schedule_of(settings), kinds, strict=True)):
            fault = SeatFault(game.entrants.index("e2"), 0, kind, "")
            record = msgspec.structs.replace(play_out(game), faults=(fault,))
            store.add([(game.key, place, write_record(record), Observations())])
    shown = arena("show", "spring", "--results", str(tmp_path)).stdout.splitlines()
    bots = [line.split() for line in shown if line.startswith(" e")]
    assert bots == [["e1", "3", "0"], ["e2", "3", "1"], ["e3", "3", "0"]]


@NEEDS_PROC
def test_a_run_under_way_names_its_process_and_one_that_was_stopped_how_to_go_on(
    tmp_path: Path,
) -> None:
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    options = [*bot_options(folders), "--variant", VARIANT, "--rounds", "24", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    with start_arena(["run", *options, "--name", "spring", *at], mark) as process:
        try:
            wait_for((tmp_path / "spring" / "arena.db").is_file, "the run's database")
            shown = arena("show", "spring", *at)
        finally:
            os.kill(process.pid, 9)
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    gate.unlink()
    first = shown.stdout.splitlines()[0]
    pattern = rf"spring: \d+ of 24 games, under way in process {process.pid}, \d+ games/s.*"
    assert re.fullmatch(pattern, first), first
    stopped = arena("show", "spring", *at).stdout.splitlines()[0]
    assert re.fullmatch(r"spring: \d+ of 24 games, stopped; .*", stopped)
