"""SandboxSettings round a bot: what it can still do inside, and what isolation denies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.base.contracts import Bounds, SandboxSettings
from arena.base.record import Entrant
from arena.check.sandbox_probe import hold
from arena.contest.entrants import find_entrants, introduce
from tests.arena.levels import LEVELS, TRIES, answer, play_one, read, sandbox_settings_of, start
from tests.arena.playing import BOTS, NEEDS_PROC, PATIENT, PYTHON, first
from tests.needs import need

pytestmark = pytest.mark.usefixtures("toys")


# -- bots inside -------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_records_are_the_same_at_every_level(level: str) -> None:
    record = play_one(first("anna"), first("ben"), sandbox=sandbox_settings_of(level))
    assert not record.faults
    assert record == play_one(first("anna"), first("ben"), sandbox=SandboxSettings())


def test_all_kinds_of_bots_start_isolated(tmp_path: Path) -> None:
    """A built-in bot, a file with a module beside it, and a folder."""
    (tmp_path / "helper.py").write_text("CHOICE = 0\n")
    (tmp_path / "mine.py").write_text(
        "from helper import CHOICE\n"
        "class Mine:\n    def act(self, view, legal):\n        return legal[CHOICE]\n"
    )
    entrants = find_entrants(["random", str(tmp_path / "mine.py"), str(BOTS / "ten_lines")])
    introduced = introduce(entrants, PATIENT, sandbox_settings_of("isolated"))
    assert [entrant.name for entrant in introduced] == ["random", "mine", "ten-lines"]
    assert introduced[1].files == ("mine.py", "helper.py")


def test_describes_exit_of_a_sandboxed_bot() -> None:
    sandbox = sandbox_settings_of("isolated")
    died = answer("import os; os.kill(os.getpid(), 11)", sandbox)
    assert died == "was killed by SIGSEGV: "
    assert answer("import sys; sys.exit('sorry')", sandbox) == "exited with code 1: sorry"


@NEEDS_PROC
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="need Linux")
def test_level_none_bounds_accidents(tmp_path: Path) -> None:
    bounds = SandboxSettings(bounds=Bounds(memory_mib=64, file_mib=1))
    writes = f"open({str(tmp_path / 'log')!r}, 'wb').write(bytes(2 << 20))"
    for attempt, error in (("bytearray(300 << 20)", "MemoryError"), (writes, "OSError")):
        # the limits are set once the process exists, so it waits for a line, as bots do
        with start(f"input()\n{TRIES.format(attempt)}", bounds) as bot:
            os.write(bot.stdin, b"\n")
            assert read(bot) == [error]


# -- what isolation denies ---------------------------------------------------------------------


READS = "print(ascii(open({!r}).read(9)))"


def test_isolated_bot_cannot_see_other_bots(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("secret\n")
    (tmp_path / "mine.py").write_text(READS.format(str(tmp_path / "other.py")))
    command = (*PYTHON, "mine.py")
    sandbox = sandbox_settings_of("isolated")
    alone = Entrant("mine", command, str(tmp_path), "", files=("mine.py",))
    assert "FileNotFoundError" in answer("", sandbox, alone)
    (tmp_path / "mine.py").write_text(READS.format("other.py"))
    assert "FileNotFoundError" in answer("", sandbox, alone)
    whole_folder = Entrant("mine", command, str(tmp_path), "")
    assert answer("", sandbox, whole_folder) == "'secret\\n'"


def test_isolated_bot_always_has_the_same_path(tmp_path: Path) -> None:
    """Number 117: by its path, a bot knew whether it was checked, and the name of its run."""
    (tmp_path / "mine.py").write_text(
        "import os, sys\nprint(os.getcwd(), os.environ['PWD'], sys.argv[1], __file__)"
    )
    command = (*PYTHON, str(tmp_path / "mine.py"), str(tmp_path / "weights"))
    shown = answer("", sandbox_settings_of("isolated"), Entrant("mine", command, str(tmp_path), ""))
    assert shown == "/bot /bot /bot/weights /bot/mine.py"


def test_isolated_bot_can_read_readable_paths(tmp_path: Path) -> None:
    (tmp_path / "book").write_text("opening\n")
    sandbox_settings_of("isolated")
    shown = hold(SandboxSettings("isolated", readable=(str(tmp_path),)))
    assert answer(READS.format(str(tmp_path / "book")), shown) == "'opening\\n'"
    text = TRIES.format(f"open({str(tmp_path / 'new')!r}, 'w')")
    assert answer(text, shown) == "OSError"


def test_tmp_of_an_isolated_bot_is_small_and_deleted() -> None:
    sandbox = sandbox_settings_of("isolated", Bounds(file_mib=1000))
    text = TRIES.format(
        "import os; os.path.exists('/tmp/x') and 1/0; open('/tmp/x', 'w').write('x')"
    )
    assert answer(text, sandbox) == "did it"
    assert answer(text, sandbox) == "did it"
    for path in ("/tmp/x", "/dev/shm/x"):
        fill = TRIES.format(f"open({path!r}, 'wb').write(bytes(40_000_000))")
        assert answer(fill, sandbox) == "OSError"


# -- ordinary users ----------------------------------------------------------------------------


@need("runuser", root=True)
def test_sandbox_works_for_an_ordinary_user() -> None:
    sandbox_settings_of("isolated")
    python = shutil.which("python3", path="/usr/bin")
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    command = ["runuser", "-u", "nobody", "--", str(python), "-c"]
    if not python or subprocess.run([*command, same], check=False).returncode:
        pytest.skip("need a Python of this version in /usr/bin, which others may use")
    paths = [path for path in sys.path if path.endswith("-packages")]
    text = f"""
import sys
sys.path += {[str(Path(__file__).parents[3]), *paths]!r}
from arena.base.contracts import SandboxSettings
from arena.check.sandbox_probe import denied_attacks, hold, try_attacks
from arena.plugins import get_sandbox
from arena.sandbox.users import our_users
hold(SandboxSettings("isolated"))
rows = denied_attacks("isolated")
outcomes = zip(rows, try_attacks(get_sandbox("isolated"), rows, 120), strict=True)
print([(row.number, said) for row, said in outcomes if said not in row.error], our_users())
"""
    done = subprocess.run(
        [*command, text], capture_output=True, text=True, check=False, cwd="/", timeout=120
    )
    if "ModuleNotFoundError" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("need a checkout that others may read")
    denied, _, lacking = done.stdout.partition(" ")
    assert denied == "[]", done.stderr
    assert "add the line `nobody:" in lacking or "apt install uidmap" in lacking
