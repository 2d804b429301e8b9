"""The stack of a bot whose time is over, out of its log."""

import random

from arena.base.protocol import SeatFault
from arena.base.record import Evidence
from arena.check.bot_stack import MAX_FRAMES, Frame, split_stack
from arena.check.fault_report import card
from arena.match.bot_log import LogLine
from arena.terminal.bot_output import say_printed

STACK = """Thread 0x00007f1 (most recent call first):
  File "/bots/mine/worker.py", line 3 in wait

Current thread 0x00007f2 (most recent call first):
  File "/bots/mine/bot.py", line 9 in think
  File "/bots/mine/bot.py", line 5 in act
  File "/usr/lib/arena/sdk/games.py", line 70 in ask
  File "/usr/lib/arena/bot.py", line 90 in run
  File "<frozen runpy>", line 88 in _run_code
"""


def test_split_stack_excludes_frames_of_the_sdk() -> None:
    rest, frames = split_stack(f"hello\n{STACK}bye\n")
    assert rest == "hello\nbye"
    assert frames == [Frame("think", "bot.py", 9), Frame("act", "bot.py", 5)]


def test_distinguishes_library_frames_from_bot_frames() -> None:
    shown = STACK.replace("/bots/mine/bot.py", random.__file__, 1)
    _, frames = split_stack(shown)
    assert [(frame.file, frame.is_library) for frame in frames] == [
        ("random.py", True),
        ("bot.py", False),
    ]


def test_live_log_hides_frames_of_the_sdk() -> None:
    message: list[str] = []
    lines = [LogLine("mine", None, None, None, line) for line in STACK.splitlines()]
    say_printed("mine", lines, message.append)
    assert sum("File " in line for line in message) == 3
    assert not any("/arena/" in line or "<frozen" in line for line in message)


def test_deep_stack_shows_innermost_frames() -> None:
    lines = [f'  File "bot.py", line {number} in dive' for number in range(1, 101)]
    heading = "Current thread 0x1 (most recent call first):"
    _, frames = split_stack("\n".join([heading, *lines, "  ..."]))
    assert [frame.line for frame in frames] == [*range(1, MAX_FRAMES + 1)]


def test_timeout_report_names_the_running_line() -> None:
    fault = SeatFault(0, 4, "timeout", "no whole answer within 2000 ms")
    shown = card("mine", "in a game", fault, Evidence(0, stderr=f"my hand\n{STACK}"))
    assert "running     think, bot.py line 9\n              act, bot.py line 5\n" in shown
    assert "stderr      my hand\n" in shown
    assert "0x00007f2" not in shown


def test_traceback_excludes_frames_of_the_arena() -> None:
    own = '  File "/bot/bot.py", line 8, in <module>\n    class MyBot(Bot):'
    sdk = '  File "/usr/lib/arena/sdk/bot_class.py", line 50, in <module>\n    raise TypeError('
    log = f"Traceback:\n{own}\n{sdk}\n             ^^^^\nTypeError: no"
    assert split_stack(log) == (f"Traceback:\n{own}\nTypeError: no", [])
