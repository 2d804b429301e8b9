"""A run on a Dask cluster has the same bytes as on one machine, even if workers are lost."""

import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

from dask import config
from distributed import Client, LocalCluster

import arena
from arena.base.contracts import ExecutorSettings
from arena.base.errors import ArenaError, SettingsError
from arena.extras.dask.cluster import Cluster
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from tests.arena.command import stored
from tests.arena.extras.dask.dask_processes import Processes
from tests.arena.levels import sandbox_settings_of
from tests.arena.playing import wait_for
from tests.arena.runs import (
    CRASHING_BOT,
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

VARIANTS = ("pot-de-vin/3", "bribery/3", "brides-and-bribes/3")
pytestmark = pytest.mark.filterwarnings("default")  # Dask has some of its own
Results = tuple[str, list[bytes]]
"""A leaderboard and records."""


@pytest.fixture(autouse=True, scope="module")
def _temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep Dask's files in a folder of the tests. Dask leaves some."""
    folder = str(tmp_path_factory.mktemp("dask"))
    with pytest.MonkeyPatch.context() as patch, config.set({"temporary-directory": folder}):
        patch.setenv("DASK_TEMPORARY_DIRECTORY", folder)
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A Dask cluster of two workers, each restarted when it is killed."""
    address = {"host": "127.0.0.1", "dashboard_address": None}
    patient = {"distributed.deploy.lost-worker-timeout": "1 hour"}
    with (
        config.set(patient),
        LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, **address) as found,
    ):
        yield found


def on(scheduler: str, notice: Callable[[str], object] = silent) -> Cluster:
    return Cluster(ExecutorSettings(scheduler=scheduler), notice)


@pytest.fixture(scope="module")
def faulty_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, Results]:
    """A run of all games with a bot that crashes, and its results on this machine."""
    folder = tmp_path_factory.mktemp("faulty")
    folders = [*make_bots(folder, 3), make_bot(folder, "crasher", CRASHING_BOT)]
    run = in_blocks(settings_of(folders, *VARIANTS, rounds=6), 3, 3)
    return run, results_of(folder / "local", run, in_processes(1))


def results_of(
    folder: Path, run: Settings, executor: object, progress: Callable[[int], object] = ignore
) -> Results:
    with open_or_create(folder, run, silent) as store:
        play_missing(store, run, executor, progress)  # type: ignore[arg-type]
        finish(store)
        return (store.folder / "leaderboard.json").read_text(), played(store)


def test_dask_run_equals_local_run(
    tmp_path: Path, cluster: LocalCluster, faulty_run: tuple[Settings, Results]
) -> None:
    run, local = faulty_run
    assert results_of(tmp_path / "dask", run, on(cluster.scheduler_address)) == local
    own_cluster = Cluster(ExecutorSettings(workers=2), silent)
    assert results_of(tmp_path / "own", run, own_cluster) == local
    assert any(b"withdrawn" in record for record in local[1])


def test_killed_workers_do_not_change_results(
    tmp_path: Path, cluster: LocalCluster, faulty_run: tuple[Settings, Results]
) -> None:
    run, local = faulty_run
    calls = 0
    with Client(cluster, set_as_default=False) as client:

        def kill_one(_: int) -> None:
            nonlocal calls
            calls += 1
            if calls in (2, 5):
                pids = client.run(os.getpid)
                os.kill(pids[min(pids)], signal.SIGKILL)

        executor = on(cluster.scheduler_address)
        assert results_of(tmp_path / "dask", run, executor, kill_one) == local
    assert calls >= 5


def test_lost_scheduler_stops_the_run(tmp_path: Path, faulty_run: tuple[Settings, Results]) -> None:
    run, local = faulty_run
    with Processes(tmp_path / "of-dask") as dask:
        dask.start_scheduler()
        dask.start_worker()
        calls = 0

        def kill_scheduler(_: int) -> None:
            nonlocal calls
            calls += 1
            if calls == 3:
                dask.kill(dask.started[0])

        with pytest.raises(ArenaError, match="resume the run when it is back"):
            results_of(tmp_path / "dask", run, on(dask.scheduler), kill_scheduler)
        assert 0 < stored(tmp_path / "dask") < len(local[1])
        dask.kill(dask.started[1])
        dask.start_scheduler()
        dask.start_worker()
        assert results_of(tmp_path / "dask", run, on(dask.scheduler)) == local


def test_unreachable_scheduler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.extras.dask.cluster.CONNECT_S", 0.2)
    with pytest.raises(SettingsError, match="cannot connect to the Dask scheduler tcp://127"):
        on("tcp://127.0.0.1:1").__enter__()


def test_ctrl_c_stops_the_local_cluster_and_keeps_games(tmp_path: Path) -> None:
    mark = secrets.token_hex(8)
    options = [*PATIENT_OPTIONS, "--variant", "pot-de-vin/3", "--rounds", "3000", "--seed", "1"]
    options += [*bot_options(make_bots(tmp_path / "bots", 3)), "--results", str(tmp_path)]
    options += ["--name", "run", "--set", "machine.executor=dask", "--workers", "2"]
    running = start_arena(["run", *options], mark)
    wait_for(lambda: running.poll() is not None or stored(tmp_path / "run") > 0, "a game")
    running.send_signal(signal.SIGINT)
    _, message = running.communicate(timeout=300)
    assert running.returncode == 1, message
    assert "resume with `arena run" in message
    assert "Traceback" not in message
    assert stored(tmp_path / "run") > 0
    wait_for(lambda: not marked(mark), "the end of its processes")


def wait_for_workers(dask: Processes, number: int) -> None:
    with Client(dask.scheduler, set_as_default=False) as client:
        client.wait_for_workers(number)


# -- workers that differ -------------------------------------------------------------------------

LIBRARY = "ARENA_TEST_LACKS_LIBRARY"
NEEDY_PROGRAM = f"""\
#!/bin/sh
[ -z "${LIBRARY}" ] || {{ echo "libneedy.so is missing" >&2; exit 1; }}
exec {sys.executable} -P bot.py
"""


def test_bot_that_fails_on_a_worker_plays_elsewhere(tmp_path: Path) -> None:
    needy = make_bot(tmp_path / "bots", "needy")
    (needy / "bot.toml").write_text('name = "needy"\ncommand = ["./start"]\n')
    (needy / "start").write_text(NEEDY_PROGRAM)
    (needy / "start").chmod(0o755)
    run = in_blocks(
        settings_of([needy, *make_bots(tmp_path / "bots", 3)], "pot-de-vin/3", rounds=12), 4, 4
    )
    local = results_of(tmp_path / "local", run, in_processes(1))
    notices: list[str] = []
    with Processes(tmp_path / "of-dask") as dask:
        dask.start_scheduler()
        dask.start_worker("other", before="import arena; arena.__version__ = '0.0.1'")
        dask.start_worker("bare", **{LIBRARY: "yes"})
        wait_for_workers(dask, 2)
        for folder in ("here", "there"):
            assert results_of(tmp_path / folder, run, on(dask.scheduler, notices.append)) == local
            if folder == "here":
                dask.start_worker("good")
                wait_for_workers(dask, 3)
    expected = f"/other gets no games: bribe-arena 0.0.1, expected {arena.__version__}"
    assert [expected in notice for notice in notices] == [True, True]


def test_workers_without_sandbox_stop_the_run(tmp_path: Path) -> None:
    sandbox_settings_of("isolated")
    options = ["--variant", "pot-de-vin/3", "--seed", "1", "--rounds", "6", *PATIENT_OPTIONS]
    options += ["--sandbox", "isolated", *bot_options(make_bots(tmp_path / "bots", 3))]
    options += ["--name", "run", "--results", str(tmp_path), "--set", "machine.executor=dask"]
    with Processes(tmp_path / "of-dask") as dask:
        options += ["--set", f"machine.scheduler={dask.scheduler}"]
        dask.start_scheduler()
        dask.start_worker("bare", PATH=str(tmp_path))
        refused = start_arena(["run", *options])
        _, message = refused.communicate(timeout=300)
        assert refused.returncode == 1
        assert "no Dask worker can play the run: " in message
        assert "bubblewrap is not installed" in message
        dask.start_worker("good")
        wait_for_workers(dask, 2)
        done = start_arena(["run", *options])
        _, message = done.communicate(timeout=300)
    assert done.returncode == 0, message


def test_killed_run_leaves_no_processes(tmp_path: Path) -> None:
    mark = secrets.token_hex(8)
    options = ["--variant", "pot-de-vin/3", "--seed", "1", "--rounds", "3000", *PATIENT_OPTIONS]
    options += [*bot_options(make_bots(tmp_path / "bots", 3)), "--set", "machine.executor=dask"]
    options += ["--name", "run", "--results", str(tmp_path)]
    soon = "import arena.extras.dask.worker; arena.extras.dask.worker.IDLE_S = 1"
    with Processes(tmp_path / "of-dask") as dask:
        dask.start_scheduler()
        worker = dask.start_worker(before=soon, **{MARK: mark})
        running = start_arena(["run", *options, "--set", f"machine.scheduler={dask.scheduler}"])
        wait_for(lambda: running.poll() is not None or len(marked(mark)) >= 5, "the bots")
        running.kill()
        running.communicate()
        wait_for(lambda: marked(mark) == [worker.pid], "the end of its processes")
        assert worker.poll() is None
