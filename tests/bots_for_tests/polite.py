"""What the bad bots do as long as they are good: they take the last legal action."""

import json
import sys
from typing import Any


def say(**message: Any) -> None:
    """Send a message, in one piece."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def listen() -> dict[str, Any]:
    """Return the next message, or exit if the referee has left."""
    return json.loads(sys.stdin.readline() or sys.exit())


def play(turns: int) -> None:
    """Answer this number of turns of a table, and return at once."""
    answered = 0
    while answered < turns:
        message = listen()
        if message["type"] == "hello":
            say(type="ready", protocol=1)
        elif message["type"] == "turn":
            answered = message["turn"]
            say(type="act", table=message["table"], turn=answered, action=message["legal"][-1])


def next_turn() -> dict[str, Any]:
    """Return the next turn, unanswered."""
    while (message := listen())["type"] != "turn":
        pass
    return message


def hang() -> None:
    """Say nothing any more until the referee hangs up."""
    while True:
        listen()
