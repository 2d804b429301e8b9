"""Dask workers that differ from the main process get no games that they cannot play."""

import secrets
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

import arena
from arena.base.contracts import ExecutorSettings
from arena.extras.dask.cluster import Cluster
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.store import Store
from tests.arena.extras.dask.dask_processes import Processes
from tests.arena.levels import sandbox_settings_of
from tests.arena.playing import wait_for
from tests.arena.runs import (
    MARK,
    PATIENT_OPTIONS,
    bot_options,
    ignore,
    in_blocks,
    in_processes,
    make_bot,
    make_bots,
    marked,
    played,
    settings_of,
    silent,
    start_arena,
)

pytestmark = pytest.mark.filterwarnings("default")  # those of Dask are not ours
LIBRARY = "ARENA_TEST_LACKS_LIBRARY"
NEEDY_PROGRAM = f"""\
#!/bin/sh
[ -z "${LIBRARY}" ] || {{ echo "libneedy.so is missing" >&2; exit 1; }}
exec {sys.executable} -P bot.py
"""
"""Starts where a library is."""


def make_needy_bot(parent: Path) -> Path:
    """Make a bot that does not start everywhere."""
    folder = make_bot(parent, "needy")
    (folder / "bot.toml").write_text('name = "needy"\ncommand = ["./start"]\n')
    (folder / "start").write_text(NEEDY_PROGRAM)
    (folder / "start").chmod(0o755)
    return folder


def test_a_worker_gets_only_games_that_it_can_play(tmp_path: Path) -> None:
    bots = [make_needy_bot(tmp_path / "bots"), *make_bots(tmp_path / "bots", 3)]
    run = in_blocks(settings_of(bots, "pot-de-vin/3", rounds=12), 4, 4)
    refusals: list[str] = []
    games: list[int] = []
    with Processes(tmp_path / "of-dask") as dask:

        def add_good_worker() -> None:
            if len(refusals) == 2 and games and len(dask.started) == 3:
                dask.start_worker("good")

        def notice(text: str) -> None:
            if "gets no games" in text:
                refusals.append(text)
                add_good_worker()

        def progress(number: int) -> None:
            games.append(number)
            add_good_worker()

        dask.start_scheduler()
        dask.start_worker("other", before="import arena; arena.__version__ = '0.0.1'")
        dask.start_worker("bare", **{LIBRARY: "yes"})
        with open_or_create(tmp_path / "dask", run, silent) as store:
            executor = Cluster(ExecutorSettings(scheduler=dask.scheduler), notice)
            play_missing(store, run, executor, progress)
            clustered = played(store)
            by_worker: dict[str, set[str]] = {}
            for record, seen in store.observed_records():
                worker = seen.worker.rpartition("/")[2]
                by_worker.setdefault(worker, set()).update(record.entrants)
    with open_or_create(tmp_path / "local", run, silent) as store:
        play_missing(store, run, in_processes(1), ignore)
        assert clustered == played(store)
    assert by_worker.keys() == {"bare", "good"}
    assert by_worker["bare"] == {"bot-1", "bot-2", "bot-3"}
    (other,) = [text for text in refusals if "/other gets no games: " in text]
    assert f"bribe-arena 0.0.1, expected {arena.__version__}" in other
    (bare,) = [text for text in refusals if "/bare gets no games with needy: " in text]
    assert "libneedy.so is missing" in bare


def test_files_and_processes_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    mark = secrets.token_hex(8)
    options = ["--variant", "pot-de-vin/3", "--seed", "1", "--rounds", "3000", *PATIENT_OPTIONS]
    options += [*bot_options(make_bots(tmp_path / "bots", 3)), "--set", "machine.executor=dask"]
    options += ["--name", "run", "--results", str(tmp_path)]
    with Processes(tmp_path / "of-dask") as dask:
        dask.start_scheduler()
        worker = dask.start_worker(**{MARK: mark})
        running = start_arena(["run", *options, "--set", f"machine.scheduler={dask.scheduler}"])
        wait_for(lambda: running.poll() is not None or len(marked(mark)) >= 5, "the bots")
        assert len([*dask.folder.rglob("bot.py")]) == 3
        running.kill()
        running.communicate()
        wait_for(
            lambda: marked(mark) == [worker.pid] and not [*dask.folder.glob("*/*/bribe-arena/*")],
            "the end of the session",
        )
        assert worker.poll() is None


def test_a_worker_below_the_sandbox_of_the_run_gets_no_games(tmp_path: Path) -> None:
    sandbox_settings_of("isolated")
    options = ["--variant", "pot-de-vin/3", "--seed", "1", "--rounds", "6", *PATIENT_OPTIONS]
    options += ["--sandbox", "isolated", *bot_options(make_bots(tmp_path / "bots", 3))]
    options += ["--name", "run", "--results", str(tmp_path), "--set", "machine.executor=dask"]
    with Processes(tmp_path / "of-dask") as dask:
        dask.start_scheduler()
        dask.start_worker("bare", PATH=str(tmp_path))
        running = start_arena(["run", *options, "--set", f"machine.scheduler={dask.scheduler}"])
        try:
            assert running.stderr
            said = []
            for line in running.stderr:
                said.append(line)
                if "bare gets no games" in line:
                    break
            dask.start_worker("good")
            _, rest = running.communicate(timeout=300)
        finally:
            running.kill()
    assert running.returncode == 0, [*said, rest]
    assert "bubblewrap is not installed" in said[-1]
    with Store.open(tmp_path / "run") as store:
        assert store.count() == 6
        assert {seen.worker.rpartition("/")[2] for seen in store.observations()} == {"good"}
