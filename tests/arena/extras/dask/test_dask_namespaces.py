"""Four Dask workers that share neither a network nor files with the main process.

Each is in network and mount namespaces of its own, which the test makes: only root can.
"""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

from arena.tournament.store import DATABASE, Store
from tests.arena.playing import wait_for
from tests.arena.runs import ARENA, CRASHING_BOT, PATIENT_OPTIONS, make_bot, make_bots, run_arena
from tests.needs import need

pytestmark = [pytest.mark.slow, need("ip", "unshare", root=True)]
WORKERS = 4
CUT_S = 5
HUB, PORT = "10.213.7.1", "8786"
"""The address of the main process and of the scheduler, in a namespace of the test."""


class Network:
    """Namespaces with a bridge between them. As a context manager it removes all of them."""

    def __init__(self, hidden: Path) -> None:
        """Make namespaces. Those of workers see an empty folder in place of `hidden`."""
        self.hidden = hidden
        self.name = f"arena-{secrets.token_hex(3)}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.namespaces = [f"{self.name}-hub"]
        self.ip(f"netns add {self.hub}")
        self.ip(f"-n {self.hub} link add bridge type bridge")
        self.ip(f"-n {self.hub} address add {HUB}/24 dev bridge")
        for device in ("lo", "bridge"):
            self.ip(f"-n {self.hub} link set {device} up")

    @property
    def hub(self) -> str:
        return self.namespaces[0]

    def ip(self, words: str) -> None:
        subprocess.run(["ip", *words.split()], check=True)

    def add_worker(self, number: int) -> None:
        """Start a worker in a new namespace, behind the link `w<number>` of the hub."""
        namespace = f"{self.name}-{number}"
        self.ip(f"netns add {namespace}")
        self.namespaces.append(namespace)
        link = f"w{number}"
        self.ip(f"-n {self.hub} link add {link} type veth peer name eth0 netns {namespace}")
        self.ip(f"-n {self.hub} link set {link} master bridge up")
        self.ip(f"-n {namespace} link set lo up")
        address = f"10.213.7.{10 + number}"
        self.ip(f"-n {namespace} address add {address}/24 dev eth0")
        self.ip(f"-n {namespace} link set eth0 up")
        worker = f"{sys.executable} -P -m distributed.cli.dask_worker tcp://{HUB}:{PORT}"
        options = f"--host {address} --nthreads 1 --no-nanny --no-dashboard --name {link}"
        mount = f"mount -t tmpfs none {self.hidden}"
        self.start(namespace, "unshare", "-m", "sh", "-c", f"{mount} && exec {worker} {options}")

    def start(self, namespace: str, *command: str) -> None:
        words = ["ip", "netns", "exec", namespace, *command]
        files = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(self.hidden / "of-dask")}
        quiet = subprocess.DEVNULL
        with self.log_of(namespace).open("wb") as log:
            started = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=log, env=files)
        self.processes.append(started)

    def log_of(self, namespace: str) -> Path:
        return self.hidden / f"{namespace}.log"

    def are_registered(self) -> bool:
        """Return whether the scheduler knows all workers."""
        logs = [self.log_of(namespace).read_text() for namespace in self.namespaces[1:]]
        return all("Registered to" in log for log in logs)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        for namespace in self.namespaces:
            self.ip(f"netns delete {namespace}")


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    """A scheduler and four workers."""
    found = Network(tmp_path)
    try:
        options = ("--host", HUB, "--port", PORT, "--no-dashboard")
        module = ("-P", "-m", "distributed.cli.dask_scheduler")
        found.start(found.hub, sys.executable, *module, *options)
        for number in range(WORKERS):
            found.add_worker(number)
        wait_for(found.are_registered, "the workers")
        yield found
    finally:
        found.close()


def test_other_files_and_a_cut_network_give_the_same_bytes(
    tmp_path: Path, network: Network
) -> None:
    folders = [*make_bots(tmp_path / "bots", 3), make_bot(tmp_path / "bots", "bad", CRASHING_BOT)]
    options = [*PATIENT_OPTIONS, "--rounds", "30", "--seed", "7", "--name", "run"]
    for variant in ("pot-de-vin/3", "bribery/3", "brides-and-bribes/3"):
        options += ["--variant", variant]
    options += [word for folder in folders for word in ("--bot", str(folder))]
    local, clustered = tmp_path / "local", tmp_path / "dask"
    # In the same namespace, so that both runs say the same of this machine's control groups.
    in_hub = ["ip", "netns", "exec", network.hub, *ARENA, "run", *options]
    alone = [*in_hub, "--workers", "1", "--results", str(local)]
    done = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    dask = ["--set", "machine.executor=dask", "--results", str(clustered)]
    dask += ["--set", f"machine.scheduler=tcp://{HUB}:{PORT}"]
    running = subprocess.Popen(
        [*in_hub, *dask],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(workers_of(clustered / "run")) < WORKERS:
        assert running.poll() is None
        time.sleep(0.2)
    network.ip(f"-n {network.hub} link set w1 down")
    time.sleep(CUT_S)  # what the test is about
    network.ip(f"-n {network.hub} link set w1 up")
    _, said = running.communicate(timeout=300)
    assert running.returncode == 0, said
    exports = [run_arena("export", str(folder / "run")).stdout for folder in (local, clustered)]
    assert exports[0] == exports[1]
    boards = [(folder / "run" / "leaderboard.json").read_bytes() for folder in (local, clustered)]
    assert boards[0] == boards[1]
    shown = run_arena("leaderboard", str(clustered / "run"), "--all", "--json").stdout
    assert shown.count('"worker"') == WORKERS, said


def workers_of(folder: Path) -> set[str]:
    """Return the workers of which games are stored."""
    if not (folder / DATABASE).is_file():
        return set()
    with Store.open(folder) as store:
        return {seen.worker for seen in store.observations()}
