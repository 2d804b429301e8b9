"""The stack of a Python bot in its log, which `arena.bot_alarm` has written."""

import os
import re
from pathlib import Path, PurePath
from typing import NamedTuple

MAX_FRAMES = 8
"""The innermost calls that are shown."""
_HEADING = re.compile(r"(Current thread|Thread) 0x[0-9a-f]+.*\(most recent call first\):")
_FRAME = re.compile(r'\s*File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)')
_ROOT = Path(__file__).parents[2]
"""The folder of `arena` and `engine`."""


class Frame(NamedTuple):
    """A call that a bot was in."""

    function: str
    file: str
    """Without its folder."""
    line: int


def is_sdk_call(line: str) -> bool:
    """Return whether a line of a log is a call of a stack that does not belong to the bot."""
    frame = _FRAME.match(line)
    if frame is None:
        return False
    parts = PurePath(frame["file"]).parts
    ours = [parts[at:] for at, part in enumerate(parts) if part in ("arena", "engine")]
    is_ours = any(os.path.isfile(_ROOT.joinpath(*path)) for path in ours)
    return "<frozen" in frame["file"] or is_ours


def split_stack(log: str) -> tuple[str, list[Frame]]:
    """Return a log without its stacks, and the last stack: the innermost calls first.

    Of several threads, it is the stack of the one that was interrupted. Calls of the arena are
    left out. There are no frames if the log has no stack.
    """
    rest: list[str] = []
    frames: list[Frame] = []
    is_in_stack = is_current = False
    for line in log.splitlines():
        if heading := _HEADING.match(line):
            is_in_stack = True
            if is_current := heading[1] == "Current thread":
                frames.clear()
        elif is_in_stack and (frame := _FRAME.match(line)):
            if is_current and not is_sdk_call(line):
                name = PurePath(frame["file"]).name
                frames.append(Frame(frame["function"], name, int(frame["line"])))
        elif not is_in_stack or line.strip():
            is_in_stack = False
            rest.append(line)
    return "\n".join(rest), frames[:MAX_FRAMES]
