"""The bots in an archive of a learning platform come to a contest."""

from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from arena.base.errors import BotError, SubmissionError
from arena.base.protocol import printable
from arena.commands.submit import receipt_text, submission_rules
from arena.contest.admission import checker, hand_in, preparer, sandbox_of
from arena.contest.reader import Reader
from arena.contest.settings import Contest
from arena.extras.classroom.platform_export import list_export, student_of, unpack_student
from arena.terminal.console import notice, say, warning


def submit_archive(
    archive_file: Path, contest: Contest, at: datetime | None, *, is_checked: bool
) -> bool:
    """Submit all bots in an archive, and print what became of each; see `ClassArchive`.

    Raises:
        SubmissionError: some were not submitted. The others were.
    """
    if archive_file.suffix.lower() != ".zip":
        return False
    missing = []
    with Reader(Path(gettempdir())) as reader:
        export = reader.run(archive_file.name, list_export, archive_file.resolve())
        if not export.handed:
            return False
        rules = submission_rules(contest)
        sandbox = cache(partial(sandbox_of, contest, notice))
        check = checker(contest, sandbox()) if is_checked else None
        for handed_in in export.handed:
            try:
                student = student_of(handed_in, rules.roster)
                came = at or handed_in.at
                if came is None:
                    raise SubmissionError("its files have no valid time: give one with --at")
                with TemporaryDirectory(dir=reader.scratch) as scratch:
                    unpacked = reader.run(
                        handed_in.name,
                        unpack_student,
                        archive_file.resolve(),
                        handed_in.name,
                        handed_in.number,
                        Path(scratch),
                    )
                    tell = partial(_tell, printable(handed_in.name))
                    for note in unpacked.notes:
                        tell(note)
                    prepare = preparer(sandbox, tell)
                    receipt = hand_in(
                        unpacked.source,
                        student,
                        rules,
                        came,
                        check,
                        prepare=prepare,
                        is_late=handed_in.is_late,
                    )
                say(receipt_text(receipt))
            except BotError as error:
                missing.append(handed_in.name)
                warning(f"not submitted: {printable(handed_in.name)}: {error}")
    for path in export.unknown:
        notice(f"left out, since its name has no student: {printable(path)}")
    if missing:
        raise SubmissionError(
            f"{len(missing)} of {len(export.handed)} not submitted, for the reasons above: "
            f"{', '.join([printable(name) for name in missing])}"
        )
    return True


def _tell(student: str, note: str) -> None:
    notice(f"{student}: {note}")
