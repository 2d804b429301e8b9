"""Files that appear under their name when they are complete."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from arena.errors import StoreError


@contextmanager
def archive_file(target: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets the name `target` when the context ends without an exception.

    Only its owner may read it. It is on the disk before it gets its name.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise _cannot_write(target, error) from None
    try:
        with open(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except OSError as error:
        raise _cannot_write(target, error) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _cannot_write(target: Path, error: OSError) -> StoreError:
    return StoreError(f"cannot write {target}: {error.strerror or error}")
