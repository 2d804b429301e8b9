"""What is made once for all processes of a test run, such as a site that many tests read."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_folder(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """Return a copy of the folder `name` that `make` fills in the first process that asks.

    The copy belongs to the caller, who may change it.
    """
    parent = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        parent = parent.parent  # the folder of the whole test run
    made = parent / name
    with (parent / f"{name}.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            made.mkdir()
            make(made)
            lock.write("made")
    return Path(shutil.copytree(made, factory.mktemp(name) / name))
