"""The `dask` executor, which plays batches on the workers of a Dask cluster.

From the core, it uses the executor interface (`contracts`), the workers of a single machine
(`tournament.executors`), the code of bots (`contest`), and the sandbox probe (`check`).
"""
