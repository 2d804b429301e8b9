"""A run on a Dask cluster: the same bytes as on one machine, also when workers are lost."""

import contextlib
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

from dask import config
from distributed import Client, LocalCluster

from arena.base.contracts import Executor, ExecutorSettings, SandboxSettings
from arena.base.errors import RunStopped, SettingsError
from arena.extras.dask.cluster import Cluster
from arena.tournament.bot_logs import LOGS, StoredLine, read_logs
from arena.tournament.executors.local import Workers
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.command import stored
from tests.arena.extras.dask.dask_processes import Processes
from tests.arena.playing import wait_for
from tests.arena.runs import (
    CRASHING_BOT,
    DICE_BOT,
    PATIENT_OPTIONS,
    bot_options,
    ignore,
    in_blocks,
    in_processes,
    make_bot,
    make_bots,
    marked,
    played,
    run_arena,
    settings_of,
    silent,
    start_arena,
)

LOST_WORKER_TIMEOUT = "distributed.deploy.lost-worker-timeout"
VARIANTS = ("pot-de-vin/3", "bribery/3", "brides-and-bribes/3")
pytestmark = pytest.mark.filterwarnings("default")  # those of Dask are not ours


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A Dask cluster of two workers, each restarted when it is killed."""
    folder = str(tmp_path_factory.mktemp("dask"))
    with (
        # A busy machine needs longer than the usual 15 s to start a worker again.
        config.set({"temporary-directory": folder, LOST_WORKER_TIMEOUT: "1 hour"}),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
        ) as found,
    ):
        yield found


def on(cluster: LocalCluster, notice: Callable[[str], object] = silent) -> Cluster:
    """Return an executor that plays on this cluster."""
    return Cluster(ExecutorSettings(scheduler=cluster.scheduler_address), notice)


Results = tuple[str, list[bytes]]
"""A leaderboard and records."""


@pytest.fixture(scope="module")
def faulty_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, Results]:
    """A run of all games in small blocks, with a bot that crashes, and what it gives locally."""
    folder = tmp_path_factory.mktemp("faulty")
    folders = [*make_bots(folder, 3), make_bot(folder, "crasher", CRASHING_BOT)]
    run = in_blocks(settings_of(folders, *VARIANTS, rounds=6), 3, 3)
    return run, leaderboard_and_records(folder / "local", run, in_processes(1))


def leaderboard_and_records(folder: Path, run: Settings, executor: object) -> Results:
    with open_or_create(folder, run, silent) as store:
        play_missing(store, run, executor, ignore)  # type: ignore[arg-type]
        finish(store)
        return store.read("leaderboard.json"), played(store)


@pytest.mark.parametrize(
    ("greeting", "text"),
    [(b"", "there is no Dask scheduler at tcp"), (b"HTTP/1.1 400", "its dashboard has")],
)
def test_what_is_no_scheduler_is_said_at_once(
    greeting: bytes, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask's own client would wait for ever for a greeting, and reserve memory for another one."""
    monkeypatch.setattr("arena.extras.dask.cluster.REACH_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = "tcp://{}:{}".format(*server.getsockname())

        def greet() -> None:
            heard, _ = server.accept()
            with heard, contextlib.suppress(ConnectionResetError):  # it may leave a part unread
                heard.sendall(greeting)
                heard.recv(1)

        thread = threading.Thread(target=greet)
        thread.start()
        with (
            pytest.raises(SettingsError, match=text),
            Cluster(ExecutorSettings(scheduler=address), silent),
        ):
            pass
        thread.join()


def test_a_run_on_dask_has_the_bytes_of_a_local_run(
    tmp_path: Path, cluster: LocalCluster, faulty_run: tuple[Settings, Results]
) -> None:
    run, local = faulty_run
    assert leaderboard_and_records(tmp_path / "dask", run, on(cluster)) == local
    embedded = Cluster(ExecutorSettings(workers=4), silent)
    assert leaderboard_and_records(tmp_path / "embedded", run, embedded) == local
    assert any(b"withdrawn" in record for record in local[1])


def test_killed_workers_lose_and_double_no_game(
    tmp_path: Path, cluster: LocalCluster, faulty_run: tuple[Settings, Results]
) -> None:
    run, expected = faulty_run
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


PRINTING_BOT = DICE_BOT.replace(
    '    elif kind == "turn":\n',
    """\
    elif kind == "turn":
        print("of", len(message["legal"]), file=sys.stderr, flush=True)
""",
)


def test_what_bots_print_on_workers_is_stored(tmp_path: Path, cluster: LocalCluster) -> None:
    bots = [make_bot(tmp_path / "bots", "printer", PRINTING_BOT), *make_bots(tmp_path / "bots", 2)]
    run = in_blocks(settings_of(bots, "pot-de-vin/3", rounds=12), 2, 2)

    def logs_of(name: str, open_executor: Callable[[Path], Executor]) -> list[StoredLine]:
        logs = tmp_path / name / LOGS
        with open_or_create(tmp_path / name, run, silent) as store:
            play_missing(store, run, open_executor(logs), ignore)
        lines = read_logs(logs, "printer")
        return sorted(lines, key=lambda line: (line.game, line.move or 0))

    local = logs_of("local", lambda logs: Workers(1, silent, logs=logs))
    scheduler = cluster.scheduler_address
    clustered = logs_of(
        "dask", lambda logs: Cluster(ExecutorSettings(scheduler=scheduler, logs=str(logs)), silent)
    )
    assert clustered == local
    assert len({line.game for line in local}) == 12


@pytest.fixture
def cluster_of_processes(tmp_path: Path) -> Iterator[Processes]:
    """A scheduler and workers as processes, which can be killed."""
    with Processes(tmp_path / "of-dask") as found:
        yield found


def test_a_run_outlives_its_scheduler(
    tmp_path: Path, cluster_of_processes: Processes, faulty_run: tuple[Settings, Results]
) -> None:
    dask = cluster_of_processes
    run, expected = faulty_run
    scheduler = dask.start_scheduler()
    dask.start_worker()
    calls = 0
    notices: list[str] = []

    def restart(_: int) -> None:
        nonlocal calls, scheduler
        calls += 1
        if calls == 3:
            for process in dask.started:
                dask.kill(process)
            scheduler = dask.start_scheduler()
            dask.start_worker()
            dask.start_worker()  # this one was not there before

    executor = Cluster(ExecutorSettings(scheduler=dask.scheduler), notices.append)
    with open_or_create(tmp_path / "dask", run, silent) as store:
        play_missing(store, run, executor, restart)
        finish(store)
        assert (store.read("leaderboard.json"), played(store)) == expected
    # the scheduler, or its worker if the client had found the new scheduler before it was asked
    assert any("is gone" in notice for notice in notices)


def test_a_killed_run_is_resumed_on_dask(tmp_path: Path, cluster_of_processes: Processes) -> None:
    dask = cluster_of_processes
    dask.start_scheduler()
    dask.start_worker()
    options = [*PATIENT_OPTIONS, "--variant", "pot-de-vin/3", "--rounds", "12", "--seed", "1"]
    options += [*bot_options(make_bots(tmp_path / "bots", 3)), "--results", str(tmp_path)]
    done = run_arena("run", *options, "--workers", "1", "--name", "local")
    assert done.returncode == 0, done.stderr
    options += ["--name", "dask", "--set", "machine.executor=dask"]
    options += ["--set", f"machine.scheduler={dask.scheduler}"]
    first = start_arena(["run", *options])
    wait_for(lambda: first.poll() is not None or stored(tmp_path / "dask") > 0, "a game")
    first.kill()
    first.communicate()
    again = run_arena("run", *options)
    assert again.returncode == 0, again.stderr
    results = []
    for name in ("local", "dask"):
        with Store.open(tmp_path / name) as store:
            results.append((store.read("leaderboard.json"), played(store)))
    assert results[0] == results[1]


def test_ctrl_c_ends_the_cluster_of_this_machine(tmp_path: Path) -> None:
    mark = secrets.token_hex(8)
    options = [*PATIENT_OPTIONS, "--variant", "pot-de-vin/3", "--rounds", "3000", "--seed", "1"]
    options += [*bot_options(make_bots(tmp_path / "bots", 3)), "--results", str(tmp_path)]
    options += ["--name", "run", "--set", "machine.executor=dask", "--workers", "2"]
    running = start_arena(["run", *options], mark)
    wait_for(lambda: running.poll() is not None or stored(tmp_path / "run") > 0, "a game")
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=300)
    assert running.returncode == 1, said
    assert ("Dask dashboard: http://" in said) == (find_spec("bokeh") is not None)
    assert "resume with `arena run" in said
    assert not marked(mark)


def test_a_worker_without_a_sandbox_gets_no_games(tmp_path: Path, cluster: LocalCluster) -> None:
    run = settings_of(make_bots(tmp_path / "bots", 3), "pot-de-vin/3")
    run = msgspec.structs.replace(run, sandbox=SandboxSettings(readable=("/only/elsewhere",)))
    notices: list[str] = []

    def stop_when_refused(text: str) -> None:
        notices.append(text)
        if "gets no games" in text:
            raise KeyboardInterrupt

    with open_or_create(tmp_path / "dask", run, silent) as store:
        with pytest.raises(RunStopped):
            play_missing(store, run, on(cluster, stop_when_refused), ignore)
        assert store.count() == 0
    assert "/only/elsewhere" in notices[-1]
