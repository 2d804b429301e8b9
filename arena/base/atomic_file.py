"""Helpers for reading and writing files."""

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
MAX_BYTES = 16 << 20

StructT = TypeVar("StructT", bound=msgspec.Struct)


@contextmanager
def atomic_file(target: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Write to a temporary file. At the end of the `with` block, the new file replaces
    `target`, unless an exception was raised.

    The umask is applied to `mode`. Raise `OSError` and keep the old file if the new file can't
    be written.
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


def flush(path: Path) -> None:
    """Sync a file or folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_struct(path: Path, kind: type[StructT], expected: str, wrong: type[ArenaError]) -> StructT:
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


# These errors affect the whole machine. ENOSPC, for example, means that the disk is full.
MACHINE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENFILE})


@contextmanager
def os_error_as(wrong: type[ArenaError], what: str) -> Iterator[None]:
    """Convert an `OSError` to another exception type.

    Machine problems, such as a full disk, raise a `HostError` instead of a `BotError`.
    """
    try:
        yield
    except OSError as error:
        if error.errno in MACHINE_ERRORS and issubclass(wrong, BotError):
            wrong = HostError
        raise wrong(f"{what}: {error.strerror or error}") from None
