"""The executor that a contest chooses."""

from collections.abc import Callable
from pathlib import Path

from arena.contest.settings import MachineTable
from arena.contracts import Executor, ExecutorSettings
from arena.plugins import get_executor
from arena.tournament.bot_logs import LOGS


def executor_of(machine: MachineTable, folder: Path, notice: Callable[[str], object]) -> Executor:
    """Return the executor that plays the run in this folder. `notice` is told what it chooses.

    Raises:
        SettingsError: there is no such executor, or it cannot be used with these settings.
    """
    settings = ExecutorSettings(
        machine.workers,
        machine.tables,
        machine.waiting_games,
        machine.pin,
        machine.scheduler,
        str((folder / LOGS).absolute()),
    )
    return get_executor(machine.executor).open(settings, notice)
