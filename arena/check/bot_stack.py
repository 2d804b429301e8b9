"""Find stack traces written by `arena.sdk.alarm` in a Python bot's log."""

import os
import re
import sysconfig
from pathlib import Path, PurePath
from typing import NamedTuple

MAX_FRAMES = 8
_HEADING = re.compile(r"(Current thread|Thread) 0x[0-9a-f]+.*\(most recent call first\):")
_FRAME = re.compile(r'\s*File "(?P<file>.*)", line (?P<line>\d+),? in (?P<function>.*)')
_ROOT = Path(__file__).parents[2]
_LIBRARIES = tuple(
    {f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "platstdlib", "purelib")}
)


class Frame(NamedTuple):
    function: str
    file: str
    line: int
    is_library: bool = False


class SdkCalls:
    """Finds the SDK's stack frames in a bot's log."""

    def __init__(self) -> None:
        self._is_in_one = False

    def has(self, line: str) -> bool:
        """Return whether the next line of the log belongs to a stack frame of the SDK."""
        self._is_in_one = _is_sdk_call(line) or (self._is_in_one and line.startswith("    "))
        return self._is_in_one


def _is_sdk_call(line: str) -> bool:
    frame = _FRAME.match(line)
    if frame is None:
        return False
    parts = PurePath(frame["file"]).parts
    ours = [parts[at:] for at, part in enumerate(parts) if part in ("arena", "engine")]
    is_ours = any(os.path.isfile(_ROOT.joinpath(*path)) for path in ours)
    return "<frozen" in frame["file"] or is_ours


def split_stack(log: str) -> tuple[str, list[Frame]]:
    """Split a bot's log into its text and the frames of its last stack trace, innermost call
    first.
    """
    # Of several threads, only the interrupted thread counts.
    rest: list[str] = []
    frames: list[Frame] = []
    is_in_stack = is_current = False
    sdk = SdkCalls()
    for line in log.splitlines():
        is_sdk = sdk.has(line)
        if heading := _HEADING.match(line):
            is_in_stack = True
            if is_current := heading[1] == "Current thread":
                frames.clear()
        elif is_in_stack and (frame := _FRAME.match(line)):
            if is_current and not is_sdk:
                name = PurePath(frame["file"]).name
                is_library = frame["file"].startswith(_LIBRARIES)
                frames.append(Frame(frame["function"], name, int(frame["line"]), is_library))
        elif not is_in_stack or line.strip():
            is_in_stack = False
            if not is_sdk:
                rest.append(line)
    return "\n".join(rest), frames[:MAX_FRAMES]
