"""A system that can run no bots says so, and does the rest."""

import subprocess
import sys
from pathlib import Path

ELSEWHERE = """
import os, select, sys
sys.platform = "other"
for name in ("fcntl", "resource"):
    sys.modules[name] = None
for name in ("killpg", "waitid", "sched_setaffinity", "sched_getaffinity", "geteuid", "getuid"):
    delattr(os, name)
del select.poll
from arena.cli import main
main(prog_name="arena")
"""


def test_a_system_that_can_run_no_bots_says_so_and_does_the_rest(tmp_path: Path) -> None:
    """As far as a system without them can be had here."""

    def arena(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-c", ELSEWHERE, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert arena("games").returncode == 0
    refused = arena("run", "--rounds", "1")
    assert refused.returncode == 1
    assert "killpg, poll" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert list(tmp_path.iterdir()) == []
