"""The process that a `Reader` starts. Each job runs in a child process with limited time and
memory.

The process first prints the path of its scratch folder, and then a JSON `Answer` for each JSON
`Request`. If the parent process ends or is killed, this process kills the current job and
deletes the scratch folder.
"""

import contextlib
import os
import pkgutil
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from arena.base.atomic_file import MACHINE_ERRORS
from arena.base.errors import BotError, HostError, SubmissionError
from arena.base.lock import ScratchFolder
from arena.base.protocol import printable

try:
    import resource
except ImportError:  # not a Unix: it cannot run bots either
    resource = None  # type: ignore[assignment]

MIB = 1024 * 1024
MAX_CPU_S = 5
"""Maximum processor time per job in seconds. The largest reasonable submission takes about a
second."""
MAX_WALL_S = 60.0
"""Wall-clock time per job in seconds."""
MAX_MEMORY_MIB = 512
"""Maximum address space per job. It may not be enforced outside Linux."""
MAX_FILE_MIB = 64
INCOMING_PREFIX = ".incoming-"
READ_BYTES = 64 * 1024
MAX_ANSWER_BYTES = 8 * MIB
_INPUT, _OUTPUT, _LOG = 0, 1, 2


class Request(msgspec.Struct, frozen=True):
    function: str
    arguments: msgspec.Raw
    label: str


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    value: msgspec.Raw = msgspec.Raw()
    refused: str = ""
    is_submission_error: bool = True
    is_host_error: bool = False


class _OwnerIsGone(Exception):
    """Raised if the parent process ends during a job."""


_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


def as_json(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=str)


def from_json(data: bytes, kind: Any) -> Any:
    return msgspec.json.decode(data, type=kind, dec_hook=lambda _, text: Path(text))


def _run(request: Request) -> Answer:
    function = pkgutil.resolve_name(request.function)  # so that it is imported once
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(ours)
            _be_a_job(function, request, theirs)
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
        with contextlib.suppress(ValueError):  # no whole answer
            return _answers.decode(answer)
    reason = (
        _ending(status) if answer is not None else f"takes more than {MAX_WALL_S:.0f} s to read"
    )
    return Answer(refused=f"{request.label} {reason}")


def _be_a_job(function: Callable[..., object], request: Request, output: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for file in (_INPUT, _OUTPUT, _LOG):  # the owner's pipes end with the process that serves it
        os.dup2(nothing, file)
    _limit()
    answer = memoryview(msgspec.json.encode(_answer(function, request)))
    while answer:
        answer = answer[os.write(output, answer) :]


def _limit() -> None:
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


def _answer(function: Callable[..., object], request: Request) -> Answer:
    try:
        hints = get_type_hints(function, include_extras=True)
        hints.pop("return")
        kinds: Any = tuple[tuple(hints.values())]  # type: ignore[misc]
        arguments = from_json(bytes(request.arguments), kinds)
        return Answer(msgspec.Raw(as_json(function(*arguments))))
    except BotError as error:
        return Answer(refused=str(error), is_submission_error=isinstance(error, SubmissionError))
    except HostError as error:
        return Answer(refused=str(error), is_host_error=True)
    except MemoryError:
        reason = f"needs more than {MAX_MEMORY_MIB} MiB of memory to be read"
    except RecursionError:
        reason = "is nested too deeply to be read"
    except OSError as error:
        reason = f"cannot be read: {printable(error.strerror or str(error))}"
        if error.errno in MACHINE_ERRORS:
            return Answer(refused=f"{request.label} {reason}", is_host_error=True)
    except Exception as error:  # whatever a library makes of such a file
        reason = f"cannot be read: {type(error).__name__}: {printable(str(error))}"
    return Answer(refused=f"{request.label} {reason}")


def _read_all(file: int) -> bytes | None:
    came = b""
    deadline = time.monotonic() + MAX_WALL_S
    poll = select.poll()
    for each in (file, _INPUT):
        poll.register(each, select.POLLIN)
    while (left_s := deadline - time.monotonic()) > 0:
        for ready, _ in poll.poll(left_s * 1000):
            if ready == _INPUT:  # the owner waits for the answer, so this is the end
                raise _OwnerIsGone
            piece = os.read(file, READ_BYTES)
            if not piece:
                return came
            came += piece
            if len(came) > MAX_ANSWER_BYTES:
                return b""
    return None


def _ending(status: int) -> str:
    if not os.WIFSIGNALED(status):
        return "cannot be read"
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return f"takes more than {MAX_CPU_S} s of processor time to read"
    return f"cannot be read: the process that read it was ended by {signal.Signals(number).name}"


def main(scratch_in: str = "") -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the owner decides
        signal.signal(number, signal.SIG_IGN)
    scratch = None
    with contextlib.suppress(OSError):  # jobs that need it say so
        scratch = ScratchFolder(Path(scratch_in), INCOMING_PREFIX) if scratch_in else None
    try:
        with contextlib.suppress(_OwnerIsGone, BrokenPipeError):
            _say(scratch.path if scratch else None)
            for line in sys.stdin.buffer:
                _say(_run(_requests.decode(line)))
    finally:
        if scratch:
            scratch.delete()


def _say(value: object) -> None:
    sys.stdout.buffer.write(as_json(value) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
