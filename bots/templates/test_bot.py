"""Tests of the bot in this folder: python3 test_bot.py

They send the bot the messages of the referee in one game, which are in conversation.jsonl. They
need only Python and test bots in any language. Add your own tests below.
"""

import contextlib
import importlib.util
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from pathlib import Path
from typing import IO

FOLDER = Path(__file__).resolve().parent
LINES = (FOLDER / "conversation.jsonl").read_text().splitlines()
LEAVE_S = 5.0
WALL_SHARE = 2  # the budget is processor time, which passes more slowly on a busy machine
"""The time to exit after the end of the messages."""


def talk(lines: list[str] = LINES) -> list[dict[str, object]]:
    """Send `lines`, messages of the referee, to the bot, and return its answers.

    The bot has as long for each answer as in a run. What it prints is shown if it fails.
    """
    command = tomllib.loads((FOLDER / "bot.toml").read_text())["command"]
    if command[0] == "python":
        command[0] = python_of_the_arena()
    answers: list[str] = []
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        bot = subprocess.Popen(
            command,
            cwd=FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            fault = exchange(bot, lines, answers)
        finally:
            bot.kill()
            bot.wait()
        log.seek(0)
        assert not fault, f"{fault}\nthe end of its stderr:\n{log.read()[-4000:]}"
    return [json.loads(line) for line in answers]


def exchange(bot: subprocess.Popen[str], lines: list[str], answers: list[str]) -> str:
    """Send the lines and collect the answers. Return what was wrong in the end, or ""."""
    assert bot.stdin
    assert bot.stdout
    came: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=listen, args=(bot.stdout, came), daemon=True).start()
    limits = json.loads(LINES[0])["limits"]
    for line in lines:
        message = json.loads(line)
        try:
            print(line, file=bot.stdin, flush=True)
        except BrokenPipeError:
            break  # it has exited, which its code tells
        if message["type"] in ("hello", "turn"):
            limit_ms = message.get("clock_ms", limits["start_ms"])
            try:
                answer = came.get(timeout=WALL_SHARE * limit_ms / 1000)
            except queue.Empty:
                what = f"no whole answer within {WALL_SHARE * limit_ms} ms"
                return f"timeout: {what}\nasked: {line[:600]}\ncame: nothing"
            if answer is None:
                break
            answers.append(answer)
    with contextlib.suppress(BrokenPipeError):
        bot.stdin.close()
    try:
        code = bot.wait(LEAVE_S)
    except subprocess.TimeoutExpired:
        return f"stays: still ran {LEAVE_S:g} s after `bye`"
    while (answer := came.get(timeout=LEAVE_S)) is not None:  # more than was asked for
        answers.append(answer)
    return f"crash: exited with code {code}, expected 0" if code else ""


def listen(output: IO[str], came: "queue.Queue[str | None]") -> None:
    """Put each line of the bot into a queue, and None behind the last one."""
    for line in output:
        came.put(line)
    came.put(None)


def python_of_the_arena() -> str:
    """Return a Python that has the arena: this one, or one that is found near it."""
    if importlib.util.find_spec("arena") and importlib.util.find_spec("msgspec"):
        return sys.executable
    beside = [Path(arena).resolve() for arena in [shutil.which("arena")] if arena]  # as pipx links
    venvs = [folder / ".venv" / "bin" / "arena" for folder in (*FOLDER.parents, Path.cwd())]
    for arena in [*beside, *venvs]:
        if arena.is_file() and arena.with_name("python").exists():
            return str(arena.with_name("python"))
    raise SystemExit(
        f"{sys.executable} has no arena: start this test with the Python of the arena, or type "
        "`source .venv/bin/activate` in the folder of the arena first"
    )


def test_bot_sends_ready() -> None:
    ready = talk([LINES[0], LINES[-1]])[0]  # only `hello` and `bye`
    assert (ready["type"], ready["protocol"]) == ("ready", 1)


def test_bot_answers_every_turn_with_a_legal_action() -> None:
    messages = [json.loads(line) for line in LINES]
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
            try:
                test()
            except AssertionError as error:
                sys.exit(f"FAILED: {name.removeprefix('test_').replace('_', ' ')}\n{error}")
            print("ok:", name.removeprefix("test_").replace("_", " "))
