"""Read untrusted files in a separate process with limited time and memory.

Archives, build output, `bot.toml` and source code can be crafted to crash the program that reads
them, or to waste hours of processor time or gigabytes of memory. Therefore, untrusted files are
read only in a separate process, and every failure counts as an error of the bot.
"""

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, Self, TypeVar, get_type_hints

import msgspec

from arena.base.errors import BotError, HostError, SubmissionError
from arena.base.protocol import printable
from arena.contest.reader_process import Answer, Request, as_json, from_json

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


class Reader:
    """Calls functions on untrusted files in a process with limited time and memory.

    Use a reader as a context manager. When the context exits or the calling process is killed,
    the reader's process ends and its scratch folder is deleted.
    """

    def __init__(self, scratch_in: Path | None = None) -> None:
        self._scratch_in = scratch_in
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process:
            with contextlib.suppress(BrokenPipeError):  # it has ended already
                process.communicate()

    @property
    def scratch(self) -> Path | None:
        """Folder for copied and unpacked submissions, or None if the folder can't be written."""
        self._started()
        return self._scratch

    def run(
        self,
        label: str,
        function: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **no_names: Arguments.kwargs,
    ) -> Result:
        """Call a function in a child process with limited time and memory, and return its result.

        The function must be at the top level of a module. Arguments and the result must be plain
        data. Raise `SubmissionError` if the files are rejected or exceed a limit, `BotError` if
        there is no bot, and `HostError` for problems of the machine, such as a full disk.
        """
        assert not no_names, "arguments are given in their order"
        try:
            data = msgspec.Raw(as_json(arguments))
        except UnicodeEncodeError:
            raise BotError(f"the name of {printable(label)} is not UTF-8: rename it") from None
        name = f"{function.__module__}:{function.__qualname__}"
        answer = self._ask(Request(name, data, printable(label)))
        if not answer.value:
            if answer.is_host_error:
                raise HostError(answer.refused)
            raise (SubmissionError if answer.is_submission_error else BotError)(answer.refused)
        kind = get_type_hints(function, include_extras=True)["return"]
        value: Result = from_json(bytes(answer.value), kind)
        return value

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command = [sys.executable, "-P", "-m", "arena.contest.reader_process"]
            self._process = subprocess.Popen(
                [*command, *([str(self._scratch_in)] if self._scratch_in else [])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # it cleans up after Ctrl-C, too
            )
            assert self._process.stdout
            self._scratch = from_json(self._process.stdout.readline() or b"null", Path | None)
        return self._process

    def _ask(self, request: Request) -> Answer:
        process = self._started()
        assert process.stdin
        assert process.stdout
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(msgspec.json.encode(request) + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
        if not line:  # the system has killed it; the next job starts another one
            self._end()
            raise SubmissionError(
                f"the process that reads bots ended while reading {request.label}: try again"
            )
        return _answers.decode(line)
