"""The benchmark of kills, on a small scale: nothing is lost and nothing doubled."""

import random
from pathlib import Path

from benchmarks.serve_kills import Wanted, run


def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path) -> None:
    wanted = Wanted(kills=2, students=2, uploads=3, pause_s=1.0)
    assert run(wanted, tmp_path, random.Random(0)) == []
