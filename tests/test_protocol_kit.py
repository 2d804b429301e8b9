"""The protocol kit: a bot that keeps to the protocol passes it, and a mistake is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocol_kit import KIT, files

READY = '{"type":"ready","protocol":1}'
BOT = f"""\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{READY}', flush=True)
    elif message["type"] == "turn":
        act = {{"table": message["table"], "turn": message["turn"], "action": message["legal"][0]}}
        print(json.dumps({{"type": "act"}} | act), flush=True)
    elif message["type"] == "bye":
        break
"""
MISTAKES = [
    ('"protocol":1', '"protocol":2', 'the field "protocol" is'),
    ('message["legal"][0]', '"nothing"', "the action 'nothing' is not legal"),
    ('message["table"],', "1,", 'the field "table" is'),
    ("        break\n", "        print('bye', flush=True)\n", "one line too many"),
    ("        break\n", "        sys.exit(3)\n", "exited with code 3"),
]


def outcome(folder: Path, text: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run the kit with a bot."""
    (folder / "bot.py").write_text(text)
    command = ["bash", KIT / "kit.sh", *options, sys.executable, folder / "bot.py"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_conversations_match_the_engine() -> None:
    expected = dict(files())
    assert {path: path.read_text("utf-8") for path in KIT.glob("*/*.txt")} == expected


def test_correct_bot_passes(tmp_path: Path) -> None:
    found = outcome(tmp_path, BOT)
    assert found.returncode == 0, found.stdout
    assert found.stdout.endswith(f"passed: {len(dict(files()))} talks\n")


@pytest.mark.parametrize(("right", "wrong", "reason"), MISTAKES)
def test_names_mistakes(tmp_path: Path, right: str, wrong: str, reason: str) -> None:
    assert right in BOT
    found = outcome(tmp_path, BOT.replace(right, wrong), "--game", "pot-de-vin")
    assert found.returncode == 1
    assert reason in found.stdout
