"""The child processes of the server: the checker, the ladder with its boards, and comparisons."""

import dataclasses
import os
import sys
from collections.abc import Callable
from pathlib import Path

from arena.contest.contest_check import sandbox_of
from arena.contest.settings import Contest, with_server_sandbox
from arena.extras.serve.background import Child
from arena.extras.serve.database import Database
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.web.site import Site

CHECKER = "arena.extras.serve.submissions.check_process"
LADDER = "arena.extras.serve.ladder.ladder_process"
BOARDS = "arena.extras.serve.ladder.board_process"
COMPARISON = "arena.extras.serve.similarity.similarity_process"


class LadderProcesses:
    """The process that plays the ladder, and the one that computes its boards.

    They look for new versions themselves; `wake` has them look at once.
    """

    def __init__(
        self, contest_file: Path, workers: int | None, say: Callable[[str], object]
    ) -> None:
        """Take the contest, and the number of workers; None means the number in the contest file.

        `say` is called with a line when a process fails.
        """
        options = [] if workers is None else [str(workers)]
        self._player = Child("ladder", [*_program(LADDER, contest_file), *options], say)
        self._boards = Child("board", _program(BOARDS, contest_file), say)

    def start(self) -> None:
        """Start both."""
        self._player.start()
        self._boards.start()

    def wake(self) -> None:
        """Have the ladder look whether there is something new to play."""
        self._player.wake()

    def stop(self) -> None:
        """Stop both. Games that are over are stored."""
        self._player.stop()
        self._boards.stop()


def with_children(site: Site, workers: int | None, say: Callable[[str], object]) -> Site:
    """Return the site with its child processes, which start with the application.

    Args:
        site: the site of the contest.
        workers: the workers of the ladder. None means the number in the contest file.
        say: called with a line when a process fails.
    """
    file = site.contest_file
    ladder = LadderProcesses(file, workers, say)
    return dataclasses.replace(
        site,
        checker=Child("checker", _program(CHECKER, file), say, ladder.wake),
        ladder=ladder,
        similarity=Child("comparison of submissions", _program(COMPARISON, file), say),
    )


def prepare_checks(contest: Contest, database: Database, say: Callable[[str], object]) -> None:
    """Try the sandbox, and delete files that a killed server has not acknowledged.

    No submission may be stored at the same time.

    Args:
        contest: the contest.
        database: the database of the server.
        say: called with a line about a sandbox that was chosen.

    Raises:
        SettingsError: the contest names a weak sandbox, and does not accept the risk.
        SandboxError: the sandbox does not hold on this machine.
    """
    if contest.entrants.submissions is not None:
        sandbox_of(with_server_sandbox(contest), say)
        files = UploadedFiles(Path(contest.entrants.submissions), os.urandom)
        files.delete_others(SubmissionStore(database).keys())


def _program(module: str, contest_file: Path) -> list[str]:
    return [sys.executable, "-P", "-m", module, str(contest_file.absolute())]
