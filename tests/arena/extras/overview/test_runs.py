"""How far a run is can be asked at any time."""

import os
import re
import uuid
from pathlib import Path

import pytest

from arena.tournament.digest import RunDigest, read_digest
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
    start_arena,
    versions_settings,
)

VARIANT = "pot-de-vin/3"


def test_complete_run_has_nothing_left(tmp_path: Path) -> None:
    options = [*bot_options(make_bots(tmp_path / "bots", 4)), "--variant", VARIANT]
    options += ["--variant", "pot-de-vin/4-teams", "--rounds", "4", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    assert arena("run", *options, "--name", "spring", *at).exit_code == 0
    shown = arena("leaderboard", "spring", "--all", *at)
    assert shown.exit_code == 0, shown.stderr
    lines = shown.stdout.partition("\n\n")[0].splitlines()
    assert lines[0] == "spring: 10 of 10 games, complete"
    rows = [line.split() for line in lines]
    assert [VARIANT, "4", "6", "0"] in rows
    assert ["pot-de-vin/4-teams", "4", "4", "0"] in rows
    digest = lines.index("digest of the run, for `arena verify`:")
    assert read_digest("".join(lines[digest + 1 : digest + 3]))


def test_comparison_shows_maximum_number_of_games(tmp_path: Path) -> None:
    settings = versions_settings(20)
    Store.create(tmp_path / "versions", settings).close()
    shown = arena("leaderboard", "versions", "--all", "--results", tmp_path).stdout.splitlines()
    end = "stopped; run the same command again to resume"
    assert shown[0] == f"versions: 0 of at most 120 games, {end}"
    with Store.open(tmp_path / "versions") as store:
        store.note_digest(RunDigest(0, "", "", ""))
    shown = arena("leaderboard", "versions", "--all", "--results", tmp_path).stdout.splitlines()
    assert shown[0] == "versions: 0 of at most 120 games, complete"
    assert [line.split() for line in shown if line.startswith(f" {VARIANT}")] == [
        [VARIANT, "6", "0", "0"]
    ]


@pytest.mark.parametrize("width", [40, 120])
def test_prints_names_and_games_at_every_width(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    Store.create(tmp_path / "spring", made_up_settings(4, "pot-de-vin/4-teams")).close()
    monkeypatch.setenv("COLUMNS", str(width))
    at = ["--results", tmp_path]
    for command in (["runs", *at], ["games"], ["leaderboard", *at]):
        tables = arena(*command).stdout.split("0 games;")[0].splitlines()
        assert not [line for line in tables if "…" in line]
        assert max([len(line) for line in tables if line.startswith(" ")]) <= width
    shown = arena("leaderboard", "spring", "--all", *at).stdout
    assert "pot-de-vin/4-teams" in shown
    assert " e1 " in shown


@NEEDS_PROC
def test_stopped_run_shows_how_to_resume(tmp_path: Path) -> None:
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    options = [*bot_options(folders), "--variant", VARIANT, "--rounds", "24", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    with start_arena(["run", *options, "--name", "spring", *at], mark) as process:
        try:
            wait_for((tmp_path / "spring" / "arena.db").is_file, "the run's database")
            shown = arena("leaderboard", "spring", "--all", *at)
        finally:
            os.kill(process.pid, 9)
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    gate.unlink()
    first = shown.stdout.splitlines()[0]
    pattern = rf"spring: \d+ of 24 games, in progress in process {process.pid}"
    assert re.fullmatch(pattern, first), first
    stopped = arena("leaderboard", "spring", "--all", *at).stdout.splitlines()[0]
    assert re.fullmatch(r"spring: \d+ of 24 games, stopped; .*", stopped)
