"""Worker processes: what one of them leaves when it ends is played by another."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.base.contracts import Batch
from arena.base.errors import ArenaError
from arena.base.record import write_record
from arena.tournament.executors.local import MAX_DEATHS, Workers
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from tests.arena.playing import NEEDS_PROC, children
from tests.arena.runs import (
    DICE_BOT,
    from_these,
    ignore,
    in_blocks,
    in_processes,
    make_bot,
    make_bots,
    play_out,
    played,
    schedule_of,
    settings_of,
    silent,
)

VARIANT = "pot-de-vin/3"
PARRICIDE = DICE_BOT.replace(
    '    elif kind == "turn":\n', '    elif kind == "turn":\n        os.kill(os.getppid(), 9)\n'
).replace("import json,", "import json, os,")
"""Kills the worker that asks it."""


@NEEDS_PROC
def test_another_worker_plays_games_of_a_killed_one(tmp_path: Path) -> None:
    """Also those of the bot processes that it has kept."""
    run = in_blocks(settings_of(make_bots(tmp_path / "bots", 3), VARIANT, rounds=60), 5, 5)
    calm = [write_record(play_out(game)) for game in schedule_of(run)]
    notices: list[str] = []
    crew = Workers(2, notices.append)
    killed: list[int] = []

    def kill_one(_: int) -> None:
        if len(killed) < 3:
            killed.append(max(children().difference(killed)))
            os.kill(killed[-1], signal.SIGKILL)

    with open_or_create(tmp_path / "spring", run, silent) as store:
        play_missing(store, run, crew, kill_one)
        assert played(store) == calm
    assert 1 <= len(notices) <= len(killed) == 3
    for notice in notices:
        assert "signal 9" in notice


def test_repeatedly_dying_workers_stop_the_run(tmp_path: Path) -> None:
    """A bot may do that, where nothing keeps it from it."""
    folders = [make_bot(tmp_path / "bots", "parricide", PARRICIDE)]
    folders += make_bots(tmp_path / "bots", 2)
    run = settings_of(folders, VARIANT, rounds=3)
    notices: list[str] = []
    with open_or_create(tmp_path / "spring", run, silent) as store:
        with pytest.raises(ArenaError, match=str(MAX_DEATHS)):
            play_missing(store, run, Workers(1, notices.append), ignore)
        assert store.count() == 0
    assert len(notices) == MAX_DEATHS - 1


def batch_of(run: Settings) -> Batch:
    """Return the games of a run's first rotation."""
    games = [game for game in schedule_of(run) if game.rotation == 0]
    return Batch(tuple(games), run.entrants, run.limits)


def test_reports_finished_games_before_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "game is over"
    tells = DICE_BOT.replace(
        '    elif kind == "turn":\n',
        f'    elif kind == "end":\n        open({str(file)!r}, "w")\n    elif kind == "turn":\n',
    )
    folders = [make_bot(tmp_path / "bots", "teller", tells), *make_bots(tmp_path / "bots", 2)]
    batch = batch_of(settings_of(folders, VARIANT, rounds=900))
    looks_after_a_game = 0

    def clock() -> float:
        nonlocal looks_after_a_game
        looks_after_a_game += file.exists()
        if looks_after_a_game > 8:
            raise KeyboardInterrupt
        return 0.0  # no time passes

    crew = in_processes(1)
    crew.clock = clock
    reports: list[str] = []

    def listen() -> None:
        for some in crew.play_batches(from_these([batch])):
            reports.extend([one.key for one in some])

    with crew, pytest.raises(KeyboardInterrupt):
        listen()
    assert 0 < len(reports) < len(batch.games)


# -- workers that start before their batches -------------------------------------------------------


def test_replaces_worker_that_dies_early(tmp_path: Path) -> None:
    batch = batch_of(settings_of(make_bots(tmp_path / "bots", 3), VARIANT, rounds=6))
    crew = in_processes(1)
    with crew:
        crew.wake([VARIANT])
        (dead,) = children()
        os.kill(dead, signal.SIGKILL)
        reports = [one.key for some in crew.play_batches(from_these([batch])) for one in some]
    assert sorted(reports) == sorted([game.key for game in batch.games])


UNNEEDED = {"click", "jinja2", "numpy", "rich", "sqlite3", "tqdm", "trueskill"}
"""What other parts of a run import, and a worker never needs."""
SHOW_MODULES = """
import sys
from arena.tournament.executors.worker import main
main()
print(*sys.modules)
"""


def modules_of_worker(*variants: str) -> set[str]:
    """Return what a worker has imported that is told these variants and gets no batch."""
    command = [sys.executable, "-P", "-c", SHOW_MODULES, "0", "0", "0", "", *variants]
    done = subprocess.run(command, input=b"", capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_worker_imports_only_needed_games() -> None:
    modules = modules_of_worker(VARIANT)
    assert "engine.pot_de_vin.rules" in modules
    assert not modules & UNNEEDED
    assert not modules & {"engine.bribery", "engine.brides_and_bribes", "arena.commands"}
