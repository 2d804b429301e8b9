"""Find and open runs in a results folder."""

import os
from collections.abc import Callable
from pathlib import Path

from arena.base.errors import StoreError
from arena.contest.contest_file import (
    CONTEST_FILE,
    find_contest,
    folders_up,
    read_contest,
    results_of,
)
from arena.contest.settings import Contest, checked_run_name
from arena.tournament.database import Database
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, LOCK, Store
from engine.errors import guess


def find_results() -> Path:
    """Return the results folder that commands use by default.

    The working directory and its parents are searched for a contest or a `results` folder that
    contains runs. The search ends at the first match.
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
    found = [database.parent for database in results.glob(f"*/{DATABASE}")]
    return [folder.name for folder in sorted(found, key=lambda run: (-last_played(run), run.name))]


def latest_run(results: Path) -> str:
    for name in run_names(results):
        if not _is_comparison(results / name):
            return name
    raise StoreError(f"there is no run in {results}: play one with `arena run`")


def contest_run(results: Path, contest: Path | None) -> str | None:
    """Return the name of the contest's final run, or of the run named in the contest file if there
    is no final run.
    """
    if final := final_of(results):
        return final
    own = contest and results_of(contest).resolve() == results.resolve()
    return final_or_named(results, read_contest(contest).name if contest and own else None)


def final_or_named(results: Path, name: str | None) -> str | None:
    return final_of(results) or (name if name in run_names(results) else None)


def final_of(results: Path) -> str | None:
    """Return the name of the latest complete final run. If no final run is complete, return the
    latest one.
    """
    known = ((name, settings_of_run(results / name)) for name in run_names(results))
    finals = [name for name, settings in known if settings and settings.is_final]
    for name in finals:
        with Store.open(results / name) as store:
            if store.noted_digest() is not None:
                return name
    return finals[0] if finals else None


def deciding_run(results: Path, contest: Path | None) -> str:
    """Return the name of the run that determines the contest's result. By default, this is the only
    run in the folder.

    Raise `StoreError` if there is no such run.
    """
    if name := contest_run(results, contest):
        return name
    others = [name for name in run_names(results) if not _is_comparison(results / name)]
    named = contest and read_contest(contest).name
    if len(others) == 1 and not named:
        return others[0]
    if not others:
        raise StoreError(f"there is no run in {results}: play one with `arena run`")
    raise StoreError(
        f"no run was named: name the run that counts, one of {', '.join(others)}"
        + (f"; the run {named} of {contest} has not begun" if named else "")
    )


def rounds_reached(contest: Contest) -> int:
    run = settings_of_run(Path(contest.results, contest.name)) if contest.name else None
    return max(contest.rounds, run.rounds if run else 0)


def settings_of_run(folder: Path) -> Settings | None:
    try:
        with Store.open(folder) as store:
            return store.settings()
    except StoreError:  # reported when the run is opened
        return None


def _is_comparison(folder: Path) -> bool:
    settings = settings_of_run(folder)
    return settings is not None and settings.is_comparison


def runs_with_deals_of(settings: Settings, folder: Path) -> list[str]:
    """Return the names of other runs in the same folder that play some of the same deals."""
    found = []
    for name in run_names(folder.parent):
        other = settings_of_run(folder.parent / name) if name != folder.name else None
        if other and (other.seed, other.secret) == (settings.seed, settings.secret):
            found += [name] if set(other.variants) & set(settings.variants) else []
    return found


def last_played(folder: Path) -> float:
    lock = folder / LOCK
    return (lock if lock.exists() else folder / DATABASE).stat().st_mtime


def run_folder(results: Path, name: str) -> Path:
    return results / checked_run_name(name)


def open_run(results: Path, name: str, notice: Callable[[str], object]) -> Store:
    """Open a run for reading, given the run's name or path, or the path of a contest folder.

    Raise `StoreError` if the run doesn't exist.
    """
    contest = Path(name, CONTEST_FILE)
    if os.path.isfile(contest) and not is_run(results, name):  # False if the name is too long
        results = results_of(contest)
        decided = contest_run(results, contest)
        name = decided or latest_run(results)
        notice(f"{results / name}: the {'run of the contest' if decided else 'latest run'}")
    folder = Path(name) if os.sep in name else run_folder(results, name)
    if not (folder / DATABASE).is_file():
        runs = sorted([path.parent.name for path in folder.parent.glob(f"*/{DATABASE}")])
        raise StoreError(
            f"no run {folder.name!r} in {folder.parent}{guess(folder.name, runs)} "
            + (f"it contains {', '.join(runs)}" if runs else "play one with `arena run`")
        )
    return Store.open(folder)


def is_run(results: Path, name: str) -> bool:
    return os.path.isfile((Path(name) if os.sep in name else results / name) / DATABASE)


def is_file(source: str) -> bool:
    """Return whether a command-line argument names a file or a pipe rather than a run."""
    return os.path.exists(source) and not os.path.isdir(source)


def open_source(results: Path, source: str, notice: Callable[[str], object]) -> Database:
    if not is_file(source):
        return open_run(results, source, notice)
    from arena.tournament.export import open_exported_run  # imported here for speed

    return open_exported_run(Path(source))
