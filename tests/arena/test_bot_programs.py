"""Bots of the SDK as programs: in any form, they say what the referee understands."""

import json
import re
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from arena.base.protocol import Act, Bye, FromBot, Message, Ready, read_from_bot, write
from arena.base.record import Entrant
from arena.bot import YOUNG_OBJECTS, play
from arena.check.bot_stack import split_stack
from arena.process.bot_process import BotProcess
from tests.arena.playing import BOTS, WAIT_S, First
from tests.arena.sdk_talks import HELLO, end, start, talk, turn

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"


GAME = (HELLO, start(1), turn(1, 1), turn(1, 2), end(1), Bye())
ANSWERS = [Act(1, 1, "a"), Act(1, 2, "a")]


def converse(
    command: Sequence[str], folder: Path, messages: Sequence[Message] = GAME
) -> "subprocess.CompletedProcess[bytes]":
    """Run a bot with the referee's lines as its input."""
    return subprocess.run(
        [sys.executable, "-B", *command],
        cwd=folder,
        input=b"".join(map(write, messages)),
        capture_output=True,
        timeout=WAIT_S,
        check=False,
    )


def converse_with_file(
    folder: Path, text: str, messages: Sequence[Message] = GAME
) -> "subprocess.CompletedProcess[bytes]":
    """Run a bot file as it is run when it is entered."""
    (folder / "my_bot.py").write_text(text)
    return converse(["-P", "-m", "arena.bot", "my_bot.py"], folder, messages)


def replies(done: "subprocess.CompletedProcess[bytes]") -> list[FromBot]:
    return [read_from_bot(line) for line in done.stdout.splitlines()]


CLASS = """
from arena.bot import Bot, run

ZERO = 0

def choose(legal):
    return legal[ZERO]

class MyBot(Bot):
    def act(self, view, legal):
        return choose(legal)
"""
NO_BASE = """
class MyBot:
    def act(self, view, legal):
        return legal[0] if self.table.seat == 0 and self.rng else "?"
"""
OTHER_CLASSES = """
from arena.base.protocol import Act
from arena.bot import Bot as Base
class Memory:
    act = None
class MyBot(Base):
    def act(self, view, legal):
        return legal[0]
"""
FORMS = {
    "a class": CLASS,
    "a class, and run under a guard": CLASS + "if __name__ == '__main__':\n    run(MyBot)\n",
    "a class, and run": CLASS + "run(MyBot)\n",
    "a class without a base": NO_BASE,
    "a class without a base, and run": "from arena.bot import run" + NO_BASE + "run(MyBot)\n",
    "a class beside others": OTHER_CLASSES,
    "a class and its base": "class Base:\n    def act(self, view, legal): ...\n"
    + NO_BASE.replace("MyBot", "MyBot(Base)"),
    "a class with a module beside it": CLASS.replace("ZERO = 0", "from helper import ZERO"),
    "a program without the SDK": (BOTS / "ten_lines" / "ten_lines.py").read_text(),
    "the program in the documentation": "".join(
        re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.M | re.S)[:1]
    ),
}


LOOKS_AT_GARBAGE = """
import gc
class MyBot:
    def act(self, view, legal):
        kept = gc.get_freeze_count() > 0
        return f"{gc.isenabled()} {gc.get_threshold()[0]} {kept}"
"""


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("", f"True {YOUNG_OBJECTS} True"),
        ("gc.disable()", f"False {YOUNG_OBJECTS} True"),
        ("gc.set_threshold(0)", "True 0 True"),
        ("gc.set_threshold(90_000)", "True 90000 True"),
        ("from arena import bot\ngc.set_threshold(2_500)", "True 2500 True"),
    ],
)
def test_runs_garbage_collection_less_often(tmp_path: Path, own: str, expected: str) -> None:
    text = LOOKS_AT_GARBAGE.replace("import gc", f"import gc\n{own}")
    done = converse_with_file(tmp_path, text)
    assert [one.action for one in replies(done) if isinstance(one, Act)] == [expected] * 2


@pytest.mark.parametrize("text", FORMS.values(), ids=list(FORMS))
def test_accepts_all_forms_of_bot_files(tmp_path: Path, text: str) -> None:
    """Beside modules of the names of those that the SDK uses; also as a program of its own."""
    (tmp_path / "helper.py").write_text("ZERO = 0\n")
    used = ("random", "traceback", "msgspec", "io", "json", "copy", "bot")
    for name in used if "class MyBot" in text else ():
        (tmp_path / f"{name}.py").write_text("raise SystemExit('wrong module')\n")
    done = converse_with_file(tmp_path, text)
    assert (done.returncode, done.stderr) == (0, b"")
    first, *others = replies(done)
    assert isinstance(first, Ready)
    assert others == ANSWERS


@pytest.mark.parametrize("text", [CLASS + "run(MyBot)\n", FORMS["a program without the SDK"]])
def test_accepts_any_file_name(tmp_path: Path, text: str) -> None:
    for command in (["my_bot.py"], ["-P", "-m", "arena.bot", "random.py"]):
        (tmp_path / command[-1]).write_text(text)
        done = converse(command, tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
        assert replies(done)[1:] == ANSWERS


NO_BOT = "expected one class with a method `act(self, view, legal)`, found "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", f"{NO_BOT}none; or call"),
        ("from arena.bot import Bot\n", f"{NO_BOT}none; or call"),
        ("class A:\n    def play(self): ...\n", f"{NO_BOT}none; or call"),
        (NO_BASE + NO_BASE.replace("MyBot", "B"), f"{NO_BOT}B, MyBot; or call"),
        ("def act(:\n", "SyntaxError"),
        (
            "class MyBot:\n    def act(self, view, legal): ...\n",
            "`act` returned None, expected one",
        ),
    ],
)
def test_rejects_file_without_bot(tmp_path: Path, text: str, expected: str) -> None:
    done = converse_with_file(tmp_path, text)
    assert (done.returncode, expected in done.stderr.decode()) == (1, True)
    assert b"runpy" not in done.stderr
    usage = converse(["-m", "arena.bot"], tmp_path)
    assert (usage.returncode, usage.stderr) == (1, b"usage: python -m arena.bot BOT.py\n")


def test_print_goes_to_stderr(tmp_path: Path) -> None:
    text = """
import os, sys
from arena.bot import Bot, play
class MyBot(Bot):
    def act(self, view, legal):
        print("thinking about", view)
        sys.stdout.flush()
        os.write(1, b"deeply\\n")
        return legal[0]
"""
    done = converse_with_file(tmp_path, text)
    assert replies(done)[1:] == ANSWERS
    assert done.stderr.decode() == "thinking about {'hand': [1, 2]}\ndeeply\n" * 2


@pytest.mark.parametrize("ending", ["", "run(MyBot)\n"])
def test_traceback_starts_in_the_bot_file(tmp_path: Path, ending: str) -> None:
    text = """
from arena.bot import Bot, run
from engine import get_variant
class MyBot(Bot):
    def act(self, view, legal):
        return self.best(legal)
    def best(self, legal):
        try:
            get_variant("chess")
        except Exception:
            return legal[7]
"""
    done = converse_with_file(tmp_path, text + ending)
    assert done.returncode == 1
    assert len(replies(done)) == 1
    lines = done.stderr.decode().strip().splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert re.fullmatch(r'  File ".*my_bot\.py", line 9, in best', lines[1])
    assert lines[-1] == "IndexError: list index out of range"
    assert not re.search(r"\b(arena|engine)/", done.stderr.decode())


def test_traceback_precedes_end_of_output(tmp_path: Path) -> None:
    """The reason has been written when the output ends, however slow the machine is."""
    text = """
import os, sys, time
class Slowly:
    def write(self, text):
        time.sleep(0.2)
        os.write(2, text.encode())
    def flush(self): ...
sys.stderr = Slowly()
class MyBot:
    def act(self, view, legal):
        return legal[7]
"""
    (tmp_path / "my_bot.py").write_text(text)
    command = (sys.executable, "-B", "-P", "-m", "arena.bot", "my_bot.py")
    with BotProcess(Entrant("my-bot", command, str(tmp_path), "")) as bot:
        for message in GAME:
            bot.send(message)
        while select.select([bot.stdout], [], [], WAIT_S)[0] and bot.read_lines() is not None:
            pass
        bot.read_stderr()
        assert bot.last_words.endswith("IndexError: list index out of range")


SHOW_MODULES = """
import sys
from arena.bot import Bot, play
class MyBot(Bot):
    def act(self, view, legal): return legal[0]
play(MyBot, sys.stdin.buffer, lambda line: None)
names = [*sys.modules]
import json
print(json.dumps(names))
"""


def modules_after(folder: Path, *messages: Message) -> set[str]:
    """Return the modules that a bot has imported when it has heard these messages."""
    done = converse(["-c", SHOW_MODULES], folder, messages)
    assert (done.returncode, done.stderr) == (0, b"")
    return set(json.loads(done.stdout))


UNWANTED = {"pluggy", "click", "rich", "trueskill", "tqdm", "sqlite3", "subprocess", "engine"}


def test_sdk_does_not_import_the_referee(tmp_path: Path) -> None:
    modules = modules_after(tmp_path, *GAME)
    assert {name for name in modules if name.partition(".")[0] == "arena"} == {
        "arena",
        "arena.bot",
        "arena.base",
        "arena.sdk",
        "arena.sdk.alarm",
        "arena.sdk.bot_class",
        "arena.sdk.games",
        "arena.base.errors",
        "arena.base.protocol",
        "arena.base.quick_msgspec",
    }
    assert not modules & (UNWANTED | {"bots", "select", "socket", "asyncio", "typing_extensions"})


def test_bot_is_ready_before_slow_imports(tmp_path: Path) -> None:
    modules = modules_after(tmp_path, HELLO, Bye())
    assert {name for name in modules if name.partition(".")[0] == "arena"} == {
        "arena",
        "arena.bot",
        "arena.sdk",
        "arena.sdk.bot_class",
    }
    assert not modules & {"msgspec", "typing", "random", "inspect"}


def test_accepts_other_json_spellings() -> None:
    """Fields may come in any order, with spaces: the referee of another program may do so."""
    lines = [json.dumps(json.loads(write(one)), sort_keys=True) for one in GAME]
    answers: list[FromBot] = []
    play(
        First,
        [line.encode() for line in lines],
        lambda line: answers.append(read_from_bot(line)),
    )
    assert answers == [Ready(1, "first"), *ANSWERS]


@pytest.mark.parametrize("name", ['say "hi"', "back\\slash", "tab\there", "Zoë", "\u2028", "🎲"])
def test_accepts_any_bot_name(name: str) -> None:
    class Named(First):
        author = name
        games = (name,)

    assert talk(Named, HELLO) == [Ready(1, "first", name, (name,))]


@pytest.mark.parametrize("read", ["input()", "sys.stdin.readline()", "sys.stdin.buffer.read()"])
def test_explains_use_of_stdin(tmp_path: Path, read: str) -> None:
    reads = CLASS.replace("return choose(legal)", f"import sys; return {read}")
    done = converse_with_file(tmp_path, reads)
    assert done.returncode == 1
    log = done.stderr.decode()
    *_, last = log.strip().splitlines()
    assert last.startswith("RuntimeError: a bot can't call `input()` or read stdin: ")
    assert log.count("  File ") == 1, "the bot's own line only, not those of the SDK"


def test_explains_running_an_instance(tmp_path: Path) -> None:
    done = converse_with_file(tmp_path, CLASS + "run(MyBot())")
    assert done.returncode == 1
    assert "write `run(MyBot)`" in done.stderr.decode()


COMPUTES = "until = time.process_time() + 0.2\n        while time.process_time() < until: pass"


def test_dumps_stack_before_the_timeout(tmp_path: Path) -> None:
    does = f"import time\n        {COMPUTES}\n        return legal[0]"
    slow = CLASS.replace("return choose(legal)", does)
    brief = msgspec.structs.replace(turn(1, 1), clock_ms=100)
    done = converse_with_file(tmp_path, slow, (HELLO, start(1), brief, turn(1, 2), end(1), Bye()))
    assert done.returncode == 0
    assert replies(done)[1:] == ANSWERS
    _, frames = split_stack(done.stderr.decode())
    assert [(frame.file, frame.function) for frame in frames] == [("my_bot.py", "act")]


def test_bot_may_use_alarm_signal(tmp_path: Path) -> None:
    own = (
        "import signal\nsignal.signal(signal.SIGPROF, lambda *_: print('mine'))\n"
        "signal.setitimer(signal.ITIMER_PROF, 900)\n"
    )
    acts = (
        "signal.raise_signal(signal.SIGPROF); "
        "print(signal.getitimer(signal.ITIMER_PROF)[0] > 0); return legal[0]"
    )
    done = converse_with_file(tmp_path, own + CLASS.replace("return choose(legal)", acts))
    assert replies(done)[1:] == ANSWERS
    assert done.stderr.decode().splitlines() == ["mine", "True"] * 2
