"""The programs that `arena bench` talks to, in C and in Python."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from arena.extras.bench.rows import QUICKEST
from arena.plugins import bots

Command = tuple[str, ...]

REPLY_BYTES = 40
SOURCE = Path(__file__).with_name("echo.c")
ECHO = f"import os\nwhile os.read(0, 65536): os.write(1, b'0' * {REPLY_BYTES - 1} + b'\\n')"
JSON_BOT = """\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
"""
MSGSPEC_BOT = """\
from arena.bot import Bot, run

class First(Bot):
    def act(self, view, legal):
        return legal[0]

run(First)
"""


class Programs(NamedTuple):
    """The commands of the processes that the workloads talk to."""

    echo: Command
    bots: dict[str, Command]
    """By the names of their rows, fastest first. Without a C compiler, those in Python only."""

    @property
    def has_compiler(self) -> bool:
        """Whether the programs in C could be compiled."""
        return QUICKEST in self.bots


def make_programs(folder: Path) -> Programs:
    """Return the programs in Python, and those in C if there is a compiler."""
    compiled = folder / "bench"
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    has_compiler = (
        compiler is not None
        and not subprocess.run(
            [compiler, "-O2", "-o", str(compiled), str(SOURCE)], capture_output=True, check=False
        ).returncode
    )
    in_c = {QUICKEST: (str(compiled), "none"), "c-bots-views": (str(compiled), "full")}
    in_python = {
        "msgspec": bots()["random"].command,
        "msgspec-views": (sys.executable, "-P", "-c", MSGSPEC_BOT),
        "json": (sys.executable, "-S", "-c", JSON_BOT),
    }
    if has_compiler:
        return Programs((str(compiled), "echo"), in_c | in_python)
    return Programs((sys.executable, "-S", "-c", ECHO), in_python)
