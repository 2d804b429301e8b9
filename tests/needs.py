"""Programs that tests need: a test without one is skipped, and says which.

A level of the sandbox needs more: `tests.arena.levels.sandbox_settings_of` asks the probe.
"""

import os
import shutil

import pytest


def need(*programs: str, root: bool = False) -> pytest.MarkDecorator:
    """Return the mark that skips a test where one of `programs` is missing, or `root`."""
    missing = [program for program in programs if not shutil.which(program)]
    if root and os.geteuid() != 0:
        missing.append("root")
    return pytest.mark.skipif(bool(missing), reason=f"need {', '.join(missing)}")
