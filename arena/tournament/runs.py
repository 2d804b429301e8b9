"""The runs in a folder of results, and which is the latest."""

from pathlib import Path

from arena.contest.discovery import find_contest, folders_up, results_of
from arena.contest.settings import Contest
from arena.errors import StoreError
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, LOCK, Store


def find_results() -> Path:
    """Return the results of the nearest contest, or the nearest folder `results` with a run.

    Both are looked for in the working folder and above it. Without either, it is `results` in the
    working folder.

    Raises:
        SettingsError: the contest file cannot be read.
    """
    default = Contest().results
    contest = find_contest()
    for folder in folders_up():
        if contest and folder == contest.parent:
            return results_of(contest)
        if any(folder.glob(f"{default}/*/{DATABASE}")):
            return folder / default
    return Path(default)


def run_names(results: Path) -> list[str]:
    """Return the names of all runs in a folder, those played last first."""
    found = [database.parent for database in results.glob(f"*/{DATABASE}")]
    return [one.name for one in sorted(found, key=lambda run: (-last_played(run), run.name))]


def latest_run(results: Path) -> str:
    """Return the name of the run that was played last. Comparisons of two versions do not count.

    Raises:
        StoreError: there is no run in the folder.
    """
    for name in run_names(results):
        try:
            with Store.open(results / name) as store:
                is_run = not store.settings(Settings).is_comparison
        except StoreError:  # the command that opens it says why it cannot be read
            is_run = True
        if is_run:
            return name
    raise StoreError(f"there is no run in {results}: play one with `arena run`")


def last_played(folder: Path) -> float:
    """Return the time of the run's lock, which its last player has written, or of its records."""
    lock = folder / LOCK
    return (lock if lock.exists() else folder / DATABASE).stat().st_mtime
