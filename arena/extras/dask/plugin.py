"""Register the `dask` executor without importing Dask."""

from collections.abc import Callable, Iterable
from importlib.util import find_spec

from arena.base.contracts import Executor, ExecutorKind, ExecutorSettings
from arena.base.errors import SettingsError, how_to_install
from arena.plugins import hookimpl


@hookimpl
def register_executors() -> Iterable[ExecutorKind]:
    return [ExecutorKind("dask", "the workers of a Dask cluster", open_dask)]


def open_dask(settings: ExecutorSettings, notice: Callable[[str], object]) -> Executor:
    if find_spec("distributed") is None:
        raise SettingsError(
            "executor 'dask' needs the package distributed, which is not installed: "
            + how_to_install("dask")
        )
    from arena.extras.dask.cluster import Cluster

    return Cluster(settings, notice)
