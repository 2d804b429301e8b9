"""The grades of a run, as `arena grades` and `arena report` show them."""

from arena.contest.grades import Grade
from arena.terminal.console import notice
from arena.tournament.run_grades import grades_of
from arena.tournament.standings import is_complete
from arena.tournament.store import Store


def read_grades(store: Store) -> tuple[list[Grade], int]:
    """Return the grades of a run, and the number of bots in its table. Say if they are not final.

    Raises:
        SettingsError: the run has no students.
    """
    found = grades_of(store)
    if not is_complete(store):
        notice(f"{store.name} is under way or stopped: these results are not final")
    return found
