"""A bot that asks a language model for each decision, at the address in `bot.toml`.

The note of each action in the record has the tokens, the cost and the tries. An endpoint that is
busy or breaks off is asked again until the time for the move is nearly over. If it gives no answer
by then or refuses the request, the run stops, since that says nothing about the model. A model
whose answer is not a legal action is asked again; its last answer is played as it is.
"""

import asyncio
import json
import os
import re
import sys
import time
import tomllib
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_random_exponential

from arena.bot import Bot, Start, cannot_play, run
from arena.narration.telling import telling_of
from engine import get_variant

SETTINGS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("bot.toml").read_text("utf-8"))[
    "settings"
]
LOCAL = ("localhost", "127.0.0.1", "::1")
MAX_PAUSE_S = 20.0
"""The longest random pause before the next request, unless the endpoint asks for a longer one."""
RESERVE_S = 1.0
"""The time of a move that is kept for the answer to the referee."""
BUSY = (408, 409, 425, 429)
"""The statuses, besides those from 500 on, after which the same request may succeed."""
MAX_ANSWER_BYTES = 1_000_000
MARKS = "`*_\"' "
"""What a model may write around an action."""
MAX_EVENTS = 60
"""The last events that the model is told."""
ASKED = (
    "Think briefly. Then write the action that you choose, exactly as it stands in the list, on a "
    "last line of its own that begins with `ACTION: `."
)


class Answered(NamedTuple):
    """An answer of the endpoint."""

    text: str
    instead: str
    """What came in place of a text, such as a tool call; empty if there is a text."""
    input_tokens: int
    output_tokens: int


class Unavailable(Exception):
    """The endpoint failed, and may answer later. `after_s` is the pause that it asks for, or 0."""

    def __init__(self, text: str, after_s: float = 0.0) -> None:
        super().__init__(text)
        self.after_s = after_s


class Refused(Exception):
    """The endpoint refused the request, and would refuse it again."""


def checked_address(address: str) -> str:
    """Return the address; raise `ValueError` if a key must not be sent there."""
    parts = urlsplit(address)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOCAL):
        return address
    raise ValueError(
        f"got the address {address!r}, expected https://..., or http:// of this machine"
    )


ADDRESS = checked_address(SETTINGS["address"])
RUNNER = asyncio.Runner()
CLIENT = httpx.AsyncClient(timeout=None)  # it follows no redirect, which would take the key along
PAUSE = wait_random_exponential(multiplier=0.5, max=MAX_PAUSE_S)


async def posted(body: dict[str, Any], limit_s: float) -> tuple[httpx.Response, bytes]:
    """Return the endpoint's response and its content, within `limit_s` seconds altogether.

    A timeout of httpx would bound each read, and an endpoint that sends a byte now and then could
    keep the bot waiting forever.
    """
    headers = {}
    if key := os.environ.get(SETTINGS["key_variable"], ""):
        headers["Authorization"] = f"Bearer {key}"
    content = b""
    async with (
        asyncio.timeout(limit_s),
        CLIENT.stream("POST", ADDRESS, json=body, headers=headers) as response,
    ):
        async for part in response.aiter_bytes():
            content += part
            if len(content) > MAX_ANSWER_BYTES:
                break
    return response, content


def request(messages: list[dict[str, str]], left_s: float) -> Answered:
    """Ask the endpoint once, for at most `left_s` seconds.

    Raises:
        Unavailable: it is busy, breaks off, or its answer is not whole.
        Refused: it does not take the request, or does not answer as a chat does.
    """
    body = {**SETTINGS["request"], "model": SETTINGS["model"], "messages": messages}
    limit_s = max(0.1, min(SETTINGS["timeout_s"], left_s))
    try:
        response, content = RUNNER.run(posted(body, limit_s))
    except TimeoutError:
        raise Unavailable(f"the endpoint gave no whole answer within {limit_s:.1f} s") from None
    except httpx.HTTPError as error:
        raise Unavailable(f"no connection: {type(error).__name__}: {error}") from None
    said = f"the endpoint answered {response.status_code}: {content[:500].decode(errors='replace')}"
    if response.status_code in BUSY or response.status_code >= 500:
        raise Unavailable(said, pause_of(response))
    if not response.is_success:
        raise Refused(said)
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused(f"expected JSON, but {said}") from None
    return read_answer(answer, said)


def read_answer(answer: Any, said: str) -> Answered:
    """Return the answer in the JSON of an endpoint. Raises `Unavailable` if it is not a chat's."""
    try:
        message = answer["choices"][0]["message"]
        content = message.get("content")
        usage = answer.get("usage") or {}
        tokens = [usage.get(f"{kind}_tokens") for kind in ("prompt", "completion")]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise Unavailable(f"expected the answer of a chat, but {said}") from None
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    text = "".join(
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type") in ("text", "output_text")
        and isinstance(part.get("text"), str)
    )
    instead = ""
    if not text.strip():
        refusal = message.get("refusal")
        calls = "a tool call" if message.get("tool_calls") else "no text"
        instead = f"a refusal: {refusal[:200]}" if isinstance(refusal, str) and refusal else calls
    counts = [int(each) if isinstance(each, int | float) and each < 1e12 else 0 for each in tokens]
    return Answered(text, instead, *counts)


def pause_of(reply: httpx.Response) -> float:
    """Return the seconds that an endpoint wants to be left alone, by its `Retry-After`."""
    asked = reply.headers.get("Retry-After", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except ValueError:
        return 0.0


def answered(messages: list[dict[str, str]], until: float) -> tuple[Answered, int]:
    """Return an answer of the endpoint and the number of requests, before a time of the clock.

    Raises:
        Unavailable: it gave none in time.
        Refused: it does not take the request.
    """

    def pause(state: RetryCallState) -> float:
        error = state.outcome and state.outcome.exception()
        print(error, file=sys.stderr, flush=True)
        return PAUSE(state) + getattr(error, "after_s", 0.0)

    def is_over(state: RetryCallState) -> bool:
        return time.monotonic() + state.upcoming_sleep >= until

    again = Retrying(
        retry=retry_if_exception_type(Unavailable), wait=pause, stop=is_over, reraise=True
    )
    answer = again(lambda: request(messages, until - time.monotonic()))
    return answer, again.statistics["attempt_number"]


def chosen(text: str, legal: list[str]) -> str:
    """Return the action that an answer names, or what it says instead."""
    named = re.findall(r"ACTION:(.*)", text)
    said = (named[-1] if named else text).strip()
    bare = said.strip(MARKS)
    # The list may say more about an action, after a colon.
    for action in (said, bare, bare.partition(": ")[0].strip(MARKS)):
        if action in legal:
            return action
    return bare[:200] or "nothing"


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
        tokens, action, requests, without_text = [0, 0], "", 0, ""
        clock_s = self.idle_ms / 1000 or SETTINGS["timeout_s"] * SETTINGS["tries"]
        until = time.monotonic() + clock_s - min(RESERVE_S, clock_s / 10)
        for _ in range(max(1, SETTINGS["tries"])):
            try:
                answer, tries = answered(messages, until)
            except Unavailable as error:
                if action:  # an illegal one, which the referee explains
                    break
                cannot_play(f"no answer in the {clock_s:g} s of a move; at last: {error}")
            except Refused as error:
                cannot_play(str(error))
            requests += tries
            tokens = [tokens[0] + answer.input_tokens, tokens[1] + answer.output_tokens]
            if answer.instead:
                action = answer.instead  # the fault shows it
                if without_text:
                    break
                without_text = f"; the model gave {answer.instead} at first"
                came, wrong = f"[{answer.instead}]", "Answer in words, without a tool."
            else:
                action = chosen(answer.text, legal)
                if action in legal:
                    break
                came, wrong = answer.text, f"{action!r} is not in the list of legal actions."
            messages = [  # in turns, as some endpoints want it
                *messages,
                {"role": "assistant", "content": came},
                {"role": "user", "content": f"{wrong} {ASKED}"},
            ]
        prices = [SETTINGS[f"dollars_per_million_{kind}_tokens"] for kind in ("input", "output")]
        cost = sum(count * price for count, price in zip(tokens, prices, strict=True)) / 1e6
        spent = f"{tokens[0]} + {tokens[1]} tokens, ${cost:.6f}, {requests} tries"
        self.note = f"{spent}{without_text}"
        return action


if __name__ == "__main__":
    run(MyBot)
