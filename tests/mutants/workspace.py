"""Copies of the project in which mutants are tested."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.mutants.mutations import Mutant

COPIED = ("arena", "bots", "docs", "engine", "tests", "pyproject.toml")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider")


class Workspace:
    """Tests one mutant at a time in a copy of the project."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @classmethod
    def copy(cls, project: Path, folder: Path) -> Self:
        """Copy `project` to `folder`, without the files that only its tests write."""
        folder.mkdir(parents=True)
        for name in COPIED:
            if (project / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(project / name, folder / name, ignore=ignored)
            else:
                shutil.copy(project / name, folder / name)
        return cls(folder)

    def time_limit_s(self, tests: Sequence[str]) -> float:
        """Return the time that a mutant may take, five times what `tests` take without one.

        Raise RuntimeError if they fail, since then they would kill every mutant.
        """
        began = time.monotonic()
        result = subprocess.run(
            [*PYTEST, *tests],
            cwd=self._root,
            env=self._environment(),
            capture_output=True,
            text=True,
        )
        if result.returncode:
            raise RuntimeError(f"{' '.join(tests)} fail without a mutant:\n{result.stdout[-4000:]}")
        return 10 + 5 * (time.monotonic() - began)

    def judge(self, mutant: Mutant, tests: Sequence[str], limit_s: float) -> str:
        """Return "killed" if one of `tests` fails on `mutant`, else "survived" or "timeout"."""
        path = self._root / mutant.module
        source = path.read_bytes()
        path.write_text(mutant.source, "utf-8")
        try:
            return self._run(tests, limit_s)
        finally:
            path.write_bytes(source)

    def _run(self, tests: Sequence[str], limit_s: float) -> str:
        process = subprocess.Popen(
            [*PYTEST, *tests],
            cwd=self._root,
            env=self._environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return "killed" if process.wait(limit_s) else "survived"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _environment(self) -> dict[str, str]:
        # Byte code is not written: a mutant and its module may have the same size and time.
        paths = {"PYTHONPATH": str(self._root), "PYTHONDONTWRITEBYTECODE": "1"}
        return os.environ | paths
