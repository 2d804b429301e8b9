"""Stamps by which a changed file is noticed."""

from pathlib import Path

Stamp = tuple[int, ...]


def file_stamp(file: Path) -> Stamp:
    """Return a value that changes with a file; an empty one if there is no file."""
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino
