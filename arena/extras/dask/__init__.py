"""The `dask` executor, which plays batches of games on a Dask cluster."""
