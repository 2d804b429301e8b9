"""A reader of strangers' files: a process that finds and reads bots, with limits for each of them.

Archives, results of builds, `bot.toml`, requirements and program text can be made to take hours or
gigabytes to read, or to break the program that reads them. No other part of the arena reads them.
Any failure to read them is an error of that bot.
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
    """Runs functions on strangers' files in a process with limits.

    Use it as a context: at its end, the process and its scratch folder are gone. They are also gone
    when this process is killed.
    """

    def __init__(self, scratch_in: Path | None = None) -> None:
        """Make a reader whose process starts with its first job.

        `scratch_in` is the folder in which the scratch folder is made.
        """
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
        """The folder for what jobs copy or unpack; None if it cannot be written."""
        self._started()
        return self._scratch

    def run(
        self,
        label: str,
        function: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **no_names: Arguments.kwargs,
    ) -> Result:
        """Return what a function returns, which a child process calls with limits.

        Args:
            label: what is read, as errors name it.
            function: a function at the top of a module. Its arguments and what it returns are plain
                data: structs, texts, numbers and paths, in tuples or sets.
            arguments: all arguments of the function.
            no_names: none.

        Raises:
            SubmissionError: what is read is refused, also because it takes too much to read.
            BotError: the function says that there is no bot.
            HostError: this machine is the reason, for example since its disk is full.
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
                f"the process that reads bots has ended while it read {request.label}: try again"
            )
        return _answers.decode(line)
