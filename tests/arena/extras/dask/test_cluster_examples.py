"""The files of `examples/cluster`, with stand-ins for SLURM and Kubernetes."""

import importlib.metadata
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

import yaml

from tests.arena.extras.dask.dask_processes import Processes
from tests.arena.runs import PATIENT_OPTIONS, bot_options, make_bots, run_arena
from tests.needs import need

pytestmark = pytest.mark.filterwarnings("default")  # those of Dask are not ours
EXAMPLES = Path(__file__).parents[4] / "examples" / "cluster"
SBATCH = """\
#!/bin/sh
cp "$1" "$JOBS/$$.sh"
setsid bash "$JOBS/$$.sh" > "$JOBS/$$.log" 2>&1 &
echo "Submitted batch job $!"
"""
SCANCEL = """\
#!/bin/sh
for job; do
    kill -9 -- -"$job"  # it may have ended with its scheduler
    echo "$job" >> "$JOBS/cancelled"
done
"""
"""Jobs of SLURM that are sessions of this machine."""


CONTEST = """\
name = "run"
variants = ["pot-de-vin/3"]
rounds = 6
seed = 1
sandbox.level = "none"
machine = {{ executor = "dask", scheduler = "{scheduler}" }}
"""


def play_on(scheduler: str, folder: Path) -> list[str]:
    """Play a contest on a cluster, and return the workers that played."""
    (folder / "contest.toml").write_text(CONTEST.format(scheduler=scheduler))
    bots = bot_options(make_bots(folder / "bots", 3))
    done = run_arena("run", str(folder), *bots, *PATIENT_OPTIONS)
    assert done.returncode == 0, done.stderr
    shown = run_arena("runs", str(folder / "results" / "run"), "--json")
    return [job["worker"] for job in json.loads(shown.stdout)["workers"]]


@need("setsid")
def test_jobs_of_slurm_play_a_run_and_end(tmp_path: Path) -> None:
    pytest.importorskip("dask_jobqueue", reason="needs dask-jobqueue")
    programs, jobs = tmp_path / "bin", tmp_path / "jobs"
    for folder in (programs, jobs):
        folder.mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    words = ("--interface", "lo", "--jobs", "1", "--cores", "2", "--memory", "1GB")
    cluster = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "slurm.py"), *words],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "JOBS": str(jobs),
            "DASK_TEMPORARY_DIRECTORY": str(tmp_path / "of-dask"),
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert cluster.stdout
        command = shlex.split(cluster.stdout.readline())
        assert command[:-1] == ["arena", "run", "--set", "machine.executor=dask", "--set"]
        workers = play_on(command[-1], tmp_path)
    finally:
        cluster.send_signal(signal.SIGINT)
        cluster.communicate(timeout=300)
    assert len(workers) == 1
    assert cluster.returncode == 0
    (script,) = jobs.glob("*.sh")
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert "#SBATCH --cpus-per-task=2" in script.read_text()
    assert len((jobs / "cancelled").read_text().split()) == 1


def kubernetes() -> dict[str, Any]:
    """Return the example for Kubernetes as data."""
    found: dict[str, Any] = yaml.safe_load((EXAMPLES / "kubernetes.yaml").read_text())
    return found


def containers(part: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = kubernetes()["spec"][part]["spec"]["containers"]
    return found


def strict(schema: object) -> object:
    """Return a JSON schema that refuses fields which it does not name."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if "properties" in closed and not closed.get("x-kubernetes-preserve-unknown-fields"):
        closed.setdefault("additionalProperties", False)
    return closed


def test_the_operator_of_kubernetes_knows_each_field() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    try:
        files = importlib.metadata.files("dask-kubernetes") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("needs dask-kubernetes")
    (path,) = [
        file for file in files if file.match("dask-kubernetes-operator/crds/daskcluster.yaml")
    ]
    definition = yaml.safe_load(Path(str(path.locate())).read_text())["spec"]
    cluster = kubernetes()
    (version,) = [
        version
        for version in definition["versions"]
        if f"{definition['group']}/{version['name']}" == cluster["apiVersion"]
    ]
    assert definition["names"]["kind"] == cluster["kind"]
    schema = strict(version["schema"]["openAPIV3Schema"]["properties"]["spec"])
    jsonschema.validate(cluster["spec"], schema)


def test_the_commands_of_kubernetes_make_a_cluster(tmp_path: Path) -> None:
    (scheduler,), (worker,) = containers("scheduler"), containers("worker")
    with Processes(tmp_path / "of-dask") as dask:
        own = ("--host", "127.0.0.1", "--no-dashboard")
        dask.start_command(*scheduler["args"], *own, "--port", str(dask.port))
        name = "arena-default-worker-1"  # the operator sets this variable, and the address below
        args = [argument.replace("$(DASK_WORKER_NAME)", name) for argument in worker["args"]]
        variables = {variable["name"]: variable["value"] for variable in worker["env"]}
        variables["DASK_SCHEDULER_ADDRESS"] = dask.scheduler
        dask.start_command(*args, *own, **variables)
        (played,) = play_on(dask.scheduler, tmp_path)
    assert played.endswith(f"/{name}")
    slots = args[args.index("--nthreads") + 1]
    assert worker["resources"]["requests"]["cpu"] == slots
    ports = {
        port["name"]: port["port"] for port in kubernetes()["spec"]["scheduler"]["service"]["ports"]
    }
    assert ports == {port["name"]: port["containerPort"] for port in scheduler["ports"]}
