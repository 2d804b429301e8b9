"""Tests of the bot in this folder: python3 test_bot.py

They send the bot the messages of the referee in one game, which are in conversation.jsonl. They
need only Python and test bots in any language. Add your own tests below.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
CONVERSATION = (FOLDER / "conversation.jsonl").read_text()


def talk() -> list[dict[str, object]]:
    """Send the messages of the referee to the bot, and return its answers."""
    command = tomllib.loads((FOLDER / "bot.toml").read_text())["command"]
    if command[0] == "python":
        command[0] = python_of_the_arena()
    bot = subprocess.run(
        command,
        cwd=FOLDER,
        input=CONVERSATION,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert bot.returncode == 0, f"got exit code {bot.returncode}, expected 0: {bot.stderr}"
    return [json.loads(line) for line in bot.stdout.splitlines()]


def python_of_the_arena() -> str:
    """Return a Python that has the arena: this one, or the one that `arena` is installed with."""
    arena = shutil.which("arena")
    if importlib.util.find_spec("arena") is None and arena:  # pipx links to it from elsewhere
        return str(Path(arena).resolve().with_name("python"))
    return sys.executable


def test_bot_sends_ready() -> None:
    ready = talk()[0]
    assert (ready["type"], ready["protocol"]) == ("ready", 1)


def test_bot_answers_every_turn_with_a_legal_action() -> None:
    messages = [json.loads(line) for line in CONVERSATION.splitlines()]
    turns = [message for message in messages if message["type"] == "turn"]
    acts = talk()[1:]
    assert len(acts) == len(turns), f"got {len(acts)} answers, expected {len(turns)}"
    for turn, act in zip(turns, acts, strict=True):
        expected = ("act", turn["table"], turn["turn"])
        assert (act["type"], act["table"], act["turn"]) == expected
        action, legal = act["action"], turn["legal"]
        assert action in legal, f"got {action!r}, expected one of {legal}"


def test_bot_plays_the_same_game_in_the_same_way() -> None:
    assert talk() == talk()


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok:", name.removeprefix("test_").replace("_", " "))
