"""The executor `dask`: batches are played by the workers of a Dask cluster.

From the core it takes the contract of executors (`contracts`), the worker of one machine
(`tournament.executors`), the code of bots (`contest`), and the probe of the sandbox (`check`).
"""
