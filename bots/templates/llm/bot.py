"""A bot that asks a language model for every decision.

If the endpoint is busy or the connection breaks, the bot retries until its time for the move is
nearly over. The run stops if the endpoint rejects a request or never answers, because such
failures aren't the model's fault.
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
RESERVE_S = 1.0
BUSY = (408, 409, 425, 429)
"""HTTP status codes below 500 for which a retry may succeed."""
MAX_ANSWER_BYTES = 1_000_000
MARKS = "`*_\"' "
"""Quotation and Markdown characters that are removed from both ends of an action."""
MAX_EVENTS = 60
INSTRUCTION = (
    "Think briefly. Then write `ACTION: ` on a separate last line, followed by your action exactly "
    "as it appears in the list."
)


class Answer(NamedTuple):
    text: str
    instead: str
    """What the model sent instead of text, such as a tool call, or "" if it sent text."""
    input_tokens: int
    output_tokens: int


class Unavailable(Exception):
    """The request failed, but may succeed after a pause of `after_s` seconds."""

    def __init__(self, text: str, after_s: float = 0.0) -> None:
        super().__init__(text)
        self.after_s = after_s


class Rejected(Exception):
    """The endpoint rejected the request and would reject it again."""


def checked_address(address: str) -> str:
    """Return the address, or raise `ValueError` if it would receive the API key unencrypted."""
    parts = urlsplit(address)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOCAL):
        return address
    raise ValueError(
        f"invalid address in bot.toml: got {address!r}, expected https://... or http://localhost..."
    )


ADDRESS = checked_address(SETTINGS["address"])
RUNNER = asyncio.Runner()
CLIENT = httpx.AsyncClient(timeout=None)  # follows no redirects, which could leak the key
PAUSE = wait_random_exponential(multiplier=0.5, max=MAX_PAUSE_S)


async def post(body: dict[str, Any], limit_s: float) -> tuple[httpx.Response, bytes]:
    """Return the response and its content, or raise `TimeoutError` after `limit_s` seconds."""
    headers = {}
    if key := os.environ.get(SETTINGS["key_variable"], ""):
        headers["Authorization"] = f"Bearer {key}"
    content = b""
    async with (
        asyncio.timeout(limit_s),  # the timeouts of httpx apply to each read
        CLIENT.stream("POST", ADDRESS, json=body, headers=headers) as response,
    ):
        async for part in response.aiter_bytes():
            content += part
            if len(content) > MAX_ANSWER_BYTES:
                break
    return response, content


def request(messages: list[dict[str, str]], left_s: float) -> Answer:
    """Send one request to the endpoint and return the answer.

    Raises:
        Unavailable: The request failed, but may succeed if it is repeated.
        Rejected: The endpoint rejected the request.
    """
    body = {**SETTINGS["request"], "model": SETTINGS["model"], "messages": messages}
    limit_s = max(0.1, min(SETTINGS["timeout_s"], left_s))
    try:
        response, content = RUNNER.run(post(body, limit_s))
    except TimeoutError:
        raise Unavailable(f"the endpoint sent no complete answer within {limit_s:.1f} s") from None
    except httpx.HTTPError as error:
        raise Unavailable(f"connection failed: {type(error).__name__}: {error}") from None
    description = (
        f"the endpoint answered {response.status_code}: {content[:500].decode(errors='replace')}"
    )
    if response.status_code in BUSY or response.status_code >= 500:
        raise Unavailable(description, pause_of(response))
    if not response.is_success:
        raise Rejected(description)
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise Rejected(f"expected JSON, but {description}") from None
    return read_answer(answer, description)


def read_answer(answer: Any, description: str) -> Answer:
    """Parse a response as JSON, or raise `Unavailable` if the JSON isn't a chat completion."""
    try:
        message = answer["choices"][0]["message"]
        content = message.get("content")
        usage = answer.get("usage") or {}
        tokens = [usage.get(f"{kind}_tokens") for kind in ("prompt", "completion")]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise Unavailable(f"expected a chat completion, but {description}") from None
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
    counts = [int(n) if isinstance(n, int | float) and 0 <= n < 1e12 else 0 for n in tokens]
    return Answer(text, instead, *counts)


def pause_of(reply: httpx.Response) -> float:
    retry_after = reply.headers.get("Retry-After", "")
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return 0.0


def request_until(messages: list[dict[str, str]], until: float) -> tuple[Answer, int]:
    """Retry a request until it succeeds, and return the answer and the number of requests.

    Raises:
        Unavailable: No request succeeded before the deadline.
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


def find_action(text: str, legal: list[str]) -> str:
    """Return the legal action in a model's answer, or the start of the answer if it names none."""
    named = re.findall(r"ACTION:(.*)", text)
    action_text = (named[-1] if named else text).strip()
    bare = action_text.strip(MARKS)
    # In the list, a colon and an explanation may follow an action.
    for action in (action_text, bare, bare.partition(": ")[0].strip(MARKS)):
        if action in legal:
            return action
    return bare[:200] or "nothing"


def rules_of(game: str, module: str) -> str:
    """Return the rules of a game, or just its name if its package has no rules."""
    rules = Path(sys.modules[module].__file__ or "").with_name("rules.md")
    return rules.read_text("utf-8") if rules.is_file() else f"The game is {game}."


class MyBot(Bot):
    def start(self, table: Start) -> None:
        rules = rules_of(table.game, get_variant(table.variant).deal_type.__module__)
        partners = "" if table.teams is None else f" The teams are {table.teams}."
        self.system = (
            f"You play {table.variant} at seat {table.seat} of {table.seats}, counted from 0."
            f"{partners} Play to win. These are the rules:\n\n{rules}"
        )
        self.history: list[Any] = []

    def events(self, events: list[Any]) -> None:
        self.history += events

    def act(self, view: Any, legal: list[str]) -> str:
        actions = [f"- {action}{self.explanation(action)}" for action in legal]
        question = "\n\n".join(
            [
                f"What you know, as JSON:\n{json.dumps(view)}",
                f"Recent events:\n{json.dumps(self.history[-MAX_EVENTS:])}",
                "Your legal actions:\n" + "\n".join(actions),
                INSTRUCTION,
            ]
        )
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        return self.ask(messages, legal)

    def explanation(self, action: str) -> str:
        about = telling_of(self.table.game).about_action(action)
        return f": {about}" if about else ""

    def ask(self, messages: list[dict[str, str]], legal: list[str]) -> str:
        """Ask the model until its answer is a legal action."""
        tokens, action, requests, without_text = [0, 0], "", 0, ""
        clock_s = self.idle_ms / 1000 or SETTINGS["timeout_s"] * SETTINGS["tries"]
        until = time.monotonic() + clock_s - min(RESERVE_S, clock_s / 10)
        for _ in range(max(1, SETTINGS["tries"])):
            try:
                answer, tries = request_until(messages, until)
            except Unavailable as error:
                if action:  # an illegal action, which the referee will explain
                    break
                cannot_play(f"no answer within the {clock_s:g} s for a move; last error: {error}")
            except Rejected as error:
                cannot_play(str(error))
            requests += tries
            tokens = [tokens[0] + answer.input_tokens, tokens[1] + answer.output_tokens]
            if answer.instead:
                action = answer.instead  # shown in the fault
                if without_text:
                    break
                without_text = f"; the model gave {answer.instead} at first"
                reply, problem = f"[{answer.instead}]", "Answer with text, without a tool."
            else:
                action = find_action(answer.text, legal)
                if action in legal:
                    break
                reply, problem = answer.text, f"{action!r} is not in the list of legal actions."
            messages = [  # some endpoints require that roles alternate
                *messages,
                {"role": "assistant", "content": reply},
                {"role": "user", "content": f"{problem} {INSTRUCTION}"},
            ]
        prices = [SETTINGS[f"dollars_per_million_{kind}_tokens"] for kind in ("input", "output")]
        cost = sum(count * price for count, price in zip(tokens, prices, strict=True)) / 1e6
        spent = f"{tokens[0]} + {tokens[1]} tokens, ${cost:.6f}, {requests} tries"
        self.note = f"{spent}{without_text}"
        return action


if __name__ == "__main__":
    run(MyBot)
