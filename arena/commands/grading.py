"""The grades of a run, which `arena grades` and `arena report` show."""

from arena.contest.grades import Grade, grades
from arena.contest.run_roster import read_run_roster
from arena.errors import SettingsError
from arena.terminal.console import notice
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete, rank
from arena.tournament.store import Store


def grades_of(store: Store) -> tuple[list[Grade], int]:
    """Return the grades of a run, and the number of bots in its table.

    Raises:
        SettingsError: the run has no students.
    """
    settings = store.settings(Settings)
    left = settings.dropped_bots
    students = [one for one in read_run_roster(store.folder).students if one.id not in left]
    if not students:
        raise SettingsError(
            f"the run {store.name} has no students: play a contest with a folder of submissions, "
            "or see `arena leaderboard`"
        )
    if not is_complete(store):
        notice(f"{store.name} is under way or stopped: these results are not final")
    rows = rank(store).overall
    own = {one.id for one in students} | left
    baselines = [one.name for one in settings.entrants if one.name not in own]
    return list(grades(students, rows, baselines)), len(rows)
