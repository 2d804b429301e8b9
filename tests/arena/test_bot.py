"""A bot is a class with a method `act`; the SDK does the talking."""

import json
import random
import re
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.bot import Bot, ask, play
from arena.process.bot_process import BotProcess
from arena.protocol import (
    Act,
    Bye,
    End,
    FromBot,
    Hello,
    Limits,
    Message,
    Ready,
    SeatFault,
    Start,
    Turn,
    raw,
    read_from_bot,
    write,
)
from arena.record import Entrant
from tests.arena.playing import BOTS, WAIT_S, First

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
HELLO = Hello(1, "0.1.0", "entered-as", Limits())


def start(table: int, seat: int = 0, seed: int = 1) -> Start:
    return Start(table, "high-card", "high-card/3", seat, 3, None, seed)


def turn(table: int, number: int, legal: Sequence[str] = ("a", "b", "c"), view: Any = None) -> Turn:
    events = [{"event": "asked", "turn": number}]
    return Turn(table, number, raw(view or {"hand": [1, 2]}), raw(events), list(legal), 2000)


def end(table: int) -> End:
    return End(table, (1, 2, 3), (3, 2, 1), (SeatFault(0, 1, "illegal", "no"),))


def talk(bot_class: type[Bot], *messages: Message) -> list[FromBot]:
    """Return what a bot answers when it hears these."""
    said: list[FromBot] = []
    play(bot_class, map(write, messages), lambda line: said.append(read_from_bot(line)))
    return said


def actions(replies: Sequence[FromBot]) -> list[str]:
    return [reply.action for reply in replies if isinstance(reply, Act)]


# -- in memory ---------------------------------------------------------------------------------


def test_a_bot_says_who_it_is() -> None:
    class Named(First):
        name = "anna-bot"
        author = "Anna"
        games = ("pot-de-vin", "bribery")

    assert talk(Named, HELLO) == [Ready(1, "anna-bot", "Anna", ("pot-de-vin", "bribery"))]


def test_a_bot_that_says_nothing_of_itself_plays_all_games() -> None:
    class Plain(Bot):
        pass

    assert talk(Plain, HELLO) == [Ready(1)]


def test_an_answer_has_the_table_and_the_turn_of_its_question() -> None:
    assert talk(First, HELLO, start(4), turn(4, 1), turn(4, 2)) == [
        Ready(1, "first"),
        Act(4, 1, "a"),
        Act(4, 2, "a"),
    ]


def test_a_bot_hears_of_its_game_in_order_and_gets_all_of_it() -> None:
    heard: list[Any] = []

    class Listens(Bot):
        def start(self, table: Start) -> None:
            heard.append(("start", table, self.table == table, self.rng.random()))

        def events(self, events: list[Any]) -> None:
            heard.append(("events", events))

        def act(self, view: Any, legal: list[str]) -> str:
            heard.append(("act", view, legal))
            return "b"

        def end(self, result: End) -> None:
            heard.append(("end", result))

    table = start(4, seat=2, seed=99)
    replies = talk(Listens, HELLO, table, turn(4, 1), turn(4, 2, ["b"], {"x": None}), end(4))
    assert actions(replies) == ["b", "b"]
    assert heard == [
        ("start", table, True, random.Random(99).random()),
        ("events", [{"event": "asked", "turn": 1}]),
        ("act", {"hand": [1, 2]}, ["a", "b", "c"]),
        ("events", [{"event": "asked", "turn": 2}]),
        ("act", {"x": None}, ["b"]),
        ("end", end(4)),
    ]


def test_several_tables_are_several_bots() -> None:
    class Counts(Bot):
        def start(self, table: Start) -> None:
            self.count = 10 * table.table

        def act(self, view: Any, legal: list[str]) -> str:
            self.count += 1
            return f"{self.count} of {self.table.seat}"

    replies = talk(
        Counts,
        start(1, seat=0),
        start(2, seat=1),
        turn(1, 1),
        turn(2, 1),
        turn(2, 2),
        end(2),
        start(3, seat=2),
        turn(3, 1),
        turn(1, 2),
        end(1),
        end(3),
    )
    assert actions(replies) == ["11 of 0", "21 of 1", "22 of 1", "31 of 2", "12 of 0"]


def test_the_number_of_a_table_may_come_again() -> None:
    class Counts(Bot):
        count = 0

        def act(self, view: Any, legal: list[str]) -> str:
            self.count += 1
            return str(self.count)

    game = (start(1), turn(1, 1), turn(1, 2), end(1))
    assert actions(talk(Counts, *game, *game)) == ["1", "2", "1", "2"]


class Draws(Bot):
    def act(self, view: Any, legal: list[str]) -> str:
        return self.rng.choice(legal)


def test_the_seed_of_a_table_fixes_the_dice_of_its_bot() -> None:
    legal = [str(number) for number in range(1000)]
    turns = [turn(1, number, legal) for number in range(1, 6)]
    same = actions(talk(Draws, start(1, seed=7), *turns))
    others = [turn(2, number, legal) for number in range(1, 6)]
    beside = [message for pair in zip(turns, others, strict=True) for message in pair]
    both = actions(talk(Draws, start(1, seed=7), start(2, seed=8), *beside))
    assert both[0::2] == same
    assert both[1::2] == actions(talk(Draws, start(2, seed=8), *others)) != same


def test_events_are_decoded_only_for_a_bot_that_listens_to_them() -> None:
    # Not UTF-8, which shows when it is decoded and not before.
    odd = msgspec.structs.replace(turn(1, 1), events=msgspec.Raw(b'["\xff"]'))

    class Listens(First):
        def events(self, events: list[Any]) -> None:
            raise AssertionError("there is nothing to hear")

    assert actions(talk(First, start(1), odd)) == ["a"]
    with pytest.raises(UnicodeDecodeError):
        talk(Listens, start(1), odd)


def test_a_note_is_sent_once() -> None:
    class Remarks(Bot):
        def act(self, view: Any, legal: list[str]) -> str:
            if self.table.table == 1 and not hasattr(self, "said"):
                self.said = True
                self.note = "my first"
            return legal[0]

    replies = talk(Remarks, start(1), turn(1, 1), turn(1, 2))
    assert replies == [Act(1, 1, "a", "my first"), Act(1, 2, "a", "")]


def test_views_are_made_into_what_the_bot_wants() -> None:
    class View(msgspec.Struct):
        hand: tuple[int, ...]

    class Typed(Bot):
        view_type = View

        def act(self, view: View, legal: list[str]) -> str:
            return f"play {max(view.hand)}"

    assert actions(talk(Typed, start(1), turn(1, 1, view={"hand": [3, 9], "more": 1}))) == [
        "play 9"
    ]


def test_a_bot_leaves_when_it_is_told_to_and_when_the_lines_end() -> None:
    assert talk(First, start(1), turn(1, 1), Bye(), turn(1, 2)) == [Act(1, 1, "a")]
    assert talk(First) == []


def test_a_bot_without_act_says_what_is_missing() -> None:
    class Lazy(Bot):
        pass

    with pytest.raises(NotImplementedError, match="Lazy has no method `act"):
        talk(Lazy, start(1), turn(1, 1))


# -- as programs -------------------------------------------------------------------------------

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
from arena.protocol import Act
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
    "a program without the SDK": (BOTS / "ten_lines" / "ten_lines.py").read_text(),
    "the program in the documentation": "".join(
        re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.M | re.S)[:1]
    ),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=list(FORMS))
def test_a_bot_file_plays_in_whatever_form_it_is_written(tmp_path: Path, text: str) -> None:
    done = converse_with_file(tmp_path, text)
    assert (done.returncode, done.stderr) == (0, b"")
    first, *others = replies(done)
    assert isinstance(first, Ready)
    assert others == ANSWERS


@pytest.mark.parametrize("text", [CLASS + "run(MyBot)\n", FORMS["a program without the SDK"]])
def test_a_bot_file_is_a_program_of_its_own_too(tmp_path: Path, text: str) -> None:
    (tmp_path / "my_bot.py").write_text(text)
    done = converse(["my_bot.py"], tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert replies(done)[1:] == ANSWERS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1\n", "none"),
        ("from arena.bot import Bot\n", "none"),
        ("class A:\n    def play(self): ...\n", "none"),
        ("class A:\n    def act(self): ...\nclass B:\n    def act(self): ...\n", "A, B"),
    ],
)
def test_a_file_without_a_single_bot_is_refused(tmp_path: Path, text: str, found: str) -> None:
    done = converse_with_file(tmp_path, text)
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.decode().strip() == (
        "my_bot.py: expected one class with a method `act(self, view, legal)`, found "
        f"{found}; or call `run(MyBot)` at the end"
    )


def test_the_runner_wants_one_file(tmp_path: Path) -> None:
    done = converse(["-m", "arena.bot"], tmp_path)
    assert done.returncode == 1
    assert done.stderr.decode().strip() == "usage: python -m arena.bot BOT.py"


def test_what_a_bot_prints_is_no_part_of_what_it_says(tmp_path: Path) -> None:
    text = """
import os, sys
from arena.bot import Bot
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
def test_an_error_ends_the_bot_and_is_told_from_the_bots_own_file_on(
    tmp_path: Path, ending: str
) -> None:
    text = """
from arena.bot import Bot, run
class MyBot(Bot):
    def act(self, view, legal):
        return self.best(legal)
    def best(self, legal):
        return legal[7]
"""
    done = converse_with_file(tmp_path, text + ending)
    assert done.returncode == 1
    assert len(replies(done)) == 1
    lines = done.stderr.decode().strip().splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert re.fullmatch(r'  File ".*my_bot\.py", line 5, in act', lines[1])
    assert lines[-1] == "IndexError: list index out of range"
    assert "arena" not in done.stderr.decode()


def test_an_error_is_told_before_the_output_ends(tmp_path: Path) -> None:
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


def test_a_forgotten_return_is_named(tmp_path: Path) -> None:
    text = "class MyBot:\n    def act(self, view, legal): ...\n"
    done = converse_with_file(tmp_path, text)
    assert done.returncode == 1
    assert b"`act` returned None, expected one of the legal actions" in done.stderr


def test_of_a_class_and_its_base_the_class_is_the_bot(tmp_path: Path) -> None:
    base = "class Base:\n    def act(self, view, legal):\n        return 'x'\n"
    done = converse_with_file(
        tmp_path,
        base + "class MyBot(Base):\n    def act(self, view, legal):\n        return legal[0]\n",
    )
    assert replies(done)[1:] == ANSWERS


def test_a_syntax_error_is_told_without_what_is_not_the_bots(tmp_path: Path) -> None:
    done = converse_with_file(tmp_path, "def act(:\n")
    assert done.returncode == 1
    assert b"SyntaxError" in done.stderr
    assert b"runpy" not in done.stderr


def test_a_bot_may_have_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def choose(legal):\n    return legal[0]\n")
    done = converse_with_file(
        tmp_path,
        "from helper import choose\nclass MyBot:\n"
        "    def act(self, view, legal):\n        return choose(legal)\n",
    )
    assert replies(done)[1:] == ANSWERS


@pytest.mark.parametrize("name", ["random", "traceback", "msgspec", "io", "json", "copy", "bot"])
def test_a_module_beside_the_bot_does_not_take_the_place_of_one_of_the_sdk(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('wrong module')\n")
    done = converse_with_file(tmp_path, CLASS)
    assert (done.returncode, done.stderr) == (0, b"")
    assert replies(done)[1:] == ANSWERS


def test_a_bot_may_be_called_like_a_module_of_the_library(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text(CLASS)
    done = converse(["-P", "-m", "arena.bot", "random.py"], tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert replies(done)[1:] == ANSWERS


def test_the_sdk_is_quick_to_import_and_brings_no_referee(tmp_path: Path) -> None:
    done = converse(
        ["-c", "import sys, json, arena.bot; print(json.dumps(list(sys.modules)))"], tmp_path
    )
    modules = set(json.loads(done.stdout))
    assert {name for name in modules if name.partition(".")[0] == "arena"} == {
        "arena",
        "arena.bot",
        "arena.errors",
        "arena.protocol",
    }
    unwanted = {"pluggy", "click", "rich", "trueskill", "tqdm", "sqlite3", "subprocess"}
    assert not modules & (unwanted | {"engine", "bots", "select", "socket", "asyncio"})


@pytest.mark.parametrize("make", [lambda: Draws, lambda: First], ids=["draws", "first"])
def test_a_bot_in_memory_and_as_a_program_answers_the_same(
    tmp_path: Path, make: Callable[[], type[Bot]]
) -> None:
    bot_class = make()
    method = "self.rng.choice(legal)" if bot_class is Draws else "legal[0]"
    text = f"class MyBot:\n    def act(self, view, legal):\n        return {method}\n"
    legal = [str(number) for number in range(100)]
    messages = (HELLO, start(1, seed=3), *[turn(1, number, legal) for number in range(1, 9)])
    done = converse_with_file(tmp_path, text, messages)
    assert replies(done)[1:] == talk(bot_class, *messages)[1:]


def test_a_bot_knows_how_long_it_may_take() -> None:
    class Clocked(Bot):
        def act(self, view: Any, legal: list[str]) -> str:
            return str(self.clock_ms)

    turn = Turn(1, 1, msgspec.Raw(b"{}"), msgspec.Raw(b"[]"), ["a"], 1234)
    assert ask(Clocked(), turn).action == "1234"
