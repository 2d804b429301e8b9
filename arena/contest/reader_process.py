"""The process of a `Reader`: it runs each job in a child of its own with limited time and memory.

It speaks to its owner in lines of JSON: a job comes, and a `Reply` goes. At the end of its input,
also because its owner was killed, it kills the job under way and deletes its scratch folder.
"""

import contextlib
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec

from arena import lock
from arena.contest.bot_files import FoundBot, Text
from arena.contest.reading_jobs import Job, Program, Question
from arena.errors import BotError, SubmissionError
from arena.protocol import printable

try:
    import resource
except ImportError:  # not a Unix: it cannot run bots either
    resource = None  # type: ignore[assignment]

MIB = 1024 * 1024
MAX_CPU_S = 5
"""Processor time of a job. Unpacking and parsing the largest honest submission takes a second."""
MAX_WALL_S = 60.0
"""Time of a job, which may wait for a disk or for the other processes of a busy machine."""
MAX_MEMORY_MIB = 512
"""Address space of a job. Systems other than Linux may not enforce it."""
MAX_FILE_MIB = 64
"""Size of a file that a job writes."""
INCOMING_PREFIX = ".incoming-"
"""The prefix of a scratch folder."""
READ_BYTES = 64 * 1024
MAX_REPLY_BYTES = 8 * MIB
"""The answer of a job. The passages of the longest program that is read take 2 MiB."""
MAX_TEXTS = 1_000
_INPUT, _OUTPUT, _LOG = 0, 1, 2


class Request(msgspec.Struct, frozen=True):
    """A job for the process."""

    job: Job | Program | Question
    label: str
    """What is read, as errors name it."""
    scratch_in: str | None = None
    """The folder for the scratch folder, which is made when the first job needs it."""


class Reply(msgspec.Struct, frozen=True):
    """What became of a job."""

    bot: FoundBot | None = None
    passages: frozenset[int] | None = None
    """Those of a `Program`."""
    texts: Annotated[tuple[Text, ...], msgspec.Meta(max_length=MAX_TEXTS)] | None = None
    """Those of a `Question`."""
    refused: str = ""
    """Why there is neither."""
    is_submission_error: bool = False
    needs_scratch: bool = False
    """Whether the job has to run again with a scratch folder."""
    scratch: str | None = None
    """The scratch folder, if there is one."""


class _NeedsScratch(Exception):
    """A job asks for its scratch folder."""


class _OwnerIsGone(Exception):
    """The input ended while a job was under way."""


_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_replies: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


class _Scratch:
    """A folder for incomplete submissions, locked while this process lives."""

    def __init__(self, parent: Path) -> None:
        """Make the folder in `parent`, and delete those that killed processes have left.

        Raises:
            OSError: it cannot be written.
        """
        parent.mkdir(exist_ok=True)
        for left in parent.glob(f"{INCOMING_PREFIX}*"):
            _delete_if_left(left)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=INCOMING_PREFIX, dir=parent))
            try:
                self._file = os.open(self.path, os.O_RDONLY)
            except FileNotFoundError:  # another process has taken it for one that was left
                continue
            with contextlib.suppress(BlockingIOError):
                lock.take(self._file)
                if self.path.is_dir():  # it was not deleted between the last two lines
                    return
            os.close(self._file)

    def delete(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._file)


def _delete_if_left(folder: Path) -> None:
    """Delete a scratch folder unless a living process has locked it."""
    with contextlib.suppress(OSError):  # locked, not ours, or deleted meanwhile
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            lock.take(file)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(file)


class _Jobs:
    """Runs jobs, each in a child process."""

    def __init__(self) -> None:
        self._scratch: _Scratch | None = None

    def close(self) -> None:
        if self._scratch:
            self._scratch.delete()

    def reply(self, request: Request) -> Reply:
        """Run a job to its end. Raises `_OwnerIsGone`."""
        reply = self._run(request)
        if reply.needs_scratch:
            assert request.scratch_in, "jobs that copy come with a place for that"
            try:
                self._scratch = _Scratch(Path(request.scratch_in))
            except OSError as error:
                reason = f"cannot write {request.scratch_in}: {error.strerror}"
                return Reply(refused=reason, is_submission_error=True)
            reply = self._run(request)
        scratch = str(self._scratch.path) if self._scratch else None
        return msgspec.structs.replace(reply, scratch=scratch)

    def _run(self, request: Request) -> Reply:
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(ours)
                self._be_a_job(request, theirs)
            finally:
                os._exit(0)
        os.close(theirs)
        answer = None
        try:
            answer = _read_all(ours)
        finally:
            os.close(ours)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        if answer:
            with contextlib.suppress(ValueError):  # more than the fields of a reply may have
                return _replies.decode(answer)
        reason = (
            _ending(status) if answer is not None else f"takes more than {MAX_WALL_S:.0f} s to read"
        )
        return Reply(refused=f"{request.label} {reason}", is_submission_error=True)

    def _be_a_job(self, request: Request, output: int) -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        for file in (
            _INPUT,
            _OUTPUT,
            _LOG,
        ):  # the owner's pipes end with the process that serves it
            os.dup2(nothing, file)
        _limit()
        answer = memoryview(msgspec.json.encode(_answer(request, self._scratch_path)))
        while answer:
            answer = answer[os.write(output, answer) :]

    def _scratch_path(self) -> Path:
        if not self._scratch:
            raise _NeedsScratch
        return self._scratch.path


def _limit() -> None:
    """Limit this process, as far as the system can."""
    limits = {
        resource.RLIMIT_AS: MAX_MEMORY_MIB * MIB,
        resource.RLIMIT_CPU: MAX_CPU_S,
        resource.RLIMIT_FSIZE: MAX_FILE_MIB * MIB,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(
                kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
            )


def _answer(request: Request, scratch: Callable[[], Path]) -> Reply:
    """Run a job in this process. Whatever goes wrong is a reason to refuse the bot."""
    try:
        if isinstance(request.job, Program):
            return Reply(passages=request.job.passages())
        if isinstance(request.job, Question):
            return Reply(texts=request.job.texts())
        return Reply(request.job.find(scratch))
    except _NeedsScratch:
        return Reply(needs_scratch=True)
    except BotError as error:
        return Reply(refused=str(error), is_submission_error=isinstance(error, SubmissionError))
    except MemoryError:
        reason = f"needs more than {MAX_MEMORY_MIB} MiB of memory to be read"
    except RecursionError:
        reason = "is nested too deeply to be read"
    except OSError as error:
        reason = f"cannot be read: {printable(error.strerror or str(error))}"
    except Exception as error:  # whatever a library makes of such a file
        reason = f"cannot be read: {type(error).__name__}: {printable(str(error))}"
    return Reply(refused=f"{request.label} {reason}", is_submission_error=True)


def _read_all(file: int) -> bytes | None:
    """Return what a job writes until it ends, or None if it takes too long.

    Raises:
        _OwnerIsGone: the input of this process ended.
    """
    came = b""
    deadline = time.monotonic() + MAX_WALL_S
    poll = select.poll()
    for each in (file, _INPUT):
        poll.register(each, select.POLLIN)
    while (left_s := deadline - time.monotonic()) > 0:
        for ready, _ in poll.poll(left_s * 1000):
            if ready == _INPUT:  # the owner waits for the reply, so this is the end
                raise _OwnerIsGone
            piece = os.read(file, READ_BYTES)
            if not piece:
                return came
            came += piece
            if len(came) > MAX_REPLY_BYTES:
                return b""
    return None


def _ending(status: int) -> str:
    """Return what the exit status of a job without an answer says of what it has read."""
    if not os.WIFSIGNALED(status):
        return "cannot be read"
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return f"takes more than {MAX_CPU_S} s of processor time to read"
    return f"cannot be read: the process that read it was ended by {signal.Signals(number).name}"


def main() -> None:
    """Run the jobs of the owner until the input ends."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the owner decides
        signal.signal(number, signal.SIG_IGN)
    jobs = _Jobs()
    try:
        with contextlib.suppress(_OwnerIsGone, BrokenPipeError):
            for line in sys.stdin.buffer:
                reply = jobs.reply(_requests.decode(line))
                sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
                sys.stdout.buffer.flush()
    finally:
        jobs.close()


if __name__ == "__main__":
    main()
