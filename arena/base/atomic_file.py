"""Files that are replaced whole, so readers see the old or the new one; and files of a Struct."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from arena.base.errors import ArenaError, BotError, HostError
from arena.base.protocol import printable

INCOMPLETE = ".new"
"""The suffix of a file that is being written."""
MAX_BYTES = 16 << 20
"""Of a file with one Struct; ours have some kilobytes."""

StructT = TypeVar("StructT", bound=msgspec.Struct)


@contextmanager
def atomic_file(target: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Yield a file that gets the name `target` when the context ends without an exception.

    It is on the disk before it gets its name.

    Args:
        target: the file to create or to replace.
        mode: the permissions of the new file, from which the umask is taken.

    Raises:
        OSError: it cannot be written. Then `target` is as before.
    """
    unnamed = target.with_name(f".{target.name}.{secrets.token_hex(6)}{INCOMPLETE}")
    try:
        descriptor = os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unnamed, target)
    finally:
        unnamed.unlink(missing_ok=True)


def read_struct(path: Path, kind: type[StructT], expected: str, wrong: type[ArenaError]) -> StructT:
    """Return the Struct in a JSON file. Raise the error `wrong` if it is not `expected` there."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) <= MAX_BYTES:
            return msgspec.json.decode(content, type=kind)
        reason = f"it has more than {MAX_BYTES:,} bytes"
    except OSError as error:
        raise wrong(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        reason = printable(str(error))
    raise wrong(f"{path} is not {expected}: {reason}")


MACHINE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENFILE})
"""The numbers of errors of the machine, such as a full disk, which no bot is to be blamed for."""


@contextmanager
def os_error_as(wrong: type[ArenaError], what: str) -> Iterator[None]:
    """Raise the error `wrong` for an `OSError` in this context: `what` cannot be done, and why.

    In place of a `BotError`, an error of the machine is a `HostError`.
    """
    try:
        yield
    except OSError as error:
        if error.errno in MACHINE_ERRORS and issubclass(wrong, BotError):
            wrong = HostError
        raise wrong(f"{what}: {error.strerror or error}") from None
