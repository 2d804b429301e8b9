"""Tests of the bot in this folder: python3 test_bot.py

The tests send the bot the referee's messages from one recorded game. The tests require Python,
even if your bot is written in another language. Add your own tests below.
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
import time
import tomllib
from pathlib import Path
from typing import IO

FOLDER = Path(__file__).resolve().parent
LINES = (FOLDER / "conversation.jsonl").read_text().splitlines()
LEAVE_S = 5.0  # the time to exit after the last message
WALL_SHARE = 4  # the budget is processor time, which passes more slowly on a busy machine


def talk(lines: list[str] = LINES) -> list[dict[str, object]]:
    """Start the bot, send the given messages to the bot, and return the bot's answers."""
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
    """Send messages to the bot and collect its responses in `answers`.

    Return an error message, or "" if the bot has answered correctly.
    """
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
            break  # the bot has exited; see its exit code below
        if message["type"] in ("hello", "turn"):
            limit_ms = message.get("clock_ms", limits["start_ms"])
            try:
                answer = came.get(timeout=WALL_SHARE * limit_ms / 1000)
            except queue.Empty:
                what = f"no complete answer within {WALL_SHARE * limit_ms} ms"
                return f"timeout: {what}\nasked: {line[:600]}\ncame: nothing"
            if answer is None:
                came.put(None)  # awaited again below
                break
            answers.append(answer)
    with contextlib.suppress(BrokenPipeError):
        bot.stdin.close()
    try:
        code = bot.wait(LEAVE_S)
    except subprocess.TimeoutExpired:
        return f"still running {LEAVE_S:g} s after `bye`"
    until = time.monotonic() + LEAVE_S
    with contextlib.suppress(queue.Empty):
        while (left_s := until - time.monotonic()) > 0:
            answer = came.get(timeout=left_s)
            if answer is None:
                return f"crash: exited with code {code}, expected 0" if code else ""
            answers.append(answer)  # unexpected extra answers
    return f"a program that the bot started still ran {LEAVE_S:g} s after `bye`"


def listen(output: IO[str], came: "queue.Queue[str | None]") -> None:
    """Put each line of the bot's output into a queue, followed by None."""
    for line in output:
        came.put(line)
    came.put(None)


def python_of_the_arena() -> str:
    """Return the path of a Python interpreter that has the arena installed."""
    if importlib.util.find_spec("arena") and importlib.util.find_spec("msgspec"):
        return sys.executable
    beside = [Path(arena).resolve() for arena in [shutil.which("arena")] if arena]  # as pipx links
    venvs = [folder / ".venv" / "bin" / "arena" for folder in (*FOLDER.parents, Path.cwd())]
    for arena in [*beside, *venvs]:
        if arena.is_file() and arena.with_name("python").exists():
            return str(arena.with_name("python"))
    raise SystemExit(
        f"the arena is not installed for {sys.executable}: run `source .venv/bin/activate` in the "
        "arena's folder first, or start this test with the arena's Python"
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
