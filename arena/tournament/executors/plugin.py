"""The registration of the executors of the core. Each is imported when it is chosen."""

from collections.abc import Callable, Iterable
from pathlib import Path

from arena.contracts import Executor, ExecutorKind, ExecutorSettings
from arena.errors import SettingsError
from arena.plugins import hookimpl


@hookimpl
def register_executors() -> Iterable[ExecutorKind]:
    """Return the built-in executors."""
    return [ExecutorKind("local", "worker processes of this machine", open_local)]


def open_local(settings: ExecutorSettings, notice: Callable[[str], object]) -> Executor:
    """Return worker processes of this machine. Raises `SettingsError`."""
    from arena.process.host import usable
    from arena.tournament.executors.local import Workers

    if settings.scheduler is not None:
        raise SettingsError(
            f"got the scheduler {settings.scheduler!r} with executor 'local', which has none: add "
            '`--executor dask` (in a contest file `executor = "dask"`), or leave it out'
        )
    return Workers(
        settings.workers or len(usable()),
        notice,
        tables=settings.tables,
        waiting_games=settings.waiting_games,
        pin=settings.pin,
        logs=Path(settings.logs) if settings.logs else None,
    )
