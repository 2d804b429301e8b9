"""The executor `dask`: batches are played by the workers of a Dask cluster."""
