"""What commands that play a run have in common: former settings, the secret, and the workers."""

from pathlib import Path

from arena.contest.secret_file import SECRET_FILE, draw_secret, read_secret
from arena.contest.settings import Contest, MachineTable
from arena.contracts import Executor, ExecutorSettings
from arena.errors import SettingsError
from arena.plugins import get_executor
from arena.schedule.chance import Secret
from arena.terminal.console import notice
from arena.tournament.bot_logs import LOGS
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store


def former_settings(folder: Path) -> Settings | None:
    """Return the settings of the run to be resumed; None if it is a new run."""
    if not (folder / DATABASE).is_file():
        return None
    with Store.open(folder) as store:
        return store.settings(Settings)


def secret_of(contest: Contest, folder: Path, former: Settings | None) -> Secret | None:
    """Return the secret from which the deals of a run follow; None if they follow from a seed."""
    if contest.seed is not None:
        return None
    if contest.secret is not None:
        path = Path(contest.secret)
        if not path.exists():
            raise SettingsError(
                f"there is no secret in {path}: put the file back (each run keeps a copy, "
                f"{SECRET_FILE} in its folder), or remove the setting `secret`, so that a new run "
                "draws a secret of its own"
            )
        return read_secret(path)
    if former and former.secret:
        with Store.open(folder) as store:
            return store.secret(former.secret)
    return draw_secret()


def executor_of(machine: MachineTable, folder: Path) -> Executor:
    """Return the executor that plays the run in this folder.

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
