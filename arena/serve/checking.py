"""The checker of a server: its process, and what is done before it starts."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from arena.contest.contest_check import sandbox_of
from arena.contest.server_risk import with_server_sandbox
from arena.contest.settings import Contest
from arena.serve.background import Child
from arena.serve.database import Database
from arena.serve.submissions.submission_store import Submissions
from arena.serve.submissions.uploaded_files import StoredFiles


def make_checker(
    contest_file: Path, say: Callable[[str], object], new_version: Callable[[], object]
) -> Child:
    """Return the checker of a contest, which does not run yet.

    Args:
        contest_file: the file of the contest.
        say: called with a line when the process fails.
        new_version: called, in a thread, when a version may play that was not there before.
    """
    command = [sys.executable, "-P", "-m", "arena.serve.submissions.checker", str(contest_file)]
    return Child("checker", command, say, new_version)


def prepare_checks(contest: Contest, database: Database, say: Callable[[str], object]) -> None:
    """Try the sandbox, and delete files that a killed server has not acknowledged.

    Nothing may be handed in meanwhile.

    Args:
        contest: the contest.
        database: that of the server.
        say: called with a line about a sandbox that was chosen.

    Raises:
        SettingsError: the contest names a weak sandbox, and does not accept the risk.
        SandboxError: the sandbox does not hold on this machine.
    """
    if contest.entrants.submissions is not None:
        sandbox_of(with_server_sandbox(contest), say)
        files = StoredFiles(Path(contest.entrants.submissions), os.urandom)
        files.delete_others(Submissions(database).keys())
