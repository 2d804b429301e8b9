"""The file of a backup or an export, which is readable by its owner only."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from arena.atomic_file import atomic_file
from arena.errors import StoreError

OWNER_ONLY = 0o600


@contextmanager
def archive_file(target: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets the name `target` when the context ends without an exception.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(target, OWNER_ONLY) as file:
            yield file
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from None
