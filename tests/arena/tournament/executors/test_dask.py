"""A run on a Dask cluster: the same bytes as on one machine, also when workers are lost."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

from distributed import Client, LocalCluster

from arena.contracts import ExecutorSettings
from arena.tournament.executors.dask.cluster import Cluster
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from tests.arena.runs import (
    CRASHING_BOT,
    ignore,
    in_portions,
    in_processes,
    make_bot,
    make_bots,
    played,
    settings_of,
    silent,
)

VARIANTS = ("pot-de-vin/3", "bribery/3", "brides-and-bribes/3")
pytestmark = pytest.mark.filterwarnings("default")  # those of Dask are not ours


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A Dask cluster of two workers, each restarted when it is killed."""
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
    ) as found:
        yield found


def on(cluster: LocalCluster, notice: Callable[[str], object] = silent) -> Cluster:
    """Return an executor that plays on this cluster."""
    return Cluster(ExecutorSettings(scheduler=cluster.scheduler_address), notice)


def faulty_run(folder: Path) -> Settings:
    """Return a run of all games in small portions, with a bot that crashes."""
    folders = [*make_bots(folder, 3), make_bot(folder, "crasher", CRASHING_BOT)]
    return in_portions(settings_of(folders, *VARIANTS, rounds=6), 3, 3)


def leaderboard_and_records(
    folder: Path, run: Settings, executor: object
) -> tuple[str, list[bytes]]:
    with open_or_create(folder, run, silent) as store:
        play_missing(store, run, executor, ignore)  # type: ignore[arg-type]
        finish(store)
        return store.read("leaderboard.json"), played(store)


def test_a_run_on_dask_has_the_bytes_of_a_local_run(tmp_path: Path, cluster: LocalCluster) -> None:
    run = faulty_run(tmp_path / "bots")
    local = leaderboard_and_records(tmp_path / "local", run, in_processes(1))
    assert leaderboard_and_records(tmp_path / "two", run, in_processes(2)) == local
    assert leaderboard_and_records(tmp_path / "dask", run, on(cluster)) == local
    embedded = Cluster(ExecutorSettings(workers=4), silent)
    assert leaderboard_and_records(tmp_path / "embedded", run, embedded) == local
    assert any(b"withdrawn" in record for record in local[1])


def test_no_game_is_lost_or_doubled_when_workers_are_killed_and_others_join(
    tmp_path: Path, cluster: LocalCluster
) -> None:
    run = faulty_run(tmp_path / "bots")
    expected = leaderboard_and_records(tmp_path / "local", run, in_processes(2))
    notices: list[str] = []
    calls = 0
    with Client(cluster, set_as_default=False) as client:

        def kill_one(_: int) -> None:
            nonlocal calls
            calls += 1
            if calls in (2, 5):
                pids = client.run(os.getpid)
                os.kill(pids[min(pids)], signal.SIGKILL)

        with open_or_create(tmp_path / "dask", run, silent) as store:
            play_missing(store, run, on(cluster, notices.append), kill_one)
            finish(store)
            assert (store.read("leaderboard.json"), played(store)) == expected
    assert calls >= 5
    assert any("is gone" in notice for notice in notices)
