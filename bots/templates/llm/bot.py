"""A bot that asks a language model for each decision, at the address in `bot.toml`.

The note of each action in the record has the tokens, the cost and the tries. An answer that is no
legal action is asked for again; the last one is played as it is, and the referee calls it illegal.
"""

import json
import os
import re
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.bot import Bot, Start, run
from arena.narration.telling import telling_of
from engine import get_variant

SETTINGS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("bot.toml").read_text("utf-8"))[
    "settings"
]
LOCAL = ("localhost", "127.0.0.1", "::1")
PAUSE_S = 0.5
"""The time before the second request; it doubles with each one."""
MAX_ANSWER_BYTES = 1_000_000
MAX_EVENTS = 60
"""The last events that the model is told."""
ASKED = (
    "Think briefly. Then write the action that you choose, exactly as it stands in the list, on a "
    "last line of its own that begins with `ACTION: `."
)


class Answered(NamedTuple):
    """An answer of the endpoint."""

    text: str
    input_tokens: int
    output_tokens: int


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would take the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse it."""


def checked_address(address: str) -> str:
    """Return the address; raise `ValueError` if a key must not be sent there."""
    parts = urlsplit(address)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOCAL):
        return address
    raise ValueError(
        f"got the address {address!r}, expected https://..., or http:// of this machine"
    )


ADDRESS = checked_address(SETTINGS["address"])
OPENER = urllib.request.build_opener(NoRedirect)


def request(messages: list[dict[str, str]]) -> Answered:
    """Ask the endpoint once. Raises `OSError` if it fails, `ValueError` if it answers nonsense."""
    body = {**SETTINGS["request"], "model": SETTINGS["model"], "messages": messages}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get(SETTINGS["key_variable"], ""):
        headers["Authorization"] = f"Bearer {key}"
    asked = urllib.request.Request(ADDRESS, json.dumps(body).encode(), headers)
    with OPENER.open(asked, timeout=SETTINGS["timeout_s"]) as reply:
        answer = json.loads(reply.read(MAX_ANSWER_BYTES))
    try:
        text = answer["choices"][0]["message"]["content"]
        usage = answer.get("usage") or {}
        return Answered(
            str(text), int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
        )
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"got {str(answer)[:200]}, expected the answer of a chat") from error


def chosen(text: str, legal: list[str]) -> str:
    """Return the action that an answer names, or what it says instead."""
    named = re.findall(r"ACTION:[ `*]*([^\n`*]+)", text)
    action = (named[-1] if named else text).strip()
    if action not in legal:  # it may have what the list says of the action, too
        action = action.partition(": ")[0]
    return action[:200] or "nothing"


def rules_of(game: str, module: str) -> str:
    """Return the rules of a game; empty if its package has none."""
    rules = Path(sys.modules[module].__file__ or "").with_name("rules.md")
    return rules.read_text("utf-8") if rules.is_file() else f"The game is {game}."


class MyBot(Bot):
    """Plays one game."""

    def start(self, table: Start) -> None:
        """Write what the model is told first: the rules and its seat."""
        rules = rules_of(table.game, get_variant(table.variant).deal_type.__module__)
        partners = "" if table.teams is None else f" The teams are {table.teams}."
        self.system = (
            f"You play {table.variant} at seat {table.seat} of {table.seats}, counted from 0."
            f"{partners} Play to win. These are the rules:\n\n{rules}"
        )
        self.heard: list[Any] = []

    def events(self, events: list[Any]) -> None:
        """Keep what happened."""
        self.heard += events

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the action that the model chooses."""
        explained = [f"- {action}{self.explained(action)}" for action in legal]
        question = "\n\n".join(
            [
                f"What you may know, as JSON:\n{json.dumps(view)}",
                f"What happened last:\n{json.dumps(self.heard[-MAX_EVENTS:])}",
                "Your legal actions:\n" + "\n".join(explained),
                ASKED,
            ]
        )
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        return self.asked(messages, legal)

    def explained(self, action: str) -> str:
        """Return what an action is about, after a colon; nothing if that is not known."""
        about = telling_of(self.table.game).about_action(action)
        return f": {about}" if about else ""

    def asked(self, messages: list[dict[str, str]], legal: list[str]) -> str:
        """Ask until an answer is a legal action, and note tokens, cost and tries."""
        tokens, action, failure = [0, 0], "", ""
        tries = max(1, SETTINGS["tries"])
        for number in range(1, tries + 1):
            try:
                answer = request(messages)
            except (OSError, ValueError) as error:
                failure = f"{type(error).__name__}: {error}"
                print(failure, file=sys.stderr, flush=True)
                if number < tries:
                    time.sleep(PAUSE_S * 2 ** (number - 1))
                continue
            tokens = [tokens[0] + answer.input_tokens, tokens[1] + answer.output_tokens]
            action = chosen(answer.text, legal)
            if action in legal:
                break
            messages = [
                *messages,
                {"role": "assistant", "content": answer.text},
                {
                    "role": "user",
                    "content": f"{action!r} is not in the list of legal actions. {ASKED}",
                },
            ]
        if not action:
            raise RuntimeError(f"no answer after {tries} tries; the last one: {failure}")
        prices = [SETTINGS[f"dollars_per_million_{kind}_tokens"] for kind in ("input", "output")]
        cost = sum(count * price for count, price in zip(tokens, prices, strict=True)) / 1e6
        self.note = f"{tokens[0]} + {tokens[1]} tokens, ${cost:.6f}, {number} tries"
        return action


if __name__ == "__main__":
    run(MyBot)
