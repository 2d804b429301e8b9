"""The report of a check to its student: each step as it is done, without paths of this machine."""

import re
import sys
from collections.abc import Callable

import msgspec

from arena.check.check import Checked
from arena.check.fault_file import FaultFile
from arena.check.fault_report import CardStyle, card
from arena.contest.contest_check import preparer
from arena.contest.reader_process import INCOMING_PREFIX
from arena.contest.reading_jobs import COPIED
from arena.contest.settings import Contest
from arena.contest.submissions import Incoming
from arena.contracts import SandboxSettings
from arena.extras.serve.submissions.submission_store import SubmissionStore

READS, BUILDS = "can be read", "builds"
"""The steps before those of the check."""
CARD_COLUMNS = 96
_SCRATCH = re.compile(rf"/\S*/{re.escape(INCOMING_PREFIX)}[^/\s]+/{COPIED}/?")
"""The folder of a check that was killed, of which the log has the verdict."""


class CheckReport:
    """Stores the steps of the check of one submission."""

    def __init__(self, submissions: SubmissionStore, number: int) -> None:
        """Take the id of the submission."""
        self._submissions = submissions
        self._number = number
        self._paths: dict[str, str] = {}
        """By path of this machine, what students see in its place."""

    def preparing(
        self, contest: Contest, sandbox: SandboxSettings
    ) -> Callable[[Incoming], Incoming]:
        """Return a function that builds a submission, and reports that it was read and built."""
        prepare = preparer(contest, lambda: sandbox)

        def prepare_and_tell(incoming: Incoming) -> Incoming:
            folder = incoming.bot.folder
            self._paths = {f"{folder}/": "", folder: "its folder", sys.executable: "python"}
            command = " ".join(incoming.bot.command)
            self.tell(Checked(READS, "passed", f"it is started by `{command}`"))
            prepared = prepare(incoming)
            if incoming.build:
                self.tell(Checked(BUILDS, "passed", f"by `{incoming.build}`"))
            return prepared

        return prepare_and_tell

    def tell(self, checked: Checked) -> None:
        """Add a step to those that the student sees."""
        failure = checked.failure
        self._submissions.add_step(
            self._number,
            msgspec.structs.replace(checked, text=self.plain(checked.text)),
            self._card(failure) if failure else "",
            self._file(failure) if failure else None,
        )

    def plain(self, text: str) -> str:
        """Return a text without paths of this machine."""
        for path, word in self._paths.items():
            text = text.replace(path, word)
        return _SCRATCH.sub("", text)

    def _card(self, failure: FaultFile) -> str:
        style = CardStyle(width=CARD_COLUMNS, hint="the fault file has all")
        return self.plain(
            card(failure.bot.name, failure.where, failure.fault, failure.evidence, style)
        )

    def _file(self, failure: FaultFile) -> bytes:
        """Return the fault file as JSON. A student replays it with `--bot`."""
        bot = failure.bot
        command = tuple([self.plain(word) for word in bot.command])
        own = msgspec.structs.replace(bot, folder=".", source="", command=command)
        file = msgspec.structs.replace(failure, bot=own)
        return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"
