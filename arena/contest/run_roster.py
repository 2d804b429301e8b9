"""The list of students in a run, stored as `roster.json` in the run's folder."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec

from arena.base.atomic_file import read_struct
from arena.base.errors import SettingsError, StoreError
from arena.contest.admission import SubmissionRules
from arena.contest.inbox import Submission
from arena.contest.roster import Student, each_different
from engine.errors import unknown

ROSTER = "roster.json"


class StudentRecord(Student, frozen=True):
    versions: int = 0
    submitted: datetime | None = None
    late: bool = False
    refused: int = 0
    refusal: str = ""
    refused_at: datetime | None = None

    def of(self, student: Student) -> "StudentRecord":
        return msgspec.structs.replace(
            self, name=student.name, email=student.email, team=student.team
        )


def records_of(
    rules: SubmissionRules, playing: Mapping[str, str] = MappingProxyType({})
) -> dict[str, StudentRecord]:
    submissions = rules.inbox.handed_in()
    late = rules.late(submissions)
    by_owner = defaultdict[str, list[Submission]](list)
    for one in submissions:
        by_owner[one.owner].append(one)
    return {owner: _record_of(own, late, playing.get(owner, "")) for owner, own in by_owner.items()}


def _record_of(own: Sequence[Submission], late: Collection[int], fingerprint: str) -> StudentRecord:
    versions = [one for one in own if one.state == "accepted"]
    playing = [one for one in versions if one.fingerprint == fingerprint] or versions
    refused = [one for one in own if one.state == "refused"]
    last = [one for one in own if one.is_done][-1:]
    is_refused = last == refused[-1:] != []
    return StudentRecord(
        own[0].owner,
        own[-1].name,
        versions=versions[-1].version if versions else 0,
        submitted=_time_of(playing[-1]) if playing else None,
        late=bool(playing) and playing[-1].id in late,
        refused=len(refused),
        refusal=refused[-1].reason if is_refused else "",
        refused_at=_time_of(refused[-1]) if is_refused else None,
    )


def _time_of(submission: Submission) -> datetime:
    return datetime.fromtimestamp(submission.received, UTC).replace(microsecond=0)


class RunRoster(msgspec.Struct, frozen=True):
    students: tuple[StudentRecord, ...]
    schema: Literal[1] = 1


def run_roster(
    rules: SubmissionRules,
    former: Iterable[StudentRecord] = (),
    excluded: Mapping[str, str] = MappingProxyType({}),
    playing: Mapping[str, str] = MappingProxyType({}),
) -> RunRoster:
    """Create the list of students that is stored when a run starts or resumes.

    Args:
        rules: The submission rules of the contest.
        former: Students on the run's previous roster, who stay because their games may be kept.
        excluded: Maps student ids to the reasons why their bots don't play.
        playing: Maps student ids to the fingerprints of the versions that play.
    """
    records = records_of(rules, playing)
    removed = rules.inbox.removed()
    listed = dict(rules.roster.students) if rules.roster else {}
    others = {name: one for name, one in records.items() if name not in {*listed, *removed}}
    if rules.roster:
        others = {name: one for name, one in others.items() if one.versions}
    students = {}
    for student in [*listed.values(), *others.values()]:
        record = records.get(student.id) or StudentRecord(student.id, student.name)
        refusal = excluded.get(student.id, record.refusal)
        students[student.id] = msgspec.structs.replace(record.of(student), refusal=refusal)
    gone = [student for student in former if student.id not in students]
    return RunRoster((*students.values(), *gone))


def read_run_roster(folder: Path) -> RunRoster:
    """Read the list of students from a run's folder. A run without students has an empty list.

    Raises:
        StoreError: The roster was written by an incompatible version of this package.
    """
    path = folder / ROSTER
    if not path.exists():
        return RunRoster(())
    return read_struct(path, RunRoster, "the roster of a run of version 1", StoreError)


class Names:
    def __init__(
        self,
        ids: Iterable[str],
        names: Mapping[str, str],
        paths: Mapping[Path, str] = MappingProxyType({}),
    ) -> None:
        """Choose a unique display name for each bot."""
        self._shown = each_different({bot: names.get(bot, bot) for bot in ids})
        self._ids = {name: student for student, name in self._shown.items()}
        self._paths = paths

    def shown(self, bot: str) -> str:
        return self._shown.get(bot, bot)

    def id_of(self, name: str) -> str:
        return self._ids.get(name, name)

    def find(self, word: str) -> str:
        """Return the id of the bot with the given name or path."""
        bot = self.id_of(word)
        if bot not in self._shown:
            bot = self._paths.get(Path(word).resolve(), "")
        if not bot:
            raise SettingsError(unknown("bot of the run", word, self._ids))
        return bot

    @property
    def is_plain(self) -> bool:
        return all(student == name for student, name in self._shown.items())
