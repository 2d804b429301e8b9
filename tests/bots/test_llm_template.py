"""Tests of the template that asks a language model, with a fake endpoint."""

import json
import runpy
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import arena
import bots
from arena.base.errors import BotUnavailable
from arena.base.protocol import Limits
from tests.arena.command import arena as typed

pytest.importorskip("httpx")
pytest.importorskip("tenacity")

VARIANT = "pot-de-vin/3"


LATE = 0
"""A reply status that means: don't reply before the bot asks again."""
CUT, NO_HTTP, DRIP = 1, 2, 3
"""Reply statuses for broken replies: half a reply, something other than HTTP, and line ends that
trickle in until the bot asks again."""
MESSAGE = '{"role": "assistant", '
"""The start of a reply with a complete message."""
PAUSE_S = 1
"""The pause that a 429 reply requests, in seconds."""


class Endpoint(ThreadingHTTPServer):
    """Answers each request with the next of its replies, and repeats the last one."""

    replies: list[tuple[int, str]]
    requests: list[Any]
    keys: list[str | None]
    again: threading.Event
    """Set when a second request arrives."""
    times: list[float]
    """Arrival times of requests."""


class Answers(BaseHTTPRequestHandler):
    """Answers a chat. `{first}` in a reply stands for the first legal action."""

    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.requests:
            self.server.again.set()
        self.server.requests.append(body)
        self.server.times.append(time.monotonic())
        self.server.keys.append(self.headers["Authorization"])
        replies = self.server.replies
        status, text = replies.pop(0) if len(replies) > 1 else replies[0]
        if status == LATE:
            self.server.again.wait(60)
            return
        if status == NO_HTTP:
            self.wfile.write(b"no HTTP at all\r\n\r\n")
            self.close_connection = True
            return
        if status == DRIP:
            self.send_response(200)
            self.end_headers()
            while not self.server.again.wait(0.05):
                self.wfile.write(b"\n")
            self.close_connection = True
            return
        question = next(m["content"] for m in body["messages"] if m["role"] == "user")
        listed = question.partition("Your legal actions:\n- ")[2]
        text = text.replace("{first}", listed.splitlines()[0].partition(":")[0])
        message = {"role": "assistant", "content": text}
        if text.startswith(MESSAGE):
            message = json.loads(text)
        choice = {"message": message}
        usage = {"prompt_tokens": 1000, "completion_tokens": 10}
        answer = json.dumps({"choices": [choice], "usage": usage})
        if text in ("[]", "<html>"):
            answer = text
        self.send_response(200 if status == CUT else status)
        if status == 429:
            self.send_header("Retry-After", str(PAUSE_S))
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(answer) * (2 if status == CUT else 1)))
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_: Any) -> None:
        """Write no log."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint(("127.0.0.1", 0), Answers)
    server.requests, server.keys, server.times, server.again = [], [], [], threading.Event()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def made(folder: Path, endpoint: Endpoint, tries: int = 3, timeout_s: int = 60) -> Path:
    """Create a bot for the endpoint with `arena new`."""
    assert typed("new", folder, "--llm").exit_code == 0
    file = folder / "bot.toml"
    address = f"http://127.0.0.1:{endpoint.server_port}/v1/chat/completions"
    text = file.read_text("utf-8").replace("http://localhost:8000/v1/chat/completions", address)
    text = text.replace("tries = 3", f"tries = {tries}")
    text = text.replace("timeout_s = 60", f"timeout_s = {timeout_s}")
    file.write_text(text.replace("input_tokens = 0.0", "input_tokens = 2.5"), "utf-8")
    return folder


def play(bot: Path) -> arena.GameRecord:
    players, limits = [bot, "random", "timid"], Limits(move_ms=60_000)
    return arena.play(VARIANT, players, seed=1, limits=limits, sandbox="none")


def test_notes_tokens_and_cost(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "secret")
    endpoint.replies = [(200, "Let me think.\nACTION: {first}")]
    record = play(made(tmp_path / "model", endpoint))
    assert record.faults == ()
    assert {note.text for note in record.notes} == {"1000 + 10 tokens, $0.002500, 1 tries"}
    first = endpoint.requests[0]
    system, question = [message["content"] for message in first["messages"]]
    assert "trick" in system.lower()  # the rules
    assert '"hand"' in question  # the view
    assert (first["model"], set(endpoint.keys)) == ("my-model", {"Bearer secret"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replies", "tries"),
    [
        ([(500, ""), (200, "ACTION: {first}")], "2 tries"),
        ([(429, "slow down"), (200, "ACTION: {first}")], "2 tries"),
        ([(CUT, "ACTION: {first}"), (200, "ACTION: {first}")], "2 tries"),
        ([(NO_HTTP, ""), (200, "ACTION: {first}")], "2 tries"),
        ([(200, "[]"), (200, "`{first}`\n**ACTION: `{first}`**")], "2 tries"),
        ([(200, "ACTION: play the queen"), (200, "ACTION: {first}")], "2 tries"),
        ([(LATE, ""), (200, "ACTION: {first}")], "2 tries"),
        ([(DRIP, ""), (200, "ACTION: {first}")], "2 tries"),
        ([(200, "ACTION: {first}: the highest one")], "1 tries"),
    ],
    ids=[
        "an error",
        "a limit",
        "a cut answer",
        "no HTTP",
        "no chat",
        "no legal action",
        "a late answer",
        "an answer that never ends",
        "an explained action",
    ],
)
def test_retries_failed_requests(
    replies: list[tuple[int, str]], tries: str, tmp_path: Path, endpoint: Endpoint
) -> None:
    endpoint.replies = replies
    timeout_s = 2 if replies[0][0] in (LATE, DRIP) else 60
    record = play(made(tmp_path / "model", endpoint, timeout_s=timeout_s))
    assert record.faults == ()
    assert record.notes[0].text.endswith(tries)
    if replies[0] == (429, "slow down"):
        assert endpoint.times[1] - endpoint.times[0] >= PAUSE_S


@pytest.mark.parametrize(
    "content",
    [
        '[{"type": "text", "text": "ACTION: {first}"}]',
        '[{"type": "thinking", "text": "ACTION: x"}, {"type": "text", "text": "ACTION: {first}"}]',
    ],
)
def test_reads_text_parts_of_an_answer(content: str, tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.replies = [(200, f'{MESSAGE}"content": {content}}}')]
    assert play(made(tmp_path / "model", endpoint)).faults == ()


CALL = f'{MESSAGE}"content": null, "tool_calls": [{{"id": "1", "type": "function"}}]}}'
REFUSAL = f'{MESSAGE}"content": null, "refusal": "I cannot help with bribery."}}'


def test_asks_again_after_an_answer_without_text(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.replies = [(200, CALL), (200, "ACTION: {first}")]
    record = play(made(tmp_path / "model", endpoint))
    assert record.faults == ()
    assert record.notes[0].text.endswith("2 tries; the model gave a tool call at first")
    assert "None" not in json.dumps(endpoint.requests)
    roles = [message["role"] for message in endpoint.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


def test_repeated_refusal_causes_a_fault(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.replies = [(200, REFUSAL)]
    record = play(made(tmp_path / "model", endpoint))
    (fault,) = record.faults
    assert fault.kind == "illegal"
    assert "a refusal: I cannot help with bribery." in fault.text
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("**ACTION: `play a*b`**", "play a*b"),
        ("ACTION: play a: it wins", "play a"),
        ("play a", "play a"),
        ("ACTION: play b\nACTION: *pass*", "pass"),
        ("ACTION: pass *now*", "pass *now"),
        ("", "nothing"),
    ],
)
def test_finds_action_in_answer(answer: str, action: str) -> None:
    template = Path(bots.__file__).with_name("templates") / "llm" / "bot.py"
    find_action = runpy.run_path(str(template))["find_action"]
    assert find_action(answer, ["play a*b", "play a", "pass"]) == action


def test_nonsense_is_an_illegal_action(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.replies = [(200, "I resign.")]
    record = play(made(tmp_path / "model", endpoint, tries=1))
    assert [fault.kind for fault in record.faults] == ["illegal"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [((400, "no such model"), "answered 400"), ((302, ""), "302"), ((200, "<html>"), "<html>")],
    ids=["a refused request", "a redirect", "a login page"],
)
def test_rejected_request_stops_the_run(
    reply: tuple[int, str], reason: str, tmp_path: Path, endpoint: Endpoint
) -> None:
    endpoint.replies = [reply]
    with pytest.raises(BotUnavailable, match=f"model cannot play: .*{reason}"):
        play(made(tmp_path / "model", endpoint))
    assert len(endpoint.requests) == 1  # no redirect was followed, no refused request repeated


@pytest.mark.parametrize("address", ["http://example.com/v1", "ftp://localhost/", "file:///etc"])
def test_rejects_insecure_addresses(address: str, tmp_path: Path, endpoint: Endpoint) -> None:
    folder = made(tmp_path / "model", endpoint)
    file = folder / "bot.toml"
    local = f"http://127.0.0.1:{endpoint.server_port}/v1/chat/completions"
    file.write_text(file.read_text("utf-8").replace(local, address), "utf-8")
    with pytest.raises(arena.ArenaError, match="expected https"):
        play(folder)
