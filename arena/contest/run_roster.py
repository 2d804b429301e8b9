"""The students of a run, with what they have submitted, as `roster.json` in the run's folder."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from arena.base.atomic_file import read_struct
from arena.base.errors import SettingsError, StoreError
from arena.contest.admission import SubmissionRules
from arena.contest.roster import Student, each_different
from arena.contest.submission_log import StudentRecord, records_of
from engine.errors import unknown

ROSTER = "roster.json"
SCHEMA = 1


class RunRoster(msgspec.Struct, frozen=True):
    """The students of a run, in the order of the contest's roster."""

    students: tuple[StudentRecord, ...]
    schema: int = SCHEMA


def run_roster(
    rules: SubmissionRules,
    submitted: Mapping[str, Student],
    former: Iterable[StudentRecord] = (),
    left_out: Mapping[str, str] = MappingProxyType({}),
    playing: Mapping[str, str] = MappingProxyType({}),
) -> RunRoster:
    """Return the roster of a run that begins or goes on now.

    Args:
        rules: those of the contest. The students of its roster come first, also without a
            submission. Without a roster, the students are all who have tried to submit.
        submitted: by id, the students with something in the folder of submissions.
        former: the students that the run had before. They stay, since their games may stay.
        left_out: by id, why a bot does not play.
        playing: by id, the fingerprint of each bot that plays. When it was submitted, and whether
            that was late, are those of the version that plays, which need not be the newest one.

    Raises:
        SubmissionError: the log of submissions cannot be read.
    """
    attempts = rules.log.attempts()
    records = records_of(attempts)
    for attempt in attempts:
        if attempt.outcome == "accepted" and attempt.fingerprint == playing.get(attempt.id):
            record = records[attempt.id]
            records[attempt.id] = msgspec.structs.replace(
                record, submitted=attempt.time, late=attempt.late
            )
    if rules.roster:
        listed = {**rules.roster.students}
    else:
        listed = {name: record for name, record in records.items() if name}
    students = {}
    for student in {**listed, **submitted}.values():
        record = records.get(student.id) or StudentRecord(student.id, student.name)
        students[student.id] = msgspec.structs.replace(
            record,
            name=student.name,
            email=student.email,
            team=student.team,
            refusal=left_out.get(student.id, record.refusal),
        )
    gone = [student for student in former if student.id not in students]
    return RunRoster((*students.values(), *gone))


def read_run_roster(folder: Path) -> RunRoster:
    """Return the roster in the folder of a run; an empty one if the run has no students.

    Raises:
        StoreError: it cannot be read, or another version of the arena wrote it.
    """
    path = folder / ROSTER
    if not path.exists():
        return RunRoster(())
    roster = read_struct(path, RunRoster, "the roster of a run", StoreError)
    if roster.schema != SCHEMA:
        raise StoreError(
            f"{path} has version {roster.schema}, expected {SCHEMA}: use the version of "
            "bribe-arena that wrote it"
        )
    return roster


class Names:
    """The names with which the bots of a run are shown. No two are the same."""

    def __init__(self, ids: Iterable[str], students: Collection[StudentRecord] = ()) -> None:
        """Take the ids of the bots, and the students among them. Others are shown by their id."""
        names = {student.id: student.bot_name for student in students}
        self._shown = each_different({bot: names.get(bot, bot) for bot in ids})
        self._ids = {name: student for student, name in self._shown.items()}

    def shown(self, bot: str) -> str:
        """Return the name with which a bot is shown."""
        return self._shown.get(bot, bot)

    def id_of(self, name: str) -> str:
        """Return the id of the bot that is shown with a name."""
        return self._ids.get(name, name)

    def find(self, word: str) -> str:
        """Return the id of the bot with an id or a name. Raises `SettingsError` if none has it."""
        bot = self.id_of(word)
        if bot not in self._shown:
            raise SettingsError(unknown("bot of the run", word, self._ids))
        return bot

    @property
    def is_plain(self) -> bool:
        """Whether all bots are shown by their ids."""
        return all(student == name for student, name in self._shown.items())
