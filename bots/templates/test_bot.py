"""A test of the bot in this folder, which talks to it as the referee does: python3 test_bot.py

conversation.jsonl is what the referee says to a bot in one game. The test uses nothing but Python,
so it tests bots in any language; put tests of your own below.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
CONVERSATION = (FOLDER / "conversation.jsonl").read_text()


def talk() -> list[dict[str, object]]:
    """Say to the bot what the referee says, and return what it answers."""
    command = tomllib.loads((FOLDER / "bot.toml").read_text())["command"]
    if command[0] == "python":
        command[0] = sys.executable
    bot = subprocess.run(
        command,
        cwd=FOLDER,
        input=CONVERSATION,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert bot.returncode == 0, f"the bot ended with exit code {bot.returncode}: {bot.stderr}"
    return [json.loads(line) for line in bot.stdout.splitlines()]


def test_it_says_ready() -> None:
    ready = talk()[0]
    assert (ready["type"], ready["protocol"]) == ("ready", 1)


def test_it_answers_every_turn_with_a_legal_action() -> None:
    said = [json.loads(line) for line in CONVERSATION.splitlines()]
    turns = [message for message in said if message["type"] == "turn"]
    acts = talk()[1:]
    assert len(acts) == len(turns), f"it was asked {len(turns)} times and answered {len(acts)}"
    for turn, act in zip(turns, acts, strict=True):
        expected = ("act", turn["table"], turn["turn"])
        assert (act["type"], act["table"], act["turn"]) == expected
        assert act["action"] in turn["legal"], f"{act['action']!r} is not one of {turn['legal']}"


def test_it_plays_the_same_game_in_the_same_way() -> None:
    assert talk() == talk()


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok:", name.removeprefix("test_").replace("_", " "))
