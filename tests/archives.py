"""Archives that tests unpack."""

import tarfile
from pathlib import Path


def unpack_tar(archive: Path, folder: Path) -> None:
    """Unpack one of our own archives. Python before 3.11.4 has no filters."""
    with tarfile.open(archive) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)
        opened.extractall(folder)
