"""What a shell or a system can hand to a program: encodings, streams, limits, what it lacks."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from arena.process.host import MAX_OPEN_FILES

ARENA = f'{sys.executable} -P -c "from arena.cli import main; main()"'
RUN = "run --variant bribery/2 --bot fixer --bot random --rounds 2 --seed 1 --workers 1"


def shell(folder: Path, command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Type a command in a folder; ARENA stands for the program."""
    words = ["sh", "-c", command.replace("ARENA", ARENA)]
    variables = os.environ | environment
    return subprocess.run(words, capture_output=True, cwd=folder, env=variables, check=False)


@pytest.mark.slow
def test_replaces_characters_the_encoding_lacks(tmp_path: Path) -> None:
    result = shell(tmp_path, f"ARENA {RUN} --sandbox none", PYTHONIOENCODING="ascii")
    assert (result.returncode, b"fixer" in result.stdout) == (0, True), result.stderr
    for command in ("check fixer --variant bribery/2 --sandbox none", "games"):
        result = shell(tmp_path, f"ARENA {command}", PYTHONIOENCODING="ascii")
        assert b"Traceback" not in result.stderr
        assert result.stdout


@pytest.mark.parametrize(("streams", "code"), [(">&- 2>&- <&-", 0), (">/dev/full", 1)])
def test_closed_streams_lose_no_games(tmp_path: Path, streams: str, code: int) -> None:
    result = shell(tmp_path, f"ARENA {RUN} --sandbox none --name x {streams}")
    assert result.returncode == code
    assert b"Traceback" not in result.stderr
    assert (b"cannot write the output" in result.stderr) == bool(code)
    assert (tmp_path / "results" / "x" / "leaderboard.json").is_file()


def test_raises_soft_limit_of_open_files(tmp_path: Path) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    program = f"{sys.executable} -c 'import resource as r; print(*r.getrlimit(r.RLIMIT_NOFILE))'"
    code = "from arena.process.host import raise_file_limit as f; import os; f(); os.system"
    (tmp_path / "shows.sh").write_text(program)
    result = shell(tmp_path, f"ulimit -Sn 40; {sys.executable} -P -c '{code}(\"sh shows.sh\")'")
    assert result.stdout.split()[0] == str(min(hard, MAX_OPEN_FILES)).encode(), result.stderr
    few = shell(tmp_path, "ulimit -n 24; ARENA run --game pot-de-vin --rounds 1 --sandbox none")
    assert few.returncode == 1
    assert b"ulimit -n" in few.stderr


ELSEWHERE = """
import os, select, sys, sysconfig
sysconfig.get_paths()  # they are known from here on
sys.platform = "other"
for name in ("fcntl", "resource"):
    sys.modules[name] = None
for name in ("killpg", "waitid", "sched_setaffinity", "sched_getaffinity", "geteuid", "getuid"):
    delattr(os, name)
del select.poll
from arena.cli import main
main(prog_name="arena")
"""


def test_commands_without_bots_work_on_any_system(tmp_path: Path) -> None:
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
