"""Settings of all tests.

Property tests draw the same examples in every run, and may take their time. Bytecode is written
first, because the tests start thousands of processes, each of which would compile what it imports
where PYTHONDONTWRITEBYTECODE is set.
"""

import compileall
from pathlib import Path

import pytest
from hypothesis import settings

import arena
import bots
import engine

settings.register_profile("deterministic", derandomize=True, deadline=None)
settings.load_profile("deterministic")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile our packages, once for all test processes."""
    if not hasattr(session.config, "workerinput"):  # a process of pytest-xdist
        for package in (engine, arena, bots):
            compileall.compile_dir(Path(package.__path__[0]), quiet=2)
