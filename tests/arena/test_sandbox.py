"""Walls round a bot: what it cannot do inside, whose fault it is, and that nothing outlives it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.driver import Room
from arena.entrants import find_entrants, introduce
from arena.errors import ArenaError, SandboxError, SettingsError
from arena.process import BotProcess
from arena.record import Entrant, GameRecord
from arena.sandbox import tree
from arena.sandbox.contract import Bounds, Walls
from arena.sandbox.probe import hold
from arena.tournament import check_hidden, open_or_create, play
from tests.arena.playing import (
    BOTS,
    NEEDS_PROC,
    PATIENT,
    PYTHON,
    by_name,
    children,
    code,
    descriptors,
    first,
    is_running,
    make_game,
    plug_in,
    wait_for,
)
from tests.arena.runs import (
    bot_options,
    ignore,
    in_processes,
    make_bot,
    make_bots,
    run_arena,
    settings_of,
    silent,
)
from tests.arena.walls import LEVELS, WALLED, answer, fake_tool, family, read, start, walls_of

READS = "print(ascii(open({!r}).read(9)))"
TRIES = """
try:
    {}
    print("did it")
except Exception as error:
    print(type(error).__name__)
"""
WAITS = "import signal; signal.pause()"
FAMILY = f"""
import os, signal, sys
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for child in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.pause()
        os._exit(0)
    os.wait()
print("here", flush=True)
{WAITS}
"""
"""Leaves three daemons that are nobody's children."""
FORKS = """
import os
print("here", flush=True)
while True:
    try:
        os.fork()
    except OSError:
        pass
"""


def play_one(*bots: Entrant, walls: Walls) -> GameRecord:
    """Return the record of a game of these bots."""
    game = make_game(f"high-card/{len(bots)}", 1, [bot.name for bot in bots])
    with Room(by_name(*bots), PATIENT, charge=True, walls=walls) as room:
        ((record, _),) = room.play([game])
    return record


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch)


# -- bots inside -------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_bots_play_at_every_level_and_the_records_are_the_same(level: str) -> None:
    record = play_one(first("anna"), first("ben"), walls=walls_of(level))
    assert not record.faults
    assert record == play_one(first("anna"), first("ben"), walls=Walls())


def test_bots_of_every_kind_start_when_isolated(tmp_path: Path) -> None:
    """Of the box, a file with a module beside it, and a folder."""
    (tmp_path / "helper.py").write_text("CHOICE = 0\n")
    (tmp_path / "mine.py").write_text(
        "from helper import CHOICE\n"
        "class Mine:\n    def act(self, view, legal):\n        return legal[CHOICE]\n"
    )
    entrants = find_entrants(["random", str(tmp_path / "mine.py"), str(BOTS / "ten_lines")])
    introduced = introduce(entrants, PATIENT, walls_of("isolated"))
    assert [one.name for one in introduced] == ["random", "mine", "ten-lines"]
    assert introduced[1].files == ("mine.py", "helper.py")


@pytest.mark.parametrize("program", ["node", "java"])
@pytest.mark.parametrize("level", WALLED)
def test_other_languages_start_within_the_default_bounds(level: str, program: str) -> None:
    if not shutil.which(program):
        pytest.skip(f"need {program}")
    walls = walls_of(level)
    command = {"node": ("node", "-e", "console.log('up')"), "java": ("java", "--version")}[program]
    line = answer("", walls, Entrant("anna", command, str(BOTS), ""))
    assert line.startswith(("up", "openjdk", "java"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys; sys.exit(3)", "exited with code 3: "),
        ("import os; os.kill(os.getpid(), 11)", "was ended by SIGSEGV: "),
        ("import sys; sys.exit('sorry')", "exited with code 1: sorry"),
    ],
)
def test_how_a_bot_ended_is_said_at_every_level(level: str, text: str, said: str) -> None:
    assert answer(text, walls_of(level)) == said


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_is_not_there_cannot_be_started(level: str) -> None:
    before = descriptors()
    missing = Entrant("anna", ("no-such-program-of-anybody",), str(BOTS), "")
    with pytest.raises(FileNotFoundError):
        BotProcess(missing, walls=walls_of(level))
    assert descriptors() == before


# -- what isolation denies ---------------------------------------------------------------------


def test_an_isolated_bot_does_not_see_the_bots_beside_it(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("secret\n")
    (tmp_path / "mine.py").write_text(READS.format(str(tmp_path / "other.py")))
    command = (*PYTHON, "mine.py")
    walls = walls_of("isolated")
    alone = Entrant("mine", command, str(tmp_path), "", files=("mine.py",))
    assert "FileNotFoundError" in answer("", walls, alone)
    whole_folder = Entrant("mine", command, str(tmp_path), "")
    assert answer("", walls, whole_folder) == "'secret\\n'"


@pytest.mark.parametrize("what", ["results/arena.db", "home/.ssh/id_rsa", "bots/other/bot.py"])
def test_an_isolated_bot_sees_nothing_of_ours(tmp_path: Path, what: str) -> None:
    path = tmp_path / what
    path.parent.mkdir(parents=True)
    path.write_text("secret\n")
    assert "FileNotFoundError" in answer(READS.format(str(path)), walls_of("isolated"))
    assert answer(READS.format(str(path)), Walls()) == "'secret\\n'"


def test_an_isolated_bot_may_read_what_the_organiser_shows(tmp_path: Path) -> None:
    (tmp_path / "book").write_text("opening\n")
    walls_of("isolated")
    shown = hold(Walls("isolated", readable=(str(tmp_path),)))
    assert answer(READS.format(str(tmp_path / "book")), shown) == "'opening\\n'"
    text = TRIES.format(f"open({str(tmp_path / 'new')!r}, 'w')")
    assert answer(text, shown) == "OSError"


def test_an_isolated_bot_has_no_network_and_no_sockets_of_others() -> None:
    walls = walls_of("isolated")
    connects = "import socket; socket.create_connection(('127.0.0.1', {}), 5)"
    named = "import socket; socket.socket(socket.AF_UNIX).connect('\\0{}')"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0arena-test-{os.getpid()}")
        abstract.listen()
        for text in (
            connects.format(server.getsockname()[1]),
            named.format(f"arena-test-{os.getpid()}"),
        ):
            assert answer(TRIES.format(text), walls) == "ConnectionRefusedError"
            assert answer(TRIES.format(text), Walls()) == "did it"


def test_an_isolated_bot_knows_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    text = "import os; print(*sorted(os.environ))"
    names = set(answer(text, walls_of("isolated")).split())
    assert {"PATH", "LANG", "PYTHONHASHSEED"} <= names
    assert names <= {"ARENA_BOT", "HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "PYTHONHASHSEED"}
    assert "API_TOKEN" in answer(text, Walls())


def test_what_an_isolated_bot_leaves_in_tmp_is_gone_and_cannot_be_much() -> None:
    walls = walls_of("isolated", Bounds(file_mib=1000))
    text = TRIES.format(
        "import os; os.path.exists('/tmp/x') and 1/0; open('/tmp/x', 'w').write('x')"
    )
    assert answer(text, walls) == "did it"
    assert answer(text, walls) == "did it"
    for path in ("/tmp/x", "/dev/shm/x"):
        fill = TRIES.format(f"open({path!r}, 'wb').write(bytes(40_000_000))")
        assert answer(fill, walls) == "OSError"


# -- bounds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", WALLED)
def test_one_process_gets_no_more_memory_than_it_may_have(level: str) -> None:
    walls = walls_of(level, Bounds(memory_mib=64))
    assert answer(TRIES.format("bytearray(200_000_000)"), walls) == "MemoryError"


@pytest.mark.parametrize("level", WALLED)
def test_a_file_can_be_no_larger_than_it_may_be(level: str, tmp_path: Path) -> None:
    walls = walls_of(level, Bounds(file_mib=1))
    text = TRIES.format("import tempfile; tempfile.TemporaryFile().write(bytes(2_000_000))")
    assert answer(text, walls) == "OSError"


HOLDS = """
import json, os, signal, sys
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
for line in sys.stdin:
    if json.loads(line)["type"] == "turn":
        for _ in range(4):
            if os.fork() == 0:
                held = b"x" * 40_000_000
                signal.pause()
"""


@NEEDS_PROC
@pytest.mark.parametrize("level", WALLED)
def test_memory_of_all_processes_together_is_a_fault(level: str) -> None:
    walls = walls_of(level, Bounds(memory_mib=100))
    record = play_one(code("anna", HOLDS), first("ben"), walls=walls)
    (fault,) = record.faults
    assert (fault.kind, fault.seat) == ("crash", 0)
    assert "MiB of memory; 100 MiB are allowed" in fault.text


@NEEDS_PROC
@pytest.mark.parametrize("level", WALLED)
def test_a_fork_bomb_is_a_fault_and_leaves_nothing(level: str) -> None:
    walls = walls_of(level, Bounds(processes=20))
    ready = """
import json
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
input(), input(), input()
"""
    before = children()
    record = play_one(code("anna", ready + FORKS), first("ben"), walls=walls)
    (fault,) = record.faults
    assert fault.seat == 0
    assert children() == before


# -- whose fault -------------------------------------------------------------------------------


def test_walls_that_do_not_stand_are_no_fault_of_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walls = walls_of("isolated")
    fake_tool(tmp_path, "bwrap", "echo 'bwrap: no luck today' >&2; exit 1", monkeypatch)
    with pytest.raises(SandboxError, match=r"round the bot '(anna|ben)': bwrap: no luck"):
        play_one(first("anna"), first("ben"), walls=walls)
    assert not children()


def test_walls_that_take_too_long_are_no_fault_of_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walls = walls_of("isolated")
    fake_tool(tmp_path, "bwrap", "sleep 60", monkeypatch)
    limits = type(PATIENT)(start_ms=50)
    with (
        pytest.raises(SandboxError, match="'isolated' does not stand"),
        Room(by_name(first()), limits, walls=walls) as room,
    ):
        room.introduce()
    assert not children()


def test_a_folder_that_has_gone_is_no_fault_of_a_bot(tmp_path: Path) -> None:
    gone = Entrant("anna", PYTHON, str(tmp_path / "gone"), "")
    with pytest.raises(SandboxError, match="Can't find source path"):
        play_one(gone, first("ben"), walls=walls_of("isolated"))


@pytest.mark.parametrize("level", WALLED)
def test_a_bot_cannot_feign_that_its_walls_do_not_stand(level: str) -> None:
    feigns = "import sys; sys.exit('bwrap: setting up uid map: Permission denied')"
    record = play_one(code("anna", feigns), first("ben"), walls=walls_of(level))
    assert [(fault.kind, fault.seat) for fault in record.faults] == [("start", 0)]


# -- endings -----------------------------------------------------------------------------------


@NEEDS_PROC
@pytest.mark.parametrize("level", LEVELS)
def test_daemons_of_a_bot_end_with_it(level: str) -> None:
    before = set(map(int, filter(str.isdecimal, os.listdir("/proc"))))
    mark = "ARENA_BOT"
    with start(FAMILY, walls_of(level)) as bot:
        assert read(bot) == ["here"]
        theirs = {*tree.marked(mark, bot._mark), *family(bot)} - before
        assert len(theirs) >= 4
    wait_for(lambda: not any(map(is_running, theirs)), "the daemons to end")
    assert not children()


@NEEDS_PROC
@pytest.mark.parametrize("level", WALLED)
def test_a_bot_ends_with_a_referee_that_is_killed(level: str, tmp_path: Path) -> None:
    walls_of(level)
    text = FAMILY if level == "isolated" else f"print('here', flush=True); {WAITS}"
    referee = f"""
import time
from arena.sandbox.contract import Walls
from tests.arena.runs import (
    bot_options,
    ignore,
    in_processes,
    make_bot,
    make_bots,
    run_arena,
    settings_of,
    silent,
)
from tests.arena.walls import read, start
bot = start({text!r}, Walls({level!r}))
print(*read(bot), bot._popen.pid, flush=True)
time.sleep(600)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", referee],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout
        here, pid = process.stdout.readline().split()
        assert here == "here"
        theirs = tree.descendants(int(pid))
        process.send_signal(signal.SIGKILL)
    wait_for(lambda: not any(map(is_running, theirs)), "the bot to end")


@NEEDS_PROC
def test_nothing_is_left_of_an_isolated_bot() -> None:
    walls = walls_of("isolated")
    before = descriptors(), Path("/proc/self/mounts").read_text()
    for _ in range(3):
        with start(WAITS, walls):
            pass
        assert answer("print('x')", walls) == "x"
    assert before == (descriptors(), Path("/proc/self/mounts").read_text())
    assert not children()


# -- ordinary users ----------------------------------------------------------------------------


@pytest.mark.parametrize("level", WALLED)
def test_the_walls_hold_for_an_ordinary_user(level: str) -> None:
    walls_of(level)
    if os.geteuid() != 0 or not shutil.which("runuser"):
        pytest.skip("need root, to be somebody else")
    python = shutil.which("python3", path="/usr/bin")
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    command = ["runuser", "-u", "nobody", "--", str(python), "-c"]
    if not python or subprocess.run([*command, same], check=False).returncode:
        pytest.skip("need a Python of this version in /usr/bin, which others may use")
    paths = [path for path in sys.path if path.endswith("-packages")]
    text = f"""
import sys
sys.path += {[str(Path(__file__).parents[2]), *paths]!r}
from arena.sandbox.contract import Walls
from arena.sandbox.probe import hold
from arena.tournament import check_hidden, open_or_create, play
print(*hold(Walls({level!r})).withstood, sep=", ")
"""
    done = subprocess.run(
        [*command, text], capture_output=True, text=True, check=False, cwd="/", timeout=60
    )
    if "ModuleNotFoundError" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("need a checkout that others may read")
    assert done.stdout.strip() == ", ".join(walls_of(level).withstood), done.stderr


# -- runs --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def isolated_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], str]:
    """The results, the command and the output of a run at the level `isolated`."""
    walls_of("isolated")
    parent = tmp_path_factory.mktemp("isolated")
    command = ["run", *bot_options(make_bots(parent / "bots", 3)), "--variant", "pot-de-vin/3"]
    command += ["--rounds", "3", "--name", "spring", "--results", str(parent / "results")]
    done = run_arena(*command)
    assert done.returncode == 0, done.stderr
    assert "sandbox isolated: bots see neither" in done.stderr  # `auto` says what it took
    return parent / "results", command, done.stdout


def test_the_walls_are_stamped_on_a_run(isolated_run: tuple[Path, list[str], str]) -> None:
    results, _, printed = isolated_run
    assert printed.splitlines()[-1].startswith("sandbox isolated: bots see neither one another")
    board = msgspec.json.decode((results / "spring" / "leaderboard.json").read_bytes())
    stamped = msgspec.convert(board["walls"], Walls)
    assert stamped == hold(Walls("isolated"))


def test_a_run_is_gone_on_with_at_its_own_level_only(
    isolated_run: tuple[Path, list[str], str],
) -> None:
    _, command, printed = isolated_run
    assert run_arena(*command, "--sandbox", "isolated").stdout == printed
    other = run_arena(*command, "--sandbox", "none")
    assert other.returncode == 1
    assert "(--sandbox none, not isolated)" in other.stderr
    bounds = run_arena(*command, "--memory-mib", "512")
    assert bounds.returncode == 1
    assert "512 MiB of memory, 256 processes" in bounds.stderr


def test_a_game_is_played_again_behind_the_walls_of_its_run(
    isolated_run: tuple[Path, list[str], str],
) -> None:
    results, _, _ = isolated_run
    rerun = ["rerun", "spring", "pot-de-vin/3 board 1 rotation 0", "--results", str(results)]
    assert run_arena(*rerun).returncode == 0
    assert run_arena(*rerun, "--sandbox", "none").returncode == 0


@NEEDS_PROC
def test_bots_end_with_a_worker_that_is_killed(tmp_path: Path) -> None:
    """Also without walls, and what they have started."""
    told = tmp_path / "pid"
    killer = f"""
import os, signal
told, tell = os.pipe()
child = os.fork()
if child == 0:
    os.setsid()
    os.write(tell, b"x")
    signal.pause()
os.read(told, 1)
open({f"{told}.new"!r}, "w").write(str(child))
os.replace({f"{told}.new"!r}, {str(told)!r})
os.kill(os.getppid(), 9)
signal.pause()
"""
    run = settings_of(
        [make_bot(tmp_path, "killer", killer), *make_bots(tmp_path, 2)], "pot-de-vin/3"
    )
    with open_or_create(tmp_path / "spring", run, silent) as store, pytest.raises(ArenaError):
        play(store, run, in_processes(1), ignore)
    wait_for(lambda: not is_running(int(told.read_text())), "the end of what the bot had started")
    assert not children()


@pytest.mark.parametrize("inside", ["bot-1/results", "bot-1", "results"])
def test_a_bot_that_would_see_the_results_is_refused(inside: str, tmp_path: Path) -> None:
    settings = settings_of(make_bots(tmp_path, 3), "pot-de-vin/3")
    settings = msgspec.structs.replace(settings, walls=Walls("isolated"))
    if inside == "results":
        check_hidden(settings, tmp_path / inside, tmp_path / "site")
        return
    with pytest.raises(SettingsError, match=r"the results .* in the folder of bot-1.*--results"):
        check_hidden(settings, tmp_path / inside)
    with pytest.raises(SettingsError, match=r"the site .* in the folder of bot-1.*--publish"):
        check_hidden(settings, tmp_path / "results", tmp_path / inside)


def test_a_bot_that_would_see_another_is_refused(tmp_path: Path) -> None:
    outer = make_bot(tmp_path, "outer")
    inner = make_bot(outer, "inner")
    settings = settings_of([outer, inner], "pot-de-vin/3")
    check_hidden(settings, tmp_path / "results")  # without walls it makes no difference
    settings = msgspec.structs.replace(settings, walls=Walls("isolated"))
    with pytest.raises(SettingsError, match="inner lies in the folder of outer"):
        check_hidden(settings, tmp_path / "results")


# -- other systems -----------------------------------------------------------------------------

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

    assert arena("bots").returncode == 0
    refused = arena("run", "--rounds", "1")
    assert refused.returncode == 1
    assert "this system cannot run bots, since its Python has no killpg, poll" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert list(tmp_path.iterdir()) == []
