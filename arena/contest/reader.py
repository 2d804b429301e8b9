"""Read untrusted files in a child process with limited time and memory.

A malicious archive, build output, `bot.toml` or source file can crash the program that reads it, or
use up hours of processor time or gigabytes of memory. If the child process crashes or exceeds a
limit, the bot's files are rejected.
"""

import contextlib
import pkgutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_type_hints

import msgspec

from arena.base.atomic_file import MACHINE_ERRORS, os_error_as
from arena.base.errors import ArenaError, BotError, HostError, SubmissionError
from arena.base.lock import ScratchFolder
from arena.base.protocol import printable

try:
    import resource
except ImportError:  # not a Unix: it cannot run bots either
    resource = None  # type: ignore[assignment]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MIB = 1024 * 1024
# Reading even a large submission takes only about a second.
MAX_CPU_S = 5
MAX_WALL_S = 60
# The limit of the address space may not be enforced outside Linux.
MAX_MEMORY_MIB = 512
MAX_FILE_MIB = 64
INCOMING_PREFIX = ".incoming-"
ERRORS: dict[str, type[ArenaError]] = {
    error.__name__: error for error in (SubmissionError, BotError, HostError)
}


class Request(msgspec.Struct, frozen=True):
    function: str
    arguments: msgspec.Raw
    label: str


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    value: msgspec.Raw = msgspec.Raw()
    error: str = ""
    error_type: str = SubmissionError.__name__


def read_untrusted(
    label: str,
    function: Callable[Arguments, Result],
    *arguments: Arguments.args,
    **no_names: Arguments.kwargs,
) -> Result:
    """Call a function in a child process with limited time and memory, and return its result.

    Only module-level functions can be called. Arguments and the result must be plain data.

    Raises:
        SubmissionError: The files are rejected or exceed a limit.
        BotError: The files contain no valid bot.
        HostError: The machine lacks a resource, such as disk space.
    """
    assert not no_names, "arguments are given in their order"
    label = printable(label)
    try:
        data = msgspec.Raw(_as_json(arguments))
    except UnicodeEncodeError:
        raise BotError(f"the name of {label} is not UTF-8: rename it") from None
    answer = ask(Request(f"{function.__module__}:{function.__qualname__}", data, label))
    if answer.error:
        raise ERRORS[answer.error_type](answer.error)
    hints = get_type_hints(function, include_extras=True)
    value: Result = _from_json(bytes(answer.value), hints["return"])
    return value


def unpacking_folder() -> ScratchFolder:
    place = Path(tempfile.gettempdir())
    with os_error_as(HostError, f"cannot unpack bots in {place}"):
        return ScratchFolder(place, INCOMING_PREFIX)


def ask(request: Request) -> Answer:
    command = [sys.executable, "-P", "-m", "arena.contest.reader"]
    try:
        done = subprocess.run(
            command,
            input=msgspec.json.encode(request),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MAX_WALL_S,
            start_new_session=True,  # the parent process handles Ctrl-C
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SubmissionError(f"{request.label} takes more than {MAX_WALL_S} s to read") from None
    if done.returncode == 0:
        return msgspec.json.decode(done.stdout, type=Answer)
    reason = "cannot be read: the process that read it was killed"
    if done.returncode == -signal.SIGXCPU:
        reason = f"takes more than {MAX_CPU_S} s of processor time to read"
    raise SubmissionError(f"{request.label} {reason}")


def _as_json(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=str)


def _from_json(data: bytes, kind: Any) -> Any:
    return msgspec.json.decode(data, type=kind, dec_hook=lambda _, text: Path(text))


# -- the child process -------------------------------------------------------------------------


def _main() -> None:
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    function = pkgutil.resolve_name(request.function)
    _limit()
    sys.stdout.buffer.write(msgspec.json.encode(answer(function, request)))


def _limit() -> None:
    signal.alarm(MAX_WALL_S)  # in case the parent process is gone
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


def answer(function: Callable[..., object], request: Request) -> Answer:
    try:
        hints = get_type_hints(function, include_extras=True)
        hints.pop("return")
        kinds: Any = tuple[tuple(hints.values())]  # type: ignore[misc]
        arguments = _from_json(bytes(request.arguments), kinds)
        return Answer(msgspec.Raw(_as_json(function(*arguments))))
    except (BotError, HostError) as error:
        return Answer(error=str(error), error_type=type(error).__name__)
    except MemoryError:
        reason = f"needs more than {MAX_MEMORY_MIB} MiB of memory to be read"
    except RecursionError:
        reason = "is nested too deeply to be read"
    except OSError as error:
        reason = f"cannot be read: {printable(error.strerror or str(error))}"
        if error.errno in MACHINE_ERRORS:
            return Answer(error=f"{request.label} {reason}", error_type=HostError.__name__)
    except Exception as error:  # libraries may raise any exception for such a file
        reason = f"cannot be read: {type(error).__name__}: {printable(str(error))}"
    return Answer(error=f"{request.label} {reason}")


if __name__ == "__main__":
    _main()
