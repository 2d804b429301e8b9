"""Files that are replaced whole: readers see the old or the new one, never a part."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

INCOMPLETE = ".new"
"""The suffix of a file that is being written."""


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
