"""A person plays in a real pseudo-terminal, at the widths of terminals."""

import os
import re
import struct
import sys
from pathlib import Path

import pytest

pytest.importorskip("termios", reason="pseudo-terminals are part of Unix")
import fcntl
import pty
import termios

PROGRAM = "from arena.cli import main; main(prog_name='arena')"
STYLE = re.compile(r"\x1b\[[0-9;]*m")


def played(width: int, keys: list[str], folder: Path, *options: str) -> str:
    """Return what a terminal shows of `arena play` when these lines are typed at its prompts."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(folder)
        environment = {name: os.environ[name] for name in os.environ if name != "COLUMNS"}
        command = [sys.executable, "-c", PROGRAM, "play", "--sandbox", "none", *options]
        os.execve(sys.executable, command, environment | {"TERM": "xterm-256color"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    shown, waiting = b"", iter(keys)
    try:
        while part := os.read(terminal, 65536):
            shown += part
            if shown.endswith(b"\n> "):
                os.write(terminal, f"{next(waiting)}\n".encode())
    except OSError:  # Linux: the program has ended
        pass
    finally:
        os.close(terminal)
        _, status = os.waitpid(process, 0)
    assert status == 0, shown
    return STYLE.sub("", shown.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("width", "game"), [(60, "brides-and-bribes"), (80, "bribery"), (120, "pot-de-vin")]
)
def test_a_turn_in_a_terminal(width: int, game: str, tmp_path: Path) -> None:
    keys = ["?", "? 1", "1", "m", "q"]
    shown = played(width, keys, tmp_path, "--game", game, "--seed", "4", "--seat", "0")
    lines = shown.splitlines()[1:]  # after the notice of the sandbox
    assert "\x1b" not in shown
    assert max(len(line.rstrip()) for line in lines) <= width
    assert not re.search(r'[{}\[\]"]', shown)
    assert re.search(r"^you \w+", shown, re.M), "the person's own action is told"
    assert lines[-1] == "you left the game; it is not saved"
