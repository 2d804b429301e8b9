"""The grades of a run: what its leaderboard says of each of its students."""

from collections.abc import Iterable

from arena.contest.grades import Grade, grades
from arena.contest.run_roster import RunStudent, read_run_roster
from arena.errors import SettingsError
from arena.tournament.standings import rank
from arena.tournament.store import Store


def grades_of(store: Store, students: Iterable[RunStudent] | None = None) -> list[Grade]:
    """Return the grades of a run.

    `students` are those who get a grade, by default those of the run. Who has been dropped from the
    run has none.

    Raises:
        SettingsError: the run has no students.
    """
    settings = store.settings()
    left = settings.dropped_bots
    if students is None:
        students = read_run_roster(store.folder).students
    graded = [student for student in students if student.id not in left]
    if not graded:
        raise SettingsError(
            f"the run {store.name} has no students: play a contest with a folder of submissions, "
            "or see `arena leaderboard`"
        )
    own = {student.id for student in graded} | left
    baselines = [entrant.name for entrant in settings.entrants if entrant.name not in own]
    return list(grades(graded, rank(store).leading, baselines))
