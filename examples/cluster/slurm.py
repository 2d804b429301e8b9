"""Starts a Dask scheduler and workers as SLURM jobs, and stays until Ctrl-C.

    pip install 'bribe-arena[dask]' dask-jobqueue
    python slurm.py

Each job is a worker with one core for each slot. All machines need the same bribe-arena and Python.
"""

import signal

from dask_jobqueue import SLURMCluster

CORES = 8  # slots of a job: each plays one batch of games on a core of its own

cluster = SLURMCluster(
    queue="normal",
    cores=CORES,
    processes=1,
    memory="16GB",  # a bot may use 1 GiB: see `memory_mib` in contest.toml
    walltime="04:00:00",
    interface="ib0",
    nanny=False,  # its limit of memory does not know the bots
)
cluster.scale(jobs=10)
print(f"arena run --executor dask --scheduler {cluster.scheduler_address}", flush=True)
signal.pause()
