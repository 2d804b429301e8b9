"""Starts a Dask scheduler and workers as SLURM jobs, and stays until Ctrl-C.

    pip install 'bribe-arena[dask]' dask-jobqueue
    python slurm.py --queue normal --interface ib0 --jobs 10

Each job is a worker with one core for each slot. All machines need the same bribe-arena and Python.
"""

import argparse
import contextlib
import signal

from dask_jobqueue import SLURMCluster

parser = argparse.ArgumentParser(description="Starts Dask workers as SLURM jobs.")
parser.add_argument("--queue", default="normal")
parser.add_argument("--interface", help="the network between the machines")
parser.add_argument("--jobs", type=int, default=10)
parser.add_argument("--cores", type=int, default=8, help="slots of a job: each plays one batch")
parser.add_argument("--memory", default="16GB", help="a bot may use 1 GiB: see memory_mib")
parser.add_argument("--walltime", default="04:00:00")
given = parser.parse_args()

cluster = SLURMCluster(
    queue=given.queue,
    cores=given.cores,
    processes=1,
    memory=given.memory,
    walltime=given.walltime,
    interface=given.interface,
    nanny=False,  # its limit of memory does not know the bots
)
with cluster, contextlib.suppress(KeyboardInterrupt):
    cluster.scale(jobs=given.jobs)
    at = cluster.scheduler_address
    print(f"arena run --set machine.executor=dask --set machine.scheduler={at}", flush=True)
    signal.pause()
