"""The process that compares submissions when the teacher requests it.

    python -m arena.extras.serve.similarity.similarity_process CONTEST_FILE

It reads untrusted programs, so it limits its own time and memory. It ends when no comparison is
requested. The end of its standard input stops it.
"""

import os
import resource
import signal
import sys
import time
from contextlib import closing
from pathlib import Path
from types import FrameType

import msgspec

from arena.errors import ArenaError
from arena.extras.serve.database import DATABASE, Database
from arena.extras.serve.server_input import watch_input
from arena.extras.serve.similarity.report_store import ReportStore

MAX_CPU_S = 900
MAX_MEMORY = 3 * 1024**3
TOO_LONG = f"The comparison took more than {MAX_CPU_S} s of processor time."
TOO_MUCH = f"The comparison took more than {MAX_MEMORY // 1024**3} GiB of memory."


class _OutOfTime(Exception):
    """The process has used all of its processor time."""


def answer(contest_file: Path, store: ReportStore) -> None:
    """Make the requested comparison, and store its report or why it failed."""
    try:
        # Not above: without a request, the process ends before these imports.
        from arena.extras.serve.similarity.report import make_report

        store.keep(msgspec.json.encode(make_report(contest_file)), time.time())
    except ArenaError as error:
        store.fail(str(error), time.time())
    except MemoryError:
        store.fail(TOO_MUCH, time.time())
    except _OutOfTime:
        store.fail(TOO_LONG, time.time())


def main() -> None:
    """Compare until there is no request."""
    watch_input(lambda: os._exit(0))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S + 60))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGXCPU, _stop)
    contest_file = Path(sys.argv[1])
    with closing(Database(contest_file.parent / DATABASE)) as database:
        store = ReportStore(database)
        while store.is_asked_for:
            answer(contest_file, store)


def _stop(number: int, frame: FrameType | None) -> None:
    raise _OutOfTime


if __name__ == "__main__":
    main()
