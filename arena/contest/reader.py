"""A reader of strangers' files: a process that finds and reads bots, with limits for each of them.

Archives, results of builds, `bot.toml`, requirements and program text can be made to take hours or
gigabytes to read, or to break what reads them. Nothing else of the arena reads them. Whatever goes
wrong with them is an error of that bot.
"""

import contextlib
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from arena.contest.fingerprint import is_utf8
from arena.contest.reader_process import Reply, Request
from arena.contest.reading_jobs import COPIED, Copy, Fingerprint, Job, Program, Question
from arena.errors import BotError, SubmissionError
from arena.protocol import printable
from arena.record import Entrant

_decoder: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


class Reader:
    """Finds bots. Use it as a context: at its end, the process and its scratch folder are gone.

    They are also gone when this process is killed.
    """

    def __init__(self, scratch_in: Path | None = None) -> None:
        """Make a reader whose process starts with its first job.

        `scratch_in` is the folder for submissions that are copied or unpacked.
        """
        self._scratch_in = str(scratch_in) if scratch_in else None
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch: str | None = None
        self.build = ""
        """The build command of the bot that was found last, or an empty string."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process:
            with contextlib.suppress(BrokenPipeError):  # it has ended already
                process.communicate()

    @property
    def copied(self) -> Path:
        """The folder with the submission that an `IncomingBot` has copied."""
        assert self._scratch, "an `IncomingBot` has been found"
        return Path(self._scratch, COPIED)

    def find(self, job: Job, path: Path) -> Entrant:
        """Return the bot that a job finds at `path`.

        Raises:
            SubmissionError: the submission is refused, also because it takes too much to read.
            BotError: there is no bot.
        """
        if not is_utf8(str(path)):
            raise BotError(f"the name of {printable(str(path))} is not UTF-8: rename it")
        reply = self._ask(Request(job, printable(path.name), self._scratch_in))
        self._scratch = reply.scratch
        if reply.bot is None:
            raise (SubmissionError if reply.is_submission_error else BotError)(reply.refused)
        fields = msgspec.structs.asdict(reply.bot)
        self.build = fields.pop("build")
        return Entrant(**fields)

    def passages(self, program: Program, name: str) -> frozenset[int]:
        """Return the passages of the program of the bot `name`.

        Raises:
            BotError: it cannot be read, or takes too much to read.
        """
        reply = self._ask(Request(program, printable(name)))
        if reply.passages is None:
            raise BotError(reply.refused)
        return reply.passages

    def texts(self, question: Question, label: str) -> tuple[str, ...]:
        """Return the texts that answer a question about a bot.

        Args:
            question: the job.
            label: what is read, as errors name it.

        Raises:
            SubmissionError: it cannot be read, or takes too much to read.
        """
        reply = self._ask(Request(question, printable(label)))
        if reply.texts is None:
            raise SubmissionError(reply.refused)
        return reply.texts

    def fingerprint(self, bot: Entrant) -> str:
        """Return the fingerprint of a bot with its files of now. Raises `SubmissionError`."""
        return self.texts(Fingerprint(bot), bot.name)[0]

    def copy(self, bot: Entrant, folder: Path) -> None:
        """Copy the files of a bot into a new folder. Raises `SubmissionError`."""
        self.texts(Copy(bot, str(folder)), bot.name)

    def _ask(self, request: Request) -> Reply:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "arena.contest.reader_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # it cleans up after Ctrl-C, too
            )
        assert self._process.stdin
        assert self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(msgspec.json.encode(request) + b"\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:  # the system has killed it; the next job starts another one
            self._end()
            raise SubmissionError(
                f"the process that reads bots has ended while it read {request.label}: try again"
            )
        return _decoder.decode(line)
