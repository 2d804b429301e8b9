"""Register the built-in executors, and open the executor that a contest uses."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from arena.base.contracts import Executor, ExecutorKind, ExecutorSettings
from arena.base.errors import SettingsError
from arena.contest.settings import MachineTable
from arena.plugins import get_executor, hookimpl
from arena.tournament.bot_logs import LOGS


@hookimpl
def register_executors() -> Iterable[ExecutorKind]:
    return [ExecutorKind("local", "worker processes of this machine", open_local)]


def open_local(settings: ExecutorSettings, notice: Callable[[str], object]) -> Executor:
    from arena.process.host import usable
    from arena.tournament.executors.local import Workers

    if settings.scheduler is not None:
        raise SettingsError(
            f"got the scheduler {settings.scheduler!r} with executor 'local', which has none: add "
            "`--set machine.executor=dask`, or leave it out"
        )
    return Workers(
        settings.workers or len(usable()),
        notice,
        tables=settings.tables,
        waiting_games=settings.waiting_games,
        pin=settings.pin,
        logs=Path(settings.logs) if settings.logs else None,
    )


def executor_of(machine: MachineTable, folder: Path, notice: Callable[[str], object]) -> Executor:
    """Open the executor named in the contest's `machine` settings."""
    settings = msgspec.convert(machine, ExecutorSettings, from_attributes=True)
    settings = msgspec.structs.replace(settings, logs=str((folder / LOGS).absolute()))
    return get_executor(machine.executor).open(settings, notice)
