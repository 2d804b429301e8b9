"""The process that checks submissions, so that pages do not wait for it.

    python -m arena.extras.serve.submissions.check_process CONTEST_FILE

A line on its standard input tells it that there may be a new submission. The end of the input stops
it. It writes a line to its standard output for each new version.
"""

import os
import signal
import sqlite3
import sys
import threading
from pathlib import Path

from arena.contest.contest_file import read_contest
from arena.contest.lineup import rules_of
from arena.contest.settings import with_server_sandbox
from arena.errors import ArenaError
from arena.extras.serve.database import DATABASE, Database
from arena.extras.serve.server_input import watch_input
from arena.extras.serve.submissions.checker import Checker
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.process.host import stop_signals_as_ctrl_c

NEW_VERSION = "new version"
"""The line for a new version."""


def main(contest_file: Path) -> None:
    """Check submissions until the input ends.

    Raises:
        ArenaError: the contest cannot be read, or its sandbox does not hold.
    """
    contest = with_server_sandbox(read_contest(contest_file))
    rules = rules_of(contest)
    if rules is None:
        return
    database = Database(contest_file.parent / DATABASE)
    woken = threading.Event()
    watch_input(lambda: os.kill(os.getpid(), signal.SIGINT), woken.set)
    work = Checker(contest, rules, database, UploadedFiles(rules.folder, os.urandom))
    work.resume()
    while True:
        work.check_all(lambda: print(NEW_VERSION, flush=True))
        woken.wait()
        woken.clear()


if __name__ == "__main__":
    with stop_signals_as_ctrl_c():
        try:
            main(Path(sys.argv[1]))
        except KeyboardInterrupt:
            pass
        except (ArenaError, sqlite3.Error) as error:
            sys.exit(f"Error: {error}")
